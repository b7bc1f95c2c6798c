"""A keyed rig, and a changed motion to preview on it."""

import bpy
import numpy as np
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import chain_armature, key_bones

FRAMES = list(range(1, 31))


def handlers_are_gone():
    """For a fixture: after the test no preview follows frames any more."""
    yield
    assert not [each for each in bpy.app.handlers.frame_change_post if "pose_preview" in each.__module__]


def rig(bones=3, mode="QUATERNION", frames=FRAMES):
    armature = chain_armature(bones, connected=False)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    key_bones(armature, frames)
    bpy.context.scene.frame_set(7)
    return armature, action_io.read(armature, rate=24.0)


def changed(motion, joint, *, angle=0.6, along=0.2):
    """The motion with one joint turned, moved and scaled."""
    rotations, locations, scales = (np.array(getattr(motion, n)) for n in ("rotations", "locations", "scales"))
    turn = quaternion.from_axis_angle([0.3, 0.9, -0.2], angle)
    rotations[:, joint] = quaternion.multiply(rotations[:, joint], turn)
    locations[:, joint] += along
    scales[:, joint] *= 1.0 + along
    return motion.with_rotations(rotations).with_locations(locations).with_scales(scales)
