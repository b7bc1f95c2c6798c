"""Motions whose poses are staggered, for the tests of staggered poses."""

import bpy
import numpy as np
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
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


def keyed_pose_by_pose(bones=4, poses=5):
    """Bones that are posed at random and keyed with Key Pose, every twelve frames."""
    armature, random = chain_armature(bones), np.random.default_rng(3)
    for number in range(poses):
        bpy.context.scene.frame_set(1 + 12 * number)
        for bone in armature.pose.bones:
            bone.rotation_quaternion = quaternion.from_axis_angle(random.normal(size=3), random.uniform(-1.0, 1.0))
        assert bpy.ops.motion_editing.key_staggered_pose() == {"FINISHED"}
    return armature


def turned(bone, angle):
    """Turn a bone by radians about an axis of its own."""
    turn = quaternion.from_axis_angle([1.0, 0.0, 0.0], angle)
    bone.rotation_quaternion = quaternion.multiply(np.array(bone.rotation_quaternion), turn)
