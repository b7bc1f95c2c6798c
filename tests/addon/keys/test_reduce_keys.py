"""Reduce Keys through its operator: bounds on the evaluated curves, scope, redo, refusals."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.motion_editing_addon.border import action_io, saved_state
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of
from rigs import all_keys, chain_armature, key_bones


def baked_chain(bones=3, frames=61):
    """A chain with a key on every frame of a smooth movement."""
    armature = chain_armature(bones)
    key_bones(armature, [1, 16, 31, 46, frames])
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    return armature


def curves_of(armature):
    return list(action_io.channelbag(armature).fcurves)


def count(armature):
    return sum(len(curve.keyframe_points) for curve in curves_of(armature))


def largest(armature, before):
    """Degrees and distance between what is evaluated now and before."""
    after = action_io.read(armature, rate=24.0).motion
    turned = np.degrees(quaternion.angle_between(before.rotations, after.rotations)).max()
    places = np.linalg.norm(before.poses.positions - after.poses.positions, axis=-1).max()
    return turned, max(places, np.linalg.norm(before.poses.tips - after.poses.tips, axis=-1).max())


def motion_of(armature):
    return action_io.read(armature, rate=24.0).motion


@pytest.mark.parametrize("kind", ["SMOOTH", "FEWEST"])
def test_evaluated_curves_keep_the_bounds_and_keys_are_few(kind):
    armature = baked_chain()
    before, keys = motion_of(armature), count(armature)
    bpy.ops.motion_editing.reduce_keys(kind=kind, rotation_error=np.radians(0.5), location_error=0.01)
    turned, moved = largest(armature, before)
    assert turned <= 0.5
    assert 0.001 < moved <= 0.01
    assert count(armature) < 0.5 * keys
    types = [key.handle_right_type for curve in curves_of(armature) for key in curve.keyframe_points]
    # Straight lines from frame to frame have corners, which smooth curves follow where their error needs it.
    assert types.count("ALIGNED" if kind == "SMOOTH" else "FREE") > 0.8 * len(types)


@pytest.mark.parametrize("kind", ["SMOOTH", "FEWEST"])
def test_quaternions_that_vanish_keep_the_bounds(kind):
    armature = chain_armature(2)
    bone = armature.pose.bones[0]
    for frame in range(1, 31):
        bone.rotation_quaternion = (1.0, 0.2, 0.0, 0.0) if frame % 3 == 0 else (0.0, 0.0, 0.0, 0.0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    before = motion_of(armature)
    bpy.ops.motion_editing.reduce_keys(kind=kind, rotation_error=np.radians(0.5), location_error=1.0)
    assert largest(armature, before)[0] <= 0.5


def test_selected_bones_and_range_alone_change():
    armature = baked_chain()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 20, 40
    before = all_keys(armature.animation_data.action)
    outside = {c.data_path + str(c.array_index): [c.evaluate(f) for f in range(1, 20)] for c in curves_of(armature)}
    bpy.ops.motion_editing.reduce_keys(range="SCENE")
    after = all_keys(armature.animation_data.action)
    changed = {identity[1] for identity in after if after[identity] != before[identity]}
    assert changed
    assert all('"bone1"' in path for path in changed)
    for curve in curves_of(armature):
        assert outside[curve.data_path + str(curve.array_index)] == [curve.evaluate(f) for f in range(1, 20)]


def test_pose_columns():
    armature = baked_chain()
    bpy.ops.motion_editing.reduce_keys(pose_columns=True, location_error=0.02)
    frames = [{key.co[0] for key in curve.keyframe_points} for curve in curves_of(armature)]
    every, counts = np.unique([frame for own in frames for frame in own], return_counts=True)
    shared = set(every[counts > 0.5 * len(frames)])
    assert sum(len(own & shared) for own in frames) > 0.8 * sum(map(len, frames))


def test_planted_feet_stay_and_the_report_says_so(capfd):
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    clip = scope.read_clip(bpy.context, armature)
    contacts = contacts_of(clip)
    before = foot_slide(clip.motion, contacts)
    bpy.ops.motion_editing.reduce_keys(rotation_error=np.radians(2.0), location_error=0.02)
    after = foot_slide(scope.read_clip(bpy.context, armature).motion, contacts)
    added = max(a - b for name in before for a, b in zip(after[name], before[name], strict=True))
    assert added <= 0.005
    assert "keys became" in (text := capfd.readouterr().out)
    assert "feet slide" in text


def test_outliers_are_ignored():
    armature = baked_chain(1, 121)
    clip = action_io.read(armature, rate=24.0)
    for curve in clip.channels.of(clip.channels.joints[1][0]):
        curve.keyframe_points[60].co[1] += 3.0
        curve.update()
    bpy.ops.motion_editing.reduce_keys(ignore_outliers=True, location_error=0.02)
    moved = action_io.read(armature, rate=24.0).motion.locations[:, 1]
    assert np.abs(np.diff(moved, axis=0)).max() < 0.5


def test_constant_keys_stay_constant():
    armature = baked_chain(1)
    for curve in curves_of(armature):
        for key in curve.keyframe_points:
            key.interpolation = "CONSTANT"
    frames = np.arange(1.0, 61.0, 0.25)
    before = [[curve.evaluate(frame) for frame in frames] for curve in curves_of(armature)]
    bpy.ops.motion_editing.reduce_keys()
    assert [[curve.evaluate(frame) for frame in frames] for curve in curves_of(armature)] == before


def test_hand_made_keys_that_cannot_be_fewer_stay_bit_for_bit():
    armature = chain_armature(2)
    key_bones(armature, [1, 16, 31])
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.reduce_keys(rotation_error=np.radians(0.01), location_error=1e-4)
    assert all_keys(armature.animation_data.action) == before


CHOICES = [{}, {"kind": "FEWEST"}, {"pose_columns": True}, {"ignore_outliers": True}]


@pytest.mark.parametrize("choices", CHOICES, ids=["smooth", "fewest", "columns", "outliers"])
def test_a_second_press_changes_nothing(choices, capfd):
    armature = baked_chain()
    bpy.ops.motion_editing.reduce_keys(location_error=0.01, **choices)
    once = all_keys(armature.animation_data.action)
    capfd.readouterr()
    bpy.ops.motion_editing.reduce_keys(location_error=0.01, **choices)
    assert all_keys(armature.animation_data.action) == once
    assert "There are no keys to spare: nothing was changed" in capfd.readouterr().out


def test_a_second_press_changes_nothing_of_some_bones_either():
    armature = baked_chain()
    bpy.ops.motion_editing.reduce_keys(location_error=0.01)
    once = all_keys(armature.animation_data.action)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    bpy.ops.motion_editing.reduce_keys(location_error=0.01)
    assert all_keys(armature.animation_data.action) == once


def test_a_second_press_in_a_file_that_was_saved_changes_nothing(tmp_path):
    armature = baked_chain()
    bpy.ops.motion_editing.reduce_keys(location_error=0.01)
    once, name = all_keys(armature.animation_data.action), armature.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "reduced.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "reduced.blend"))
    bpy.ops.motion_editing.reduce_keys(location_error=0.01)
    assert all_keys(bpy.data.objects[name].animation_data.action) == once


def test_a_larger_error_reduces_again():
    armature = baked_chain()
    bpy.ops.motion_editing.reduce_keys(location_error=0.01)
    once = count(armature)
    bpy.ops.motion_editing.reduce_keys(rotation_error=np.radians(3.0), location_error=0.1)
    assert count(armature) < once


def test_what_was_edited_since_is_reduced_again_and_nothing_else():
    armature = baked_chain()
    bpy.ops.motion_editing.reduce_keys(location_error=0.01)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    edited = all_keys(armature.animation_data.action)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.motion_editing.reduce_keys(location_error=0.01)
    after = all_keys(armature.animation_data.action)
    changed = {identity[1] for identity in after if after[identity] != edited[identity]}
    assert changed
    assert all('"bone1"' in path for path in changed)


@pytest.mark.parametrize("states", ["", "[1]", "{"])
def test_a_damaged_memory_counts_as_none(states):
    armature = baked_chain()
    bpy.ops.motion_editing.reduce_keys(location_error=0.01)
    action, slot = armature.animation_data.action, armature.animation_data.action_slot.identifier
    saved_state.save(action, slot, saved_state.REDUCED, {"states": states}, "")
    assert bpy.ops.motion_editing.reduce_keys(location_error=0.01) == {"FINISHED"}


def test_refusals_give_their_reason():
    with pytest.raises(RuntimeError, match="Select an armature"):
        bpy.ops.motion_editing.reduce_keys()
    armature = baked_chain(1)
    curves_of(armature)[0].lock = True
    before = all_keys(armature.animation_data.action)
    with pytest.raises(RuntimeError, match="is locked"):
        bpy.ops.motion_editing.reduce_keys()
    assert all_keys(armature.animation_data.action) == before


@pytest.mark.parametrize(
    "name", ["cmu_09_01_run", "fair1_jumping_zup", "quad_horse_walk", "rokoko_jesse_dance_fingers"]
)
def test_bounds_hold_on_captured_clips(clips_folder, name):
    bpy.ops.import_anim.bvh(filepath=str(clips_folder / "dev" / f"{name}.bvh"))
    armature = bpy.context.object
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 2, 160
    clip = scope.read_clip(bpy.context, armature, choice="SCENE")
    height = np.ptp(clip.motion.poses.positions[0], axis=0).max()
    bpy.ops.motion_editing.reduce_keys(range="SCENE", location_error=height / 200)
    after = scope.read_clip(bpy.context, armature, choice="SCENE").motion
    assert np.degrees(quaternion.angle_between(clip.motion.rotations, after.rotations)).max() <= 0.5
    assert np.linalg.norm(clip.motion.poses.positions - after.poses.positions, axis=-1).max() <= height / 200
