"""Layers follow whatever other tools and hands do to the motion between two edits of them."""

import bpy
import numpy as np
import pytest
from layered_sample import BONE, FRAME, bone_at, keyed_layer, keys_of, motion_of, rows_of, sparse_rig, turn
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.layers import session

OPERATORS = bpy.ops.motion_editing


@pytest.fixture
def sample(empty_scene):
    OPERATORS.load_sample_motion(rate=30)
    bpy.context.scene.frame_set(FRAME)
    return bpy.context.object


def turned(before, after, bone=None):
    angles = quaternion.angle_between(before.rotations, after.rotations)
    return angles if bone is None else angles[:, before.skeleton.index[bone]]


def only_layer(armature):
    (layer,) = session.load(armature).layers
    return layer


def test_a_filter_below_layers(sample):
    OPERATORS.low_pass(cutoff=1.5)
    smooth = motion_of(sample)
    OPERATORS.restore_original()
    keyed_layer(sample)
    layered = motion_of(sample)
    OPERATORS.low_pass(cutoff=1.5)
    both = motion_of(sample)
    assert turned(layered, both).max() > 0.02
    rows_of(sample)[0].influence = 0.0
    assert not sample.animation_data.action.motion_editing_layers.problem
    now = motion_of(sample)
    assert turned(both, now, "head").max() < 1e-4
    assert turned(both, now, BONE).max() > 0.5
    assert turned(smooth, now, "foot.L").max() < 1e-3


def test_key_layer_after_a_filter_keeps_the_filter(sample):
    keyed_layer(sample)
    OPERATORS.low_pass(cutoff=1.5)
    both = motion_of(sample)
    bpy.context.scene.frame_set(FRAME + 8)
    wanted = turn(sample)
    OPERATORS.key_layer()
    assert quaternion.angle_between(bone_at(sample, FRAME + 8), wanted) < 1e-4
    assert turned(both, motion_of(sample), "head").max() < 1e-4


def test_key_layer_after_auto_keying_takes_the_pose_into_the_layer(sample):
    keyed_layer(sample)
    before = motion_of(sample)
    bpy.context.scene.frame_set(FRAME + 8)
    wanted = turn(sample)
    sample.pose.bones[BONE].keyframe_insert("rotation_quaternion", frame=FRAME + 8)
    OPERATORS.key_layer()
    assert rows_of(sample)[0].key_frames == f"{FRAME}, {FRAME + 8}"
    assert quaternion.angle_between(bone_at(sample, FRAME + 8), wanted) < 1e-5
    rows_of(sample)[0].muted = True
    assert turned(before, motion_of(sample), "head").max() < 1e-6


@pytest.mark.parametrize("length", [0.5, 2.0])
def test_a_warp_moves_layers(sample, length):
    keyed_layer(sample, reach=0.5)
    before = motion_of(sample)
    OPERATORS.warp_time(length=length)
    warped, layer = motion_of(sample), only_layer(sample)
    (time,) = layer.times
    assert layer.start < time < layer.end
    assert turned(before.at([FRAME / 30.0]), warped.at([time])).max() < 0.1, "the same moment"
    rows_of(sample)[0].muted = True
    without = turned(warped, motion_of(sample), BONE)
    assert without.argmax() == pytest.approx(np.abs(warped.times - time).argmin(), abs=1)
    assert without.max() == pytest.approx(0.8, abs=0.02)
    rows_of(sample)[0].muted = False
    assert turned(warped, motion_of(sample)).max() < 1e-4


def test_reversed_layers(sample):
    keyed_layer(sample, reach=0.5)
    before, layer = motion_of(sample), only_layer(sample)
    OPERATORS.reverse_time()
    after = only_layer(sample)
    ends = before.times[0] + before.times[-1]
    assert (after.start, after.end) == pytest.approx((ends - layer.end, ends - layer.start), abs=1e-5)
    assert after.times[0] == pytest.approx(ends - layer.times[0], abs=1e-5)
    back = motion_of(sample)
    rows_of(sample)[0].influence = 1.0
    OPERATORS.duplicate_layer()
    OPERATORS.remove_layer()
    assert turned(back, motion_of(sample)).max() < 1e-4


