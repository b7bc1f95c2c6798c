"""The sample motion at a known rate, for the tests of time edits."""

import bpy

RATE = 30.0


def load_timed_sample():
    """It is active then."""
    bpy.context.scene.render.fps = int(RATE)
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def time_of(armature):
    return armature.animation_data.action.motion_editing_time
