"""The character set-up asked, corrected, saved and read again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_person import person

from core.body import ROLES, Axis, Body, Limb, LimbKind, Side, find_body, from_dict, to_dict
from core.errors import MissingRoleError
from core.motion.skeleton import Skeleton


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
    )
    assert (body.head, body.root, body.up, body.height) == (number["neck"], None, Axis.MINUS_Z, 3.0)
    assert body.torso == (number["pelvis"], number["chest"])
    assert body.get("left foot") == number["left toe"]
    assert body.get("left leg").chain == (*found.get("left leg").chain, number["left toe"])
    assert body.get("left leg").digits == ()
    assert body.get("right hand") == number["right hand"]
    assert body.get("right arm").chain == (number["right collar"], number["right hand"])
    other = body.with_pair("mixamorig:LeftHand", number["head"])
    assert other.mirror[number["left hand"]] == number["head"]
    assert other.mirror[number["right hand"]] == number["right hand"], "its partner is in the middle"
    again = other.with_pair("mixamorig:LeftHand", "mixamorig:RightHand")
    assert again.mirror[number["left hand"]] == number["right hand"]
    assert found.head == number["head"], "the body corrected is a new one"


def test_a_limb_can_be_added_and_taken_away() -> None:
    skeleton, number = person("plain")
    body = find_body(skeleton).with_role("tail", ["Bone.03", "Bone.04"])
    assert body.get("tail") == Limb(LimbKind.TAIL, Side.CENTRE, (number["neck"], number["head"]))
    assert body.with_role("tail", None).get("tail") is None


def _many_legged(pairs: int) -> Skeleton:
    """A trunk with legs of three joints, called by numbers alone; left is +x."""
    names, parents, places = ["trunk", "front"], [-1, 0], [(0.0, 1.0, 0.0), (0.0, 1.0, 1.0)]
    for number in range(pairs):
        for side, sign in (("L", 1.0), ("R", -1.0)):
            for joint, place in enumerate([(0.3, 1.0), (1.0, 1.5), (2.0, 0.0)]):
                names.append(f"{number}{joint}_{side}")
                parents.append(0 if joint == 0 else len(names) - 2)
                places.append((sign * place[0], place[1], 0.5 * number))
    return Skeleton.build(names, parents, places)


def test_several_ends_make_as_many_limbs_and_each_can_be_corrected() -> None:
    skeleton = _many_legged(4)
    body = Body(skeleton, root=0)
    feet = [f"{number}2_L" for number in range(4)]
    body = body.with_role("left foot", feet)
    assert [skeleton.names[joint] for joint in body.feet] == feet
    assert [limb.role for limb in body.limbs] == ["left leg", "left leg 2", "left leg 3", "left leg 4"]
    assert [skeleton.names[joint] for joint in body.get("left leg 3").chain] == ["20_L", "21_L", "22_L"]
    other = body.with_role("left foot 3", "21_L")
    assert [skeleton.names[joint] for joint in other.feet if joint not in body.feet] == ["21_L"]
    assert len(other.with_role("left leg 2", None).limbs) == 3
    assert len(other.with_role("left leg 2", None).with_role("left foot", feet).limbs) == 4
    same, dropped = from_dict(skeleton, to_dict(body))
    assert (same.limbs, dropped) == (body.limbs, ())


def test_the_joints_of_several_limbs_make_as_many_limbs() -> None:
    skeleton = _many_legged(2)
    joints = [name for name in skeleton.names if name.endswith("_L")]
    body = Body(skeleton).with_role("left leg", joints)
    assert [[skeleton.names[joint] for joint in limb.chain] for limb in body.limbs] == [joints[:3], joints[3:]]
    control = Body(skeleton).with_role("left leg", ["00_L", "01_L", "12_L"])
    assert [limb.chain for limb in control.limbs] == [tuple(skeleton.index[name] for name in ("00_L", "01_L", "12_L"))]


def test_many_legs_are_found_without_names() -> None:
    """All of them hang on one joint on each side, as they do in the spiders that people make."""
    plain = _many_legged(4)
    names = ["trunk", "front", "left", "right", *(f"Bone.{joint:03}" for joint in range(2, len(plain)))]
    hips = [2 if name.endswith("_L") else 3 for name in plain.names]
    parents = [
        -1,
        0,
        0,
        0,
        *(hips[joint] if plain.parents[joint] == 0 else plain.parents[joint] + 2 for joint in range(2, len(plain))),
    ]
    places = [*plain.rest_positions[:2], (0.05, 1, 0), (-0.05, 1, 0), *plain.rest_positions[2:]]
    body = find_body(Skeleton.build(names, parents, places))
    assert sorted(limb.role for limb in body.legs) == sorted(
        f"{side} leg{number}" for side in ("left", "right") for number in ("", " 2", " 3", " 4")
    )
    assert (body.up, len(body.feet)) == (Axis.PLUS_Y, 8)


def test_wrong_corrections_are_refused() -> None:
    body = find_body(person()[0])
    with pytest.raises(ValueError, match="The skeleton has no bone 'Nobody'"):
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