def test_a_mirror_exchanges_the_sides_of_layers(sample):
    keyed_layer(sample, reach=0.5)
    layer = only_layer(sample)
    mirrored = BONE.replace(".R", ".L")
    OPERATORS.mirror_motion()
    seen, after = motion_of(sample), only_layer(sample)
    changed = {name for name, turns in zip(after.joints, after.turns[0], strict=True) if np.abs(turns).max() > 0.1}
    assert changed == {mirrored}
    assert (after.start, after.end) == (layer.start, layer.end)
    rows_of(sample)[0].muted = True
    assert turned(seen, motion_of(sample), mirrored).max() == pytest.approx(0.8, abs=0.02)
    assert turned(seen, motion_of(sample), BONE).max() < 1e-3


def test_layers_of_other_bones_stay_when_some_are_retimed(sample):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name == BONE)
    keyed_layer(sample, reach=0.5)
    start = only_layer(sample).start
    for bone in sample.pose.bones:
        select(bone, bone.name == "head")
    OPERATORS.shift_time(offset=0.5)
    assert only_layer(sample).start == start
    for bone in sample.pose.bones:
        select(bone, bone.name == BONE)
    OPERATORS.shift_time(offset=0.5)
    assert only_layer(sample).start == pytest.approx(start + 0.5, abs=1e-5)


def test_sparse_keys_changed_by_hand_are_taken_over(empty_scene):
    armature = sparse_rig()
    bpy.context.scene.frame_set(30)
    OPERATORS.add_layer(reach=0.4)
    turn(armature, "bone1")
    OPERATORS.key_layer()
    curve = action_io.channelbag(armature).fcurves.find('pose.bones["bone2"].rotation_quaternion', index=2)
    curve.keyframe_points[-1].co[1] += 0.2
    curve.update()
    mine = motion_of(armature)
    rows_of(armature)[0].muted = True
    now = motion_of(armature)
    assert turned(mine, now, "bone2").max() < 1e-4
    assert turned(mine, now, "bone1").max() == pytest.approx(0.8, abs=0.02)


def test_a_filter_while_a_layer_is_edited_goes_below(sample):
    from motion_editing.motion_editing_addon.layers.mode import layer_mode

    keyed_layer(sample)
    bpy.ops.object.mode_set(mode="POSE")
    OPERATORS.edit_layer()
    for bone in sample.pose.bones:
        select(bone, True)
    OPERATORS.low_pass(cutoff=1.5)
    smooth = motion_of(sample)
    layer_mode.take_up_keys()
    assert not sample.animation_data.action.motion_editing_layers.problem
    assert turned(smooth, motion_of(sample)).max() < 1e-4
    assert len(only_layer(sample).times) == 1


def test_the_original_comes_back_without_layers_that_it_did_not_have(sample):
    before = keys_of(sample)
    keyed_layer(sample)
    OPERATORS.warp_time(length=0.5)
    OPERATORS.restore_original()
    assert session.load(sample) is None
    assert not rows_of(sample)
    assert {key: value["co"] for key, value in keys_of(sample).items()} == {
        key: value["co"] for key, value in before.items()
    }


def test_the_original_comes_back_with_its_layers(sample):
    wanted = keyed_layer(sample)
    action = scope.action_of(sample)
    original, action.motion_editing.original = action.motion_editing.original, None
    bpy.data.actions.remove(original)
    OPERATORS.warp_time(length=0.5)
    OPERATORS.restore_original()
    assert rows_of(sample)[0].key_frames == str(FRAME)
    rows_of(sample)[0].muted = True
    rows_of(sample)[0].muted = False
    assert quaternion.angle_between(bone_at(sample, FRAME), wanted) < 1e-5
