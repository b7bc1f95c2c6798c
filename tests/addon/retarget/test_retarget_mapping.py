"""Which bones correspond: the list, by hand, mirrored, in files."""

from __future__ import annotations

import json

import bpy
import pytest
from motion_editing.motion_editing_addon.retarget import settings as retarget_settings
from retarget_figures import figure_like, load_walker, make_active, retargeted


@pytest.fixture
def small() -> bpy.types.Object:
    figure = figure_like(load_walker(), 0.6)
    figure.motion_editing_retarget.source = bpy.data.objects["Sample"]
    return figure


@pytest.fixture
def pairs(small):
    assert bpy.ops.motion_editing.propose_mapping() == {"FINISHED"}
    return small.motion_editing_retarget.pairs


def test_every_bone_is_listed_with_its_partner(small, pairs):
    assert [pair.bone for pair in pairs] == [bone.name for bone in small.pose.bones]
    assert all(pair.source == pair.bone and pair.reason == "same name" for pair in pairs)


def test_bones_of_other_names_are_found_as_parts_of_the_body(small):
    for bone in small.data.bones:
        bone.name = {"thigh.L": "LeftUpLeg", "shin.L": "LeftLeg", "hips": "pelvis"}.get(bone.name, bone.name)
    bpy.ops.motion_editing.propose_mapping()
    found = {pair.bone: pair for pair in small.motion_editing_retarget.pairs}
    assert (found["LeftUpLeg"].source, found["LeftUpLeg"].reason) == ("thigh.L", "like name")
    assert (found["LeftLeg"].source, found["LeftLeg"].reason) == ("shin.L", "body part")


def test_a_chosen_partner_is_free_elsewhere(pairs):
    pairs["neck"].source = "head"
    assert (pairs["neck"].reason, pairs["neck"].confidence) == ("chosen", 1.0)
    assert (pairs["head"].source, pairs["head"].reason) == ("", "")
    assert pairs["spine"].reason == "same name"


def test_what_was_chosen_stays_when_proposed_again(small, pairs):
    pairs["hand.L"].source = "fingers.L"
    bpy.ops.motion_editing.propose_mapping()
    pairs = small.motion_editing_retarget.pairs
    assert (pairs["hand.L"].source, pairs["hand.L"].reason) == ("fingers.L", "chosen")
    bpy.ops.motion_editing.propose_mapping(keep_chosen=False)
    assert small.motion_editing_retarget.pairs["hand.L"].source == "hand.L"


def test_chosen_pairs_are_mirrored(pairs):
    pairs["hand.L"].source = "fingers.L"
    bpy.ops.motion_editing.mirror_mapping()
    assert pairs["hand.R"].source == "fingers.R"
    assert pairs["fingers.R"].source == ""
    assert pairs["spine"].reason == "same name"


def test_what_was_cleared_stays_cleared_when_proposed_again_and_again(small, pairs):
    bpy.ops.motion_editing.clear_mapping(bone="hand.L")
    for _time in range(2):
        bpy.ops.motion_editing.propose_mapping()
        listed = small.motion_editing_retarget.pairs
        assert (listed["hand.L"].source, listed["hand.L"].reason) == ("", "chosen")
        assert listed["hand.R"].source == "hand.R"
    bpy.ops.motion_editing.propose_mapping(keep_chosen=False)
    assert small.motion_editing_retarget.pairs["hand.L"].source == "hand.L"


def test_what_was_cleared_is_mirrored_unless_the_other_side_was_chosen(pairs):
    for bone in ("hand.R", "shin.R"):
        bpy.ops.motion_editing.clear_mapping(bone=bone)
    pairs["shin.L"].source = "foot.L"
    bpy.ops.motion_editing.mirror_mapping()
    assert (pairs["hand.L"].source, pairs["hand.L"].reason) == ("", "chosen")
    assert (pairs["shin.L"].source, pairs["shin.R"].source) == ("foot.L", "foot.R")


def test_pairs_are_set_and_cleared_by_scripts(small, pairs):
    bpy.ops.motion_editing.set_pair(bone="neck", source_bone="head")
    assert pairs["neck"].source == "head"
    bpy.ops.motion_editing.clear_mapping(bone="neck")
    assert pairs["neck"].source == ""
    with pytest.raises(RuntimeError, match="The source has no bone 'tail'"):
        bpy.ops.motion_editing.set_pair(bone="neck", source_bone="tail")
    with pytest.raises(RuntimeError, match="The list has no bone 'tail'"):
        bpy.ops.motion_editing.clear_mapping(bone="tail")
    bpy.ops.motion_editing.clear_mapping(everything=True)
    assert not len(small.motion_editing_retarget.pairs)
    assert not bpy.ops.motion_editing.save_mapping.poll()


