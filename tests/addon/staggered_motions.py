"""Motions whose poses are staggered, for the tests of staggered poses."""

import bpy
from motion_editing.core import quaternion
from motion_editing.motion_editing_addon import action_io
from rigs import chain_armature


def extracted_sample(**options):
    """The sample motion with its poses extracted: all of them unless options say otherwise."""
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    armature = bpy.context.object
    assert bpy.ops.motion_editing.extract_poses(**options) == {"FINISHED"}
    return armature


def motion_of(armature):
    return action_io.read(armature, rate=30.0).motion


def poses_of(armature):
    return armature.animation_data.action.motion_editing_staggered


def keyed_chain():
    """Three bones, posed three times, each bone a frame later than its parent."""
    armature = chain_armature(3)
    for index, bone in enumerate(armature.pose.bones):
        for frame, turn in ((10, 0.2), (30, -0.4), (50, 0.3)):
            bone.rotation_quaternion = quaternion.from_axis_angle([1.0, 0.2, 0], turn + 0.1 * index)
            bone.keyframe_insert("rotation_quaternion", frame=frame + index)
    return armature
