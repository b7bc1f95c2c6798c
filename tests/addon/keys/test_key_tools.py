"""Converting keys and repairing rotations through the operators."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from rigs import all_keys, chain_armature, key_bones


def poses(armature):
    return action_io.read(armature, rate=24.0).motion


def test_every_frame_keeps_the_motion():
    armature = chain_armature(3)
    key_bones(armature, [1, 11, 31])
    before = poses(armature)
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    after = poses(armature)
    assert quaternion.angle_between(before.rotations, after.rotations).max() < 1e-6
    np.testing.assert_allclose(after.locations, before.locations, atol=1e-6)
    curve = action_io.channelbag(armature).fcurves[0]
    assert len(curve.keyframe_points) == 31


def test_reduced_keeps_the_stated_error_and_saves_keys():
    armature = chain_armature(3)
    key_bones(armature, [1, 21, 41, 61])
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    before = poses(armature)
    bpy.ops.motion_editing.convert_keys(keying="REDUCED", rotation_error=np.radians(0.5))
    after = poses(armature)
    assert np.degrees(quaternion.angle_between(before.rotations, after.rotations)).max() <= 0.5001
    assert max(len(c.keyframe_points) for c in action_io.channelbag(armature).fcurves) < 25


def test_only_selected_bones_are_converted():
    armature = chain_armature(3)
    key_bones(armature, [1, 11, 31])
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    after = all_keys(armature.animation_data.action)
    changed = {identity[1] for identity in after if after[identity] != before[identity]}
    assert changed
    assert all('"bone1"' in path for path in changed)


def test_quaternion_flips_are_repaired():
    armature = chain_armature(2)
    key_bones(armature, list(range(1, 21)))
    clip = action_io.read(armature, rate=24.0)
    rotation = clip.channels.joints[1][1]
    for curve in clip.channels.of(rotation):
        for key in list(curve.keyframe_points)[5:12]:
            key.co[1] *= -1
        curve.update()
    before = poses(armature)
    bpy.ops.motion_editing.continuous_rotations()
    clip = action_io.read(armature, rate=24.0)
    raw = clip.raw[rotation]
    assert (np.einsum("fi,fi->f", raw[1:], raw[:-1]) > 0).all()
    assert quaternion.angle_between(before.rotations, clip.motion.rotations).max() < 1e-6


def test_whole_turns_in_baked_euler_curves_are_taken_out():
    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame in range(1, 21):
        bone.rotation_euler = (0.05 * frame, 0.2, -0.3 + (2 * np.pi if frame % 2 else 0.0))
        bone.keyframe_insert("rotation_euler", frame=frame)
    before = poses(armature)
    bpy.ops.motion_editing.continuous_rotations()
    clip = action_io.read(armature, rate=24.0)
    assert np.abs(np.diff(clip.raw[clip.channels.joints[1][1]], axis=0)).max() < 0.1
    assert quaternion.angle_between(before.rotations, clip.motion.rotations).max() < 1e-5


def test_a_meant_spin_between_sparse_euler_keys_stays():
    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame, turn in ((1, 0.0), (31, 4 * np.pi)):
        bone.rotation_euler = (turn, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.continuous_rotations()
    assert all_keys(armature.animation_data.action) == before


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (lambda: None, "Select an armature"),
        (lambda: chain_armature(1), "has no action"),
    ],
)
def test_refusals_say_what_to_do(prepare, reason):
    prepare()
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.motion_editing.convert_keys()


def test_not_finite_keys_are_refused_and_nothing_changes():
    armature = chain_armature(1)
    action = key_bones(armature, list(range(1, 11)))
    curve = action_io.channelbag(armature).fcurves[0]
    curve.keyframe_points[4].co[1] = float("nan")
    before = all_keys(action)
    with pytest.raises(RuntimeError, match="NaN or infinite"):
        bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    assert all_keys(armature.animation_data.action) == before


def test_undo_brings_everything_back():
    armature = chain_armature(2)
    key_bones(armature, [1, 11, 31])
    bpy.ops.ed.undo_push(message="set up")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    bpy.ops.ed.undo_push(message="edit")
    bpy.ops.ed.undo()
    assert all_keys(bpy.data.objects["Rig"].animation_data.action) == before
    assert len(bpy.data.actions) == 1


def test_scalars_go_with_their_bone():
    armature = chain_armature(2)
    for bone in armature.pose.bones:
        bone["strength"] = 0.5
        for frame in (1, 11):
            bone.keyframe_insert('["strength"]', frame=frame)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    counts = {c.data_path.split('"')[1]: len(c.keyframe_points) for c in action_io.channelbag(armature).fcurves}
    assert counts == {"bone0": 2, "bone1": 11}


def test_constant_keys_stay_constant_when_keys_are_reduced():
    """Steps are kept, also between frames, in stepped curves and in the stepped part of others."""
    armature = chain_armature(2)
    key_bones(armature, list(range(1, 41)))
    curves = list(action_io.channelbag(armature).fcurves)
    for curve in curves:
        stepped = "bone1" in curve.data_path
        for key in curve.keyframe_points:
            key.interpolation = "CONSTANT" if stepped or key.co[0] > 20 else "LINEAR"
    frames = np.arange(20.0, 40.0, 0.25)
    before = [[curve.evaluate(frame) for frame in frames] for curve in curves]
    bpy.ops.motion_editing.convert_keys(keying="REDUCED")
    after = [[curve.evaluate(frame) for frame in frames] for curve in curves]
    np.testing.assert_array_equal(np.array(after)[:, 4:], np.array(before)[:, 4:])
    for curve in curves:
        kinds = {key.interpolation for key in curve.keyframe_points if key.co[0] < 40}
        assert kinds == ({"CONSTANT"} if "bone1" in curve.data_path else {"CONSTANT", "BEZIER"})


def test_equal_constant_keys_become_one():
    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    for frame in range(1, 31):
        bone.location = (frame // 10, 0, 0)
        bone.keyframe_insert("location", frame=frame)
    curve = action_io.channelbag(armature).fcurves[0]
    for key in curve.keyframe_points:
        key.interpolation = "CONSTANT"
    bpy.ops.motion_editing.convert_keys(keying="REDUCED")
    assert [key.co[0] for key in curve.keyframe_points] == [1, 10, 20, 30]
