"""Flaws of captured motion: listed with their frames, gone to by a click, put right all or some."""

import bpy
import numpy as np
import pytest
from mathutils import Quaternion, Vector
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from rigs import all_keys


def sample():
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def bone_of(armature):
    """A bone in the middle of the body."""
    return next(bone.name for bone in armature.pose.bones if bone.parent and bone.children)


def curves(armature, bone, prop="rotation"):
    return [
        curve
        for curve in action_io.channelbag(armature).fcurves
        if f'"{bone}"' in curve.data_path and prop in curve.data_path
    ]


def add_spike(armature, bone, frame):
    """Turn a bone by a radian for one frame."""
    for curve in curves(armature, bone):
        key = next(key for key in curve.keyframe_points if key.co.x == frame)
        key.co.y += 0.6
        curve.update()


def add_flip(armature, bone, frame):
    """Turn round the signs of a quaternion from a frame on."""
    for curve in curves(armature, bone):
        for key in curve.keyframe_points:
            if key.co.x >= frame:
                key.co.y = -key.co.y
        curve.update()


def found(armature):
    return [
        (item.kind, item.bone, item.first, item.last)
        for item in armature.animation_data.action.motion_editing_flaws.found
    ]


def motion_of(armature):
    return action_io.read(armature, rate=24.0).motion


def test_a_spike_is_found_shown_and_repaired():
    armature = sample()
    clean, bone = motion_of(armature), bone_of(armature)
    add_spike(armature, bone, 40)
    bpy.context.scene.frame_set(7)
    keys = all_keys(armature.animation_data.action)
    assert bpy.ops.motion_editing.find_flaws(below_floor=False, gaps=False) == {"FINISHED"}
    assert all_keys(armature.animation_data.action) == keys
    assert bpy.context.scene.frame_current == 7
    assert ("SPIKE", bone, 40.0, 40.0) in found(armature)

    flaws = armature.animation_data.action.motion_editing_flaws
    flaws.active = next(number for number, item in enumerate(flaws.found) if item.bone == bone)
    assert bpy.context.scene.frame_current == 40

    spiked = motion_of(armature)
    bpy.ops.motion_editing.repair_flaws(which="ACTIVE")
    mended, joint = motion_of(armature), clean.skeleton.index[bone]
    assert quaternion.angle_between(spiked.rotations[39, joint], clean.rotations[39, joint]) > 0.3
    assert quaternion.angle_between(mended.rotations[39, joint], clean.rotations[39, joint]) < 0.05
    others = np.delete(np.arange(len(clean)), 39)
    np.testing.assert_array_equal(mended.rotations[others], spiked.rotations[others])
    assert ("SPIKE", bone, 40.0, 40.0) not in found(armature)


def test_flips_are_found_and_turned_back_without_moving_a_bone():
    armature = sample()
    bone = bone_of(armature)
    before = motion_of(armature)
    add_flip(armature, bone, 30)
    bpy.ops.motion_editing.find_flaws(spikes=False, gaps=False, below_floor=False)
    assert found(armature) == [("JUMP", bone, 30.0, 30.0)]
    bpy.ops.motion_editing.repair_flaws()
    assert found(armature) == []
    assert quaternion.angle_between(motion_of(armature).rotations, before.rotations).max() < 1e-6
    values = np.array([[key.co.y for key in curve.keyframe_points] for curve in curves(armature, bone)]).T
    assert ((values[1:] * values[:-1]).sum(axis=1) > 0.0).all()


def test_feet_are_lifted_out_of_the_floor():
    armature = sample()
    root = armature.pose.bones[0]
    up = root.bone.matrix_local.to_3x3().inverted() @ Vector((0.0, 0.0, 1.0))
    for curve in curves(armature, root.name, "location"):
        for key in curve.keyframe_points:
            if 50 <= key.co.x <= 56:
                key.co.y -= 0.15 * up[curve.array_index]
        curve.update()
    bpy.ops.motion_editing.find_flaws(spikes=False, gaps=False, flips=False)
    low = found(armature)
    assert low
    assert {kind for kind, *_ in low} == {"BELOW_FLOOR"}
    bpy.ops.motion_editing.repair_flaws()
    bpy.ops.motion_editing.find_flaws(spikes=False, gaps=False, flips=False, tolerance=0.02)
    assert found(armature) == []


def test_only_what_is_ticked_is_repaired():
    armature = sample()
    bone = bone_of(armature)
    for frame in (20, 60):
        add_spike(armature, bone, frame)
    bpy.ops.object.mode_set(mode="POSE")
    for each in armature.pose.bones:
        select(each, each.name == bone)
    bpy.ops.motion_editing.find_flaws(below_floor=False, gaps=False)
    assert [each[2] for each in found(armature)] == [20.0, 60.0]
    armature.animation_data.action.motion_editing_flaws.found[0].ticked = False
    before = motion_of(armature)
    bpy.ops.motion_editing.repair_flaws(which="TICKED")
    changed = np.flatnonzero((motion_of(armature).rotations != before.rotations).any(axis=(1, 2))) + 1
    assert changed.tolist() == [60]
    # What is left can still be repaired: its frames are those of the keys as they are now.
    bpy.ops.motion_editing.repair_flaws()
    assert found(armature) == []


