"""Layers through the operators: keyed, weakened, ordered, merged, moved."""

import bpy
import numpy as np
import pytest
from layered_sample import BONE, FRAME, bone_at, keyed_layer, keys_of, motion_of, rows_of, turn
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.layers import session


@pytest.fixture
def sample(empty_scene):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.context.scene.frame_set(FRAME)
    return bpy.context.object


def test_a_new_layer_changes_no_key(sample):
    before = keys_of(sample)
    assert bpy.ops.motion_editing.add_layer(name="Wave") == {"FINISHED"}
    assert keys_of(sample) == before
    assert [row.name for row in rows_of(sample)] == ["Wave"]


def test_the_result_at_the_key_is_the_pose_and_dies_away(sample):
    before = motion_of(sample)
    wanted = keyed_layer(sample, reach=0.5)
    after = motion_of(sample)
    joint = before.skeleton.index[BONE]
    assert quaternion.angle_between(bone_at(sample, FRAME), wanted) < 1e-5
    turned = quaternion.angle_between(before.rotations[:, joint], after.rotations[:, joint])
    changed = before.times[turned > 1e-6] * 30.0
    assert FRAME - 15.0 <= changed.min() < changed.max() <= FRAME + 15.0
    others = np.arange(len(before.skeleton)) != joint
    assert np.array_equal(before.rotations[:, others], after.rotations[:, others])
    assert np.array_equal(before.locations, after.locations)


def test_muting_and_no_influence_bring_back_every_key(sample):
    before = keys_of(sample)
    keyed_layer(sample)
    changed = keys_of(sample)
    row = rows_of(sample)[0]
    for name, value, back in (("muted", True, False), ("influence", 0.0, 1.0)):
        setattr(row, name, value)
        assert keys_of(sample) == before, name
        setattr(row, name, back)
        assert keys_of(sample) == changed, name
    bpy.ops.motion_editing.remove_layer()
    assert keys_of(sample) == before
    assert not rows_of(sample)
    assert session.load(sample) is None


def test_half_the_influence_is_half_the_turn(sample):
    rest = bone_at(sample, FRAME)
    wanted = keyed_layer(sample)
    rows_of(sample)[0].influence = 0.5
    half = quaternion.slerp(rest[None], wanted[None], np.array([0.5]))[0]
    assert quaternion.angle_between(bone_at(sample, FRAME), half) < 1e-5


def test_influence_is_keyed_along_time(sample):
    wanted = keyed_layer(sample, whole=True)
    rows_of(sample)[0].muted = True
    below = {frame: bone_at(sample, frame) for frame in (40, 60, 80)}
    rows_of(sample)[0].muted = False
    bpy.ops.motion_editing.key_layer_influence(frame=40, value=0.0)
    bpy.ops.motion_editing.key_layer_influence(frame=80, value=1.0)
    turns = [quaternion.angle_between(below[frame], bone_at(sample, frame)) for frame in (40, 60, 80)]
    assert turns == pytest.approx([0.0, 0.4, 0.8], abs=1e-4)
    bpy.context.scene.frame_set(60)
    assert rows_of(sample)[0].influence == pytest.approx(0.5)
    rows_of(sample)[0].influence = 1.0
    assert quaternion.angle_between(bone_at(sample, 60), wanted) < 1e-5
    for frame in (40, 60, 80):
        bpy.ops.motion_editing.key_layer_influence(frame=frame, remove=True)
    assert len(rows_of(sample)[0].influence_keys) == 1
    with pytest.raises(RuntimeError, match="has no key at frame 40"):
        bpy.ops.motion_editing.key_layer_influence(frame=40, remove=True)


def test_a_pose_with_layers_above_is_met_exactly(sample):
    keyed_layer(sample, name="Low")
    keyed_layer(sample, frame=FRAME + 4, name="High")
    bpy.context.scene.frame_set(FRAME + 2)
    wanted = turn(sample)
    bpy.ops.motion_editing.key_layer(layer="Low")
    assert quaternion.angle_between(bone_at(sample, FRAME + 2), wanted) < 1e-5
    assert rows_of(sample)[1].key_frames == "60, 62"


def test_solo_order_and_duplicates(sample):
    low = keyed_layer(sample, name="Low")
    keyed_layer(sample, name="High")
    both = motion_of(sample)
    rows_of(sample)[1].solo = True
    assert sample.animation_data.action.motion_editing_layers.active == 0, "a click on a star picks no layer"
    assert quaternion.angle_between(bone_at(sample, FRAME), low) < 1e-5
    rows_of(sample)[1].solo = False
    bpy.ops.motion_editing.move_layer(layer="Low", direction="UP")
    assert [row.name for row in rows_of(sample)] == ["Low", "High"]
    with pytest.raises(RuntimeError, match="already the top layer"):
        bpy.ops.motion_editing.move_layer(layer="Low", direction="UP")
    bpy.ops.motion_editing.duplicate_layer(layer="Low")
    assert [row.name for row in rows_of(sample)] == ["Low.001", "Low", "High"]
    bpy.ops.motion_editing.remove_layer(layer="Low.001")
    bpy.ops.motion_editing.move_layer(layer="Low", direction="DOWN")
    assert np.array_equal(motion_of(sample).rotations, both.rotations)