def test_the_list_decides(small, pairs):
    pairs["head"].source = ""
    retargeted()
    assert small.motion_editing_retarget.report.unmatched_target == "head"
    assert small.motion_editing_retarget.report.bones == 23
    assert small.motion_editing_retarget.pairs["head"].source == ""


def test_a_list_for_somebody_else_is_not_used(small, pairs):
    with retarget_settings.filling():
        for pair in pairs:
            pair.source = f"other:{pair.bone}"
    retargeted()
    assert small.motion_editing_retarget.pairs["head"].source == "head"


def test_roots_without_partner_are_refused(small, pairs):
    pairs["hips"].source = ""
    with pytest.raises(RuntimeError, match="roots 'hips' and 'hips' are no partners"):
        bpy.ops.motion_editing.retarget_motion()


def test_files_are_written_and_read(small, pairs, tmp_path):
    path = tmp_path / "mapping.json"
    pairs["neck"].source = "head"
    assert bpy.ops.motion_editing.save_mapping(filepath=str(path)) == {"FINISHED"}
    assert json.loads(path.read_text())["version"] == 1
    bpy.ops.motion_editing.propose_mapping(keep_chosen=False)
    assert bpy.ops.motion_editing.load_mapping(filepath=str(path)) == {"FINISHED"}
    pairs = small.motion_editing_retarget.pairs
    assert (pairs["neck"].source, pairs["neck"].reason, pairs["head"].source) == ("head", "chosen", "")
    assert pairs["spine"].reason == "same name"


def test_a_file_serves_a_recipe(small, pairs, tmp_path):
    path = tmp_path / "mapping.json"
    pairs["head"].source = ""
    bpy.ops.motion_editing.save_mapping(filepath=str(path))
    bpy.ops.motion_editing.clear_mapping(everything=True)
    make_active(bpy.data.objects["Sample"])
    assert bpy.ops.motion_editing.retarget_motion(target="Small", mapping_file=str(path)) == {"FINISHED"}
    assert small.motion_editing_retarget.report.unmatched_target == "head"


@pytest.mark.parametrize("text", ["", "{}", '{"pairs": [["a"]], "source": [], "target": []}', "[1]"])
def test_other_files_are_refused(small, tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(RuntimeError, match="is no mapping: choose a file that Save Mapping wrote"):
        bpy.ops.motion_editing.load_mapping(filepath=str(path))


@pytest.mark.parametrize(("owner", "whose"), [("Small", "target"), ("Sample", "source")])
def test_bones_renamed_since_are_named_with_the_way_out(small, pairs, owner, whose):
    bpy.ops.motion_editing.set_pair(bone="neck", source_bone="head")
    bpy.data.objects[owner].data.bones["hand.L"].name = "glove"
    reason = f"The list pairs 'hand.L' with 'hand.L', but the {whose} has no bone 'hand.L': press Propose Mapping"
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.motion_editing.retarget_motion()
    bpy.ops.motion_editing.propose_mapping()
    assert bpy.ops.motion_editing.retarget_motion() == {"FINISHED"}
    pairs = small.motion_editing_retarget.pairs
    assert pairs["neck"].source == "head"
    assert pairs["glove" if whose == "target" else "hand.L"].source in ("glove", "hand.L")


@pytest.mark.parametrize("owner", ["Small", "Sample"])
def test_a_list_for_other_bones_in_which_nobody_chose_anything_is_made_anew(small, pairs, owner):
    bpy.data.objects[owner].data.bones["hand.L"].name = "glove"
    assert bpy.ops.motion_editing.retarget_motion() == {"FINISHED"}
    pairs = {pair.bone: pair.source for pair in small.motion_editing_retarget.pairs}
    assert ("hand.L" in pairs, pairs["glove" if owner == "Small" else "hand.L"]) in [(False, "hand.L"), (True, "glove")]


def test_a_file_for_other_rigs_is_refused(small, tmp_path):
    path = tmp_path / "other.json"
    path.write_text('{"pairs": [["a", "b", 1.0, "chosen"]], "source": ["a"], "target": ["b"]}')
    with pytest.raises(RuntimeError, match="fits neither source nor target"):
        bpy.ops.motion_editing.load_mapping(filepath=str(path))
