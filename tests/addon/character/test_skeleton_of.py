"""The core's forward kinematics against Blender's own evaluation."""

import itertools

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from rigs import ROTATION_MODES, chain_armature, evaluated_matrices, key_bones

INHERIT_SCALE = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")


def assert_same_pose(armature, frames, tolerance=1e-5):
    clip = action_io.read(armature, rate=24.0)
    poses = clip.motion.poses
    height = max(np.ptp(poses.positions[:, 1:].reshape(-1, 3), axis=0).max(), 1.0)
    for frame in frames:
        matrices = evaluated_matrices(armature, frame)
        sample = int(np.flatnonzero(clip.frames == frame)[0])
        lengths = np.array([bone.bone.length for bone in armature.pose.bones])
        tips = matrices[:, :3, 3] + matrices[:, :3, 1] * lengths[:, None]
        assert np.abs(poses.positions[sample, 1:] - matrices[:, :3, 3]).max() < tolerance * height
        assert np.abs(poses.tips[sample, 1:] - tips).max() < tolerance * height


@pytest.mark.parametrize("mode", ROTATION_MODES)
@pytest.mark.parametrize("connected", [True, False])
def test_rotation_modes(mode, connected):
    armature = chain_armature(4, connected=connected)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    key_bones(armature, [1, 6, 11])
    assert_same_pose(armature, range(1, 12))


@pytest.mark.parametrize(
    ("inherit_scale", "inherit_rotation", "local_location"),
    list(itertools.product(INHERIT_SCALE, [True, False], [True, False])),
)
def test_inheritance_switches(inherit_scale, inherit_rotation, local_location):
    armature = chain_armature(4, connected=False)
    armature.location, armature.rotation_euler = (1, 2, 3), (0.3, 0.2, 0.1)
    for bone in armature.data.bones:
        bone.inherit_scale = inherit_scale
        bone.use_inherit_rotation = inherit_rotation
        bone.use_local_location = local_location
    key_bones(armature, [1, 6, 11])
    assert_same_pose(armature, range(1, 12))


def test_moving_object_and_parent():
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location, parent.rotation_euler = (1, 0, 2), (0.5, 0.1, -0.4)
    armature = chain_armature(3)
    armature.parent = parent
    armature.rotation_mode = "ZXY"
    armature.data.bones[1].use_inherit_rotation = False
    for frame, angle in ((1, 0.0), (11, 1.0)):
        armature.location, armature.rotation_euler = (angle, 0, angle), (angle, 0.5, -angle)
        armature.scale = (1 + angle, 1 + angle, 1 + angle)
        for path in ("location", "rotation_euler", "scale"):
            armature.keyframe_insert(path, frame=frame)
    key_bones(armature, [1, 6, 11])
    assert_same_pose(armature, range(1, 12))


def test_bones_without_keys_hold_their_present_pose():
    armature = chain_armature(3)
    armature.pose.bones[1].rotation_quaternion = (0.8, 0.6, 0, 0)
    armature.pose.bones[0].keyframe_insert("location", frame=1)
    armature.pose.bones[0].keyframe_insert("location", frame=5)
    assert_same_pose(armature, [1, 3, 5])