def test_renaming_to_a_taken_name_is_refused_in_the_panel(sample):
    keyed_layer(sample, name="Low")
    keyed_layer(sample, name="High")
    before = keys_of(sample)
    rows_of(sample)[0].name = "Low"
    settings = sample.animation_data.action.motion_editing_layers
    assert "two layers 'Low'" in settings.problem
    assert rows_of(sample)[0].name == "High"
    assert keys_of(sample) == before
    rows_of(sample)[0].name = "Top"
    assert settings.problem == ""
    assert [layer.name for layer in session.load(sample).layers] == ["Low", "Top"]


def test_scope_in_frames(sample):
    keyed_layer(sample)
    muted_at = bone_at(sample, FRAME - 30)
    row = rows_of(sample)[0]
    assert (row.start, row.end) == pytest.approx((FRAME - 15, FRAME + 15))
    row.start, row.ease_in = FRAME - 40, 5.0
    assert quaternion.angle_between(muted_at, bone_at(sample, FRAME - 30)) == pytest.approx(0.8, abs=1e-4)
    row.end = row.start - 10
    assert "begin before it ends" in sample.animation_data.action.motion_editing_layers.problem
    assert row.end == pytest.approx(FRAME + 15)


def test_merging_keeps_the_motion(sample):
    keyed_layer(sample, name="Low")
    keyed_layer(sample, frame=FRAME + 6, name="High")
    shown, keys = motion_of(sample), keys_of(sample)
    bpy.ops.motion_editing.merge_layer(layer="High")
    assert [row.name for row in rows_of(sample)] == ["Low"]
    assert quaternion.angle_between(shown.rotations, motion_of(sample).rotations).max() < 1e-6
    bpy.ops.motion_editing.merge_layer()
    assert session.load(sample) is None
    assert not rows_of(sample)
    assert quaternion.angle_between(shown.rotations, motion_of(sample).rotations).max() < 1e-6
    assert keys_of(sample).keys() == keys.keys()


def test_merging_all_changes_no_key_and_keeps_what_is_muted(sample):
    keyed_layer(sample, name="Low")
    keyed_layer(sample, name="High")
    rows_of(sample)[0].muted = True
    keys = keys_of(sample)
    bpy.ops.motion_editing.merge_all_layers()
    assert keys_of(sample) == keys
    assert [(row.name, row.muted) for row in rows_of(sample)] == [("High", True)]
    rows_of(sample)[0].muted = False
    assert keys_of(sample) != keys
    bpy.ops.motion_editing.merge_all_layers()
    assert session.load(sample) is None


def test_neutral_keys_and_deleted_keys(sample):
    rest = bone_at(sample, FRAME + 10)
    wanted = keyed_layer(sample, whole=True)
    bpy.ops.motion_editing.key_layer_neutral(frame=FRAME + 10)
    assert quaternion.angle_between(bone_at(sample, FRAME + 10), rest) < 1e-6
    assert quaternion.angle_between(bone_at(sample, FRAME), wanted) < 1e-5
    bpy.ops.motion_editing.unkey_layer(frame=FRAME + 10)
    assert quaternion.angle_between(bone_at(sample, FRAME + 10), rest) == pytest.approx(0.8, abs=1e-4)
    with pytest.raises(RuntimeError, match="only key"):
        bpy.ops.motion_editing.unkey_layer(frame=FRAME)
    with pytest.raises(RuntimeError, match="no key at frame 3"):
        bpy.ops.motion_editing.unkey_layer(frame=3)


def test_retiming_a_layer(sample):
    keyed_layer(sample)
    key = FRAME + 45  # 15 frames after its start, twice as long and 30 frames later
    below = bone_at(sample, key)
    before = session.load(sample).layers[0]
    bpy.ops.motion_editing.retime_layer(offset=30, stretch=2.0)
    after = session.load(sample).layers[0]
    assert after.start == pytest.approx(before.start + 1.0)
    assert after.end - after.start == pytest.approx(2.0 * (before.end - before.start))
    assert quaternion.angle_between(below, bone_at(sample, key)) == pytest.approx(0.8, abs=1e-4)


def test_mirroring_a_layer(sample):
    keyed_layer(sample)
    bpy.ops.motion_editing.mirror_layer(copy=True)
    assert session.load(sample).layers[1].joints == ("upper_arm.L",)
    bpy.ops.motion_editing.mirror_layer(copy=False)
    assert session.load(sample).layers[1].joints == (BONE,)


def test_a_layer_of_another_armature_is_found_by_names(sample):
    wave = keyed_layer(sample, name="Wave")
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    other = bpy.context.object
    assert other != sample
    bpy.context.view_layer.objects.active = sample
    bpy.ops.motion_editing.copy_layer(target=other.name)
    assert [layer.name for layer in session.load(other).layers] == ["Wave"]
    assert quaternion.angle_between(bone_at(other, FRAME), wave) < 1e-5
    with pytest.raises(RuntimeError, match="second armature"):
        bpy.ops.motion_editing.copy_layer(target="Nobody")


def test_limiting_to_selected_bones(sample):
    bpy.ops.motion_editing.add_layer()
    turn(sample)
    head = turn(sample, "head")
    bpy.ops.motion_editing.key_layer()
    assert sorted(session.load(sample).layers[0].joints) == ["head", BONE]
    with pytest.raises(RuntimeError, match="Select the bones"):
        bpy.ops.motion_editing.limit_layer()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name == "head")
    bpy.ops.motion_editing.limit_layer()
    assert session.load(sample).layers[0].joints == ("head",)
    assert quaternion.angle_between(bone_at(sample, FRAME, "head"), head) < 1e-5
