"""The character set-up asked, corrected, saved and read again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_person import person

from core.body import ROLES, Axis, Limb, LimbKind, Side, find_body, from_dict, to_dict
from core.errors import MissingRoleError
from core.skeleton import Skeleton


@pytest.mark.parametrize("role", ROLES)
def test_every_missing_role_is_refused_with_the_way_out(role: str) -> None:
    empty = find_body(Skeleton.build([], [], []))
    with pytest.raises(MissingRoleError, match=rf"^No {role} (is|are) set: choose (it|them) in the Character panel$"):
        empty.require(role)


def test_a_refusal_speaks_of_one_or_of_several() -> None:
    empty = find_body(Skeleton.build([], [], []))
    with pytest.raises(MissingRoleError, match=r"^No root is set: choose it in the Character panel$"):
        empty.require("root")
    with pytest.raises(MissingRoleError, match=r"^No feet are set: choose them in the Character panel$"):
        empty.require("feet")


def test_a_role_that_is_set_is_given() -> None:
    skeleton, number = person()
    body = find_body(skeleton)
    assert body.require("feet") == (number["left foot"], number["right foot"])
    assert body.require("left hand") == number["left hand"]
    assert body.require("up axis") is Axis.PLUS_Y
    with pytest.raises(ValueError, match="There is no role 'antlers'"):
        body.require("antlers")


def test_roles_can_be_corrected() -> None:
    skeleton, number = person()
    found = find_body(skeleton)
    body = (
        found.with_role("head", "mixamorig:Neck")
        .with_role("torso", [number["pelvis"], number["chest"]])
        .with_role("left foot", number["left toe"])
        .with_role("right arm", [number["right collar"], number["right hand"]])
        .with_role("up axis", "-Z")
        .with_role("height", 3)
        .with_role("root", None)
        .without_pair("mixamorig:LeftHand")
    )
    assert (body.head, body.root, body.up, body.height) == (number["neck"], None, Axis.MINUS_Z, 3.0)
    assert body.torso == (number["pelvis"], number["chest"])
    assert body.get("left foot") == number["left toe"]
    assert body.get("left leg").chain == found.get("left leg").chain
    assert body.get("right hand") == number["right hand"]
    assert body.get("right arm").chain == (number["right collar"], number["right hand"])
    assert body.mirror[number["left hand"]] == number["left hand"]
    again = body.with_pair("mixamorig:LeftHand", "mixamorig:RightHand")
    assert again.mirror[number["left hand"]] == number["right hand"]
    assert found.head == number["head"], "the body corrected is a new one"


def test_a_limb_can_be_added_and_taken_away() -> None:
    skeleton, number = person("plain")
    body = find_body(skeleton).with_role("tail", ["Bone.03", "Bone.04"])
    assert body.get("tail") == Limb(LimbKind.TAIL, Side.CENTRE, (number["neck"], number["head"]))
    assert body.with_role("tail", None).get("tail") is None


def test_wrong_corrections_are_refused() -> None:
    body = find_body(person()[0])
    with pytest.raises(ValueError, match="The skeleton has no joint 'Nobody'"):
        body.with_role("root", "Nobody")
    with pytest.raises(ValueError, match="The role 'feet' cannot be set; set its limbs one by one"):
        body.with_role("feet", [1, 2])
    with pytest.raises(ValueError, match="A pair needs two different joints"):
        body.with_pair(1, 1)


def test_saved_and_read_again() -> None:
    body = find_body(person()[0])
    same, dropped = from_dict(body.skeleton, to_dict(body))
    assert to_dict(same) == to_dict(body)
    assert (same.limbs, same.pairs, same.torso, dropped) == (body.limbs, body.pairs, body.torso, ())


def test_joints_that_are_gone_are_dropped_and_listed() -> None:
    body = find_body(person()[0])
    renamed = {"mixamorig:LeftHand": "Claw", "mixamorig:Head": "Skull"}
    changed = replace(body.skeleton, names=tuple(renamed.get(name, name) for name in body.skeleton.names))
    read, dropped = from_dict(changed, to_dict(body))
    assert set(dropped) == set(renamed)
    assert read.head is None
    assert (read.get("left hand"), len(read.get("left arm").chain)) == (None, 2)
    assert read.get("right arm") == body.get("right arm")
    assert len(read.pairs) == len(body.pairs) - 1


def test_an_empty_dictionary_is_an_empty_body() -> None:
    body, dropped = from_dict(person()[0], {})
    assert (body.root, body.limbs, body.up, dropped) == (None, (), None, ())


@pytest.mark.parametrize("data", [{"up": "sideways"}, {"limbs": [{"kind": "fin", "side": "left"}]}, {"limbs": [{}]}])
def test_words_of_another_version_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"is not a valid (Axis|LimbKind)"):
        from_dict(person()[0], data)
