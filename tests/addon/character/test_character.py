"""The character set-up saved with the armature."""

import bpy
import pytest
from motion_editing.core.body import LimbKind, Side
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.character.panel import rows
from motion_editing.motion_editing_addon.document.character.saved_body import body_of, saved_body


def test_parts_of_the_sample_character_are_found_and_saved():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    assert bpy.ops.motion_editing.find_character() == {"FINISHED"}
    body, gone = saved_body(bpy.context.object)
    names = body.skeleton.names
    assert not gone
    assert {names[joint] for joint in body.hands} == {"hand.L", "hand.R"}
    assert {names[joint] for joint in body.feet} == {"foot.L", "foot.R"}
    assert names[body.head] == "head"
    assert 1.5 < body.height < 2.0


def test_a_correction_is_kept_through_saving_and_loading(tmp_path):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.find_character()
    assert bpy.ops.motion_editing.set_role(role="head", bones="neck") == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "character.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "character.blend"))
    body = body_of(bpy.data.objects["Sample"])
    assert body.skeleton.names[body.head] == "neck"


def test_renamed_bones_are_noticed():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.find_character()
    armature = bpy.context.object
    armature.data.bones["head"].name = "skull"
    body, gone = saved_body(armature)
    assert gone == ("head",)
    assert body.head is None


def test_unknown_parts_and_bones_are_refused():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    with pytest.raises(RuntimeError, match="cannot be set"):
        bpy.ops.motion_editing.set_role(role="antenna", bones="head")
    with pytest.raises(RuntimeError, match="no bone 'nobody'"):
        bpy.ops.motion_editing.set_role(role="head", bones="nobody")


def test_several_selected_bones_are_all_kept():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.find_character()
    armature = bpy.context.object
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    for name in ("foot.L", "foot.R"):
        select(armature.pose.bones[name])
    assert bpy.ops.motion_editing.set_role(role="left foot") == {"FINISHED"}
    body = body_of(armature)
    assert [body.skeleton.names[limb.end] for limb in body.limbs_of(LimbKind.LEG, side=Side.LEFT)] == [
        "foot.L",
        "foot.R",
    ]
    assert ("left foot 2", "foot.R") in rows(armature.motion_editing.body)
    with pytest.raises(RuntimeError, match="The head is one bone, and 2 are chosen: select one"):
        bpy.ops.motion_editing.set_role(role="head")