def turn_at(armature, bone, frame, turn):
    """Turn a bone by a quaternion, before its own rotation, for one frame."""
    own = curves(armature, bone)
    keys = [next(key for key in curve.keyframe_points if key.co.x == frame) for curve in own]
    for key, value in zip(keys, turn @ Quaternion([key.co.y for key in keys]), strict=True):
        key.co.y = value
    for curve in own:
        curve.update()


def test_a_repair_that_would_be_worse_is_left_out_and_stays_in_the_list():
    """An upper arm is off and the forearm turns it back: with the upper arm alone put right the hand would jump."""
    armature = sample()
    upper, lower = (armature.pose.bones[name] for name in ("upper_arm.L", "forearm.L"))
    off = Quaternion((0.0, 0.0, 1.0), 0.5)
    between = (upper.bone.matrix_local.inverted() @ lower.bone.matrix_local).to_quaternion()
    basis = Quaternion(motion_of(armature).rotations[59, motion_of(armature).skeleton.index[upper.name]])
    turn_at(armature, upper.name, 60, off)
    turn_at(armature, lower.name, 60, between.inverted() @ basis.inverted() @ off.inverted() @ basis @ between)
    bpy.ops.object.mode_set(mode="POSE")
    for each in armature.pose.bones:
        select(each, each.name == upper.name)
    bpy.ops.motion_editing.find_flaws(below_floor=False, gaps=False, flips=False)
    listed, before = found(armature), motion_of(armature).rotations
    assert [(name, first) for _, name, first, _ in listed] == [(upper.name, 60.0)]
    bpy.ops.motion_editing.repair_flaws()
    assert found(armature) == listed
    np.testing.assert_array_equal(motion_of(armature).rotations, before)
    select(lower)
    bpy.ops.motion_editing.find_flaws(below_floor=False, gaps=False, flips=False)
    assert len(found(armature)) == 2
    bpy.ops.motion_editing.repair_flaws()
    assert found(armature) == []


def test_a_clean_motion_has_nothing_to_repair():
    armature = sample()
    bpy.ops.motion_editing.find_flaws()
    assert found(armature) == []
    with pytest.raises(RuntimeError, match="use Find Flaws first"):
        bpy.ops.motion_editing.repair_flaws()


def test_flaws_found_before_another_edit_are_repaired_where_they_are_now():
    armature = sample()
    clean, bone = motion_of(armature), bone_of(armature)
    joint = clean.skeleton.index[bone]
    add_spike(armature, bone, 40)
    bpy.ops.motion_editing.find_flaws(below_floor=False)
    bpy.ops.motion_editing.shift_time(offset=1.0)
    spiked = motion_of(armature).rotations[39, joint]
    assert quaternion.angle_between(spiked, clean.rotations[39, joint]) > 0.1
    bpy.ops.motion_editing.repair_flaws()
    assert found(armature) == []
    assert quaternion.angle_between(motion_of(armature).rotations[39, joint], clean.rotations[39, joint]) < 0.1


@pytest.mark.parametrize("kind", ["MEDIAN", "TRIMMED"])
def test_outliers_go_and_radius_zero_changes_nothing(kind):
    armature = sample()
    clean, bone = motion_of(armature), bone_of(armature)
    joint = clean.skeleton.index[bone]
    add_spike(armature, bone, 40)
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.remove_outliers(kind=kind, radius=0)
    assert all_keys(armature.animation_data.action) == before
    bpy.ops.motion_editing.remove_outliers(kind=kind, radius=2)
    assert quaternion.angle_between(motion_of(armature).rotations[39, joint], clean.rotations[39, joint]) < 0.1


def clip_with_flaws(clips_folder, name):
    """A captured clip, imported, with its flaws listed."""
    bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / f"{name}.bvh"))
    bpy.ops.motion_editing.find_flaws()
    return bpy.context.object


@pytest.mark.parametrize(
    "name", ["corpus/cmu_03_02", "corpus/cmu_07_05", "corpus/cmu_28_09", "corpus/cmu_02_04", "dev/cmu_138_01_march"]
)
def test_toes_that_stand_are_no_gaps(clips_folder, name):
    listed = found(clip_with_flaws(clips_folder, name))
    assert [entry for entry in listed if entry[0] == "HELD" and "Toe" in entry[1]] == []


@pytest.mark.parametrize("name", ["cmu_07_05", "cmu_18_10", "cmu_140_04", "cmu_49_03"])
def test_repaired_knees_turn_no_faster_than_they_did(clips_folder, name):
    armature = clip_with_flaws(clips_folder, f"corpus/{name}")
    before = motion_of(armature).rotations
    bpy.ops.motion_editing.repair_flaws()
    after = motion_of(armature).rotations
    fastest = [quaternion.angle_between(each[2:], each[1:-1]).max(axis=0) for each in (before, after)]
    assert (after != before).any()
    assert (fastest[1] <= 1.1 * fastest[0] + np.radians(1.0)).all()
