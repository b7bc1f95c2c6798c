"""Layers over every kind of channel: sparse keys, rotation modes, custom properties, captured clips."""

import bpy
import numpy as np
import pytest
from layered_sample import bone_at, keys_of, motion_of, rows_of, sparse_rig, turn
from mathutils import Matrix
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.layers import session
from rigs import chain_armature, key_bones


def test_sparse_keys_stay_sparse_and_meet_the_pose():
    armature = sparse_rig()
    before = keys_of(armature)
    bpy.context.scene.frame_set(30)
    bpy.ops.motion_editing.add_layer(reach=0.4)
    wanted = turn(armature, "bone1")
    bpy.ops.motion_editing.key_layer()
    assert quaternion.angle_between(bone_at(armature, 30, "bone1"), quaternion.normalize(wanted)) < 1e-5
    curve = next(c for c in action_io.channelbag(armature).fcurves if "bone1" in c.data_path)
    frames = [key.co[0] for key in curve.keyframe_points]
    assert {1.0, 21.0, 30.0, 41.0, 81.0} <= set(frames)
    assert len(frames) < 20
    untouched = [key for key in before if "bone1" not in key[1]]
    assert {key: keys_of(armature)[key] for key in untouched} == {key: before[key] for key in untouched}
    bpy.ops.motion_editing.remove_layer()
    assert keys_of(armature) == before


def test_a_channel_without_keys_is_taken_up():
    armature = sparse_rig()
    before = keys_of(armature)
    bpy.context.scene.frame_set(41)
    bpy.ops.motion_editing.add_layer(reach=0.5)
    armature.pose.bones["bone0"].location = (0.0, 0.3, 0.0)
    bpy.ops.motion_editing.key_layer()
    motion = motion_of(armature)
    assert motion.locations[40, 1] == pytest.approx((0.0, 0.3, 0.0), abs=1e-6)
    assert motion.locations[0, 1] == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    bpy.ops.motion_editing.remove_layer()
    assert keys_of(armature) == before


def test_the_keys_choice_is_made_anew_from_the_keys_below():
    armature = sparse_rig()
    before = keys_of(armature)
    bpy.context.scene.frame_set(30)
    bpy.ops.motion_editing.add_layer(reach=0.4)
    turn(armature, "bone1")
    bpy.ops.motion_editing.key_layer()
    sparse = keys_of(armature)
    settings = armature.animation_data.action.motion_editing_layers
    settings.keying = "EVERY_FRAME"
    curve = next(c for c in action_io.channelbag(armature).fcurves if "bone1" in c.data_path)
    # From the base's key before the scope to the one after it.
    assert len(curve.keyframe_points) > 39
    settings.keying = "AUTOMATIC"
    assert keys_of(armature) == sparse
    settings.layers[0].muted = True
    assert keys_of(armature) == before


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "AXIS_ANGLE"])
def test_every_rotation_mode(mode):
    armature = chain_armature(2)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    key_bones(armature, list(range(1, 41)))
    before = keys_of(armature)
    bpy.context.scene.frame_set(20)
    bpy.ops.motion_editing.add_layer()
    bone = armature.pose.bones["bone1"]
    bone.matrix_basis = bone.matrix_basis @ Matrix.Rotation(0.6, 4, "X")
    wanted = np.array(bone.matrix_basis.to_quaternion())
    bpy.ops.motion_editing.key_layer()
    assert quaternion.angle_between(bone_at(armature, 20, "bone1"), wanted) < 1e-5
    rows_of(armature)[0].muted = True
    assert keys_of(armature) == before


def test_custom_properties_are_taken_up():
    armature = sparse_rig()
    armature["mood"] = 0.0
    for frame in range(1, 82):
        armature.keyframe_insert('["mood"]', frame=frame)
    bpy.context.scene.frame_set(41)
    bpy.ops.motion_editing.add_layer(reach=0.4)
    armature["mood"] = 2.0
    bpy.ops.motion_editing.key_layer()
    motion = motion_of(armature)
    assert motion.scalars[40, 0] == pytest.approx(2.0)
    assert motion.scalars[[0, -1], 0] == pytest.approx(0.0)
    assert session.load(armature).layers[0].scalar_names == ('["mood"]',)


@pytest.mark.clips
@pytest.mark.parametrize("name", ["cmu_07_01_walk", "rokoko_jesse_dance_fingers"])
def test_captured_clips_come_back_bit_for_bit(clips_folder, empty_scene, name):
    bpy.ops.import_anim.bvh(filepath=str(clips_folder / "dev" / f"{name}.bvh"))
    armature, before = bpy.context.object, keys_of(bpy.context.object)
    bpy.context.scene.frame_set(90)
    bpy.ops.motion_editing.add_layer()
    bone = armature.pose.bones[len(armature.pose.bones) // 2]
    bone.matrix_basis = bone.matrix_basis @ Matrix.Rotation(0.5, 4, "X")
    wanted = np.array(bone.matrix_basis.to_quaternion())
    bpy.ops.motion_editing.key_layer()
    assert quaternion.angle_between(bone_at(armature, 90, bone.name), wanted) < 1e-4
    rows_of(armature)[0].influence = 0.3
    rows_of(armature)[0].influence = 0.0
    assert keys_of(armature) == before
