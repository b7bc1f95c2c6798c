"""Layers whose channels were muted, locked, deleted or renamed meanwhile: the mode can always be left."""

import bpy
import numpy as np
import pytest
from layered_sample import BONE, FRAME, bone_at, keyed_layer, keys_of, rows_of, turn
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.layers import session
from motion_editing.motion_editing_addon.layers.layer_operator import is_editing
from rigs import mute, unmute

OTHER = "upper_arm.L"


@pytest.fixture
def sample():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.context.scene.frame_set(FRAME)
    return bpy.context.object


def curves_of(armature, bone):
    return [curve for curve in action_io.channelbag(armature).fcurves if f'"{bone}"' in curve.data_path]


def edit(armature):
    """A layer that is being edited; gives the keys from before."""
    keyed_layer(armature)
    before = keys_of(armature)
    assert bpy.ops.motion_editing.edit_layer() == {"FINISHED"}
    return before


def lock(armature):
    for curve in curves_of(armature, BONE):
        curve.lock = True


def lock_group(armature):
    action_io.channelbag(armature).groups[BONE].lock = True


def delete(armature):
    for curve in curves_of(armature, OTHER):
        action_io.channelbag(armature).fcurves.remove(curve)


def rename(armature):
    armature.data.bones[BONE].name = "Arm"


def delete_bone(armature):
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("hand.R", "forearm.R", BONE):
        armature.data.edit_bones.remove(armature.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")


HINDRANCES = {
    "one muted": lambda armature: mute(armature, f'"{BONE}"', index=2),
    "another one muted": lambda armature: mute(armature, f'"{OTHER}"', index=2),
    "a group muted": lambda armature: mute(armature, f'"{BONE}"'),
    "all muted": lambda armature: mute(armature, ""),
    "locked": lock,
    "group locked": lock_group,
    "deleted": delete,
    "renamed": rename,
    "bone deleted": delete_bone,
}


@pytest.mark.parametrize("hindrance", HINDRANCES)
def test_the_mode_can_be_left_by_cancelling(sample, hindrance):
    edit(sample)
    HINDRANCES[hindrance](sample)
    assert bpy.ops.motion_editing.cancel_layer_edit() == {"FINISHED"}
    assert not is_editing(sample)


@pytest.mark.parametrize("hindrance", [each for each in HINDRANCES if each != "all muted"])
def test_the_mode_can_be_left_by_applying(sample, hindrance):
    edit(sample)
    HINDRANCES[hindrance](sample)
    assert bpy.ops.motion_editing.apply_layer_edit() == {"FINISHED"}
    assert not is_editing(sample)
    if "locked" not in hindrance:
        assert bpy.ops.motion_editing.keys_to_layer() == {"FINISHED"}


def test_what_keeps_from_applying_is_told_in_one_line(sample):
    edit(sample)
    HINDRANCES["all muted"](sample)
    with pytest.raises(RuntimeError, match="All channels of 'Sample' are muted: unmute"):
        bpy.ops.motion_editing.apply_layer_edit()


@pytest.mark.parametrize("hindrance", [lock, lock_group])
def test_what_cannot_be_brought_back_is_told_on_the_way_out(capsys, sample, hindrance):
    edit(sample)
    turn(sample, BONE)
    bpy.ops.motion_editing.key_layer()
    edited = keys_of(sample)
    hindrance(sample)
    assert bpy.ops.motion_editing.cancel_layer_edit() == {"FINISHED"}
    assert keys_of(sample) == edited
    assert f"stays as it was edited: The channel 'rotation quaternion of {BONE}' is locked" in capsys.readouterr().out


@pytest.mark.parametrize("bone", [BONE, OTHER])
def test_a_muted_channel_stays_as_it_is_and_the_rest_is_brought_back(sample, bone):
    before = edit(sample)
    turn(sample, OTHER)
    turn(sample, "head")
    assert bpy.ops.motion_editing.key_layer() == {"FINISHED"}
    edited = keys_of(sample)
    muted = mute(sample, f'"{bone}"', "rotation", index=1)
    assert bpy.ops.motion_editing.cancel_layer_edit() == {"FINISHED"}
    after = keys_of(sample)
    assert {key: after[key] for key in muted} == {key: edited[key] for key in muted}
    whole = {key for key in after if f'"{bone}"' in key[1]}
    assert {key: after[key]["co"] for key in after if key not in whole} == {
        key: before[key]["co"] for key in before if key not in whole
    }


def test_what_is_left_out_is_told(capsys, sample):
    edit(sample)
    mute(sample, f'"{BONE}"', index=2)
    bpy.ops.motion_editing.apply_layer_edit()
    assert f"1 muted channel was left out: 'rotation quaternion of {BONE}'" in capsys.readouterr().out


def test_a_pose_is_taken_up_although_a_channel_was_muted(sample):
    edit(sample)
    mute(sample, f'"{OTHER}"', index=1)
    bpy.context.view_layer.update()
    wanted = turn(sample, "head")
    assert bpy.ops.motion_editing.apply_layer_edit() == {"FINISHED"}
    assert quaternion.angle_between(bone_at(sample, FRAME, "head"), wanted) < 1e-5


def test_a_renamed_bone_keeps_its_keys_and_its_layer(sample):
    wanted = keyed_layer(sample)
    before = keys_of(sample)
    rename(sample)
    assert bpy.ops.motion_editing.keys_to_layer() == {"FINISHED"}
    assert session.load(sample).layers[0].joints == ("Arm",)
    renamed = {key[1].replace("Arm", BONE): keys["co"] for key, keys in keys_of(sample).items()}
    assert renamed.keys() == {key[1] for key in before}
    assert quaternion.angle_between(bone_at(sample, FRAME, "Arm"), wanted) < 1e-5
    rows_of(sample)[0].muted = True
    assert quaternion.angle_between(bone_at(sample, FRAME, "Arm"), wanted) > 0.5
    rows_of(sample)[0].muted = False
    assert quaternion.angle_between(bone_at(sample, FRAME, "Arm"), wanted) < 1e-5


def test_a_deleted_bone_leaves_the_other_layers_editable(sample):
    keyed_layer(sample)
    bpy.ops.motion_editing.add_layer(name="Head")
    turn(sample, "head")
    bpy.ops.motion_editing.key_layer()
    delete_bone(sample)
    bpy.context.view_layer.objects.active = sample
    assert bpy.ops.motion_editing.keys_to_layer(layer="Head") == {"FINISHED"}


def test_unmuted_again_the_layer_goes_on(sample):
    edit(sample)
    mute(sample, f'"{BONE}"', index=2)
    bpy.ops.motion_editing.apply_layer_edit()
    unmute(sample)
    wanted = bone_at(sample, FRAME)
    assert bpy.ops.motion_editing.rebuild_layers() == {"FINISHED"}
    assert quaternion.angle_between(bone_at(sample, FRAME), wanted) < 1e-5
    rows_of(sample)[0].muted = True
    assert np.abs(bone_at(sample, FRAME) - wanted).max() > 0.1
