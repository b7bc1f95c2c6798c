"""Which joints of two skeletons correspond: proposals, corrections, saving."""

from __future__ import annotations

import json

import numpy as np
import pytest
from made_person import CONVENTIONS, person

from core.body import Body, find_body
from core.errors import SkeletonMismatchError
from core.motion.skeleton import Skeleton
from core.retarget import JointMapping, name_mapping
from core.retarget.correspondence.chain_matches import matched_chain

NAMED = [name for name in CONVENTIONS if name != "plain"]


def _proposal(one: Skeleton, other: Skeleton) -> JointMapping:
    return name_mapping(one, other, find_body(one), find_body(other))


def _spine(heights: list[float]) -> Skeleton:
    count = len(heights)
    names = [f"bone{number}" for number in range(count)]
    return Skeleton.build(names, np.arange(count) - 1, [(0.0, height, 0.0) for height in heights])


@pytest.mark.parametrize("convention", NAMED)
def test_every_part_finds_the_same_part_whatever_it_is_called(convention):
    one, parts = person("mixamo")
    other, theirs = person(convention)
    mapping = _proposal(one, other)
    assert mapping.source_of == {other.names[theirs[part]]: one.names[parts[part]] for part in parts}
    assert mapping.unmatched_source == ()
    assert mapping.unmatched_target == ()


def test_a_shoulder_that_is_an_upper_arm_is_not_taken_for_a_collar_bone():
    one, other = person("mixamo")[0], person("joints by articulation")[0]
    mapping = _proposal(one, other)
    assert mapping.source_of["LeftShoulder"] == "mixamorig:LeftArm"
    assert mapping.source_of["LeftCollar"] == "mixamorig:LeftShoulder"


def test_confidence_tells_how_a_pair_was_found():
    one = person("mixamo")[0]
    bare = Skeleton.build([name.split(":")[-1] for name in one.names], one.parents, one.rest_positions)
    same, like, part = _proposal(bare, bare), _proposal(one, bare), _proposal(bare, person("anatomy")[0])
    assert {pair.confidence for pair in same.pairs} == {1.0}
    assert {(pair.confidence, pair.reason) for pair in like.pairs} == {(0.9, "like name")}
    reasons = {pair.source: pair.reason for pair in part.pairs}
    assert (reasons["LeftArm"], reasons["LeftShoulder"]) == ("like name", "body part")


def test_without_bodies_names_decide():
    one, other = person("mixamo")[0], person("mixamo")[0]
    mapping = name_mapping(one, other, Body(one), Body(other))
    assert all(pair.source == pair.target for pair in mapping.pairs)
    assert len(mapping.pairs) == len(one)
    assert name_mapping(one, person("anatomy")[0], Body(one), Body(person("anatomy")[0])).unmatched_source


def test_joints_of_a_longer_chain_that_lie_elsewhere_stay_free():
    two, many = _spine([0, 5, 10]), _spine([0, 2, 4.5, 7, 8, 10])
    assert matched_chain(two, [0, 1, 2], many, [0, 1, 2, 3, 4, 5]) == [(0, 0), (1, 2), (2, 5)]
    assert matched_chain(many, [0, 1, 2, 3, 4, 5], two, [0, 1, 2]) == [(0, 0), (2, 1), (5, 2)]
    assert matched_chain(two, [], many, [0, 1]) == []


def test_a_leg_without_its_foot_is_compared_with_a_leg_without_foot():
    """Where the foot is a control of its own, the shin still follows a shin."""
    one, (other, theirs) = person("mixamo")[0], person("unreal")
    parents = np.array(other.parents)
    feet = [theirs[part] for part in theirs if part.endswith("foot")]
    parents[feet] = theirs["pelvis"]
    loose = Skeleton.build(other.names, parents, other.rest_positions)
    legs = [limb for limb in find_body(loose).limbs if limb.kind.is_leg]
    assert not any(limb.end_is_in_chain for limb in legs)
    mapping = _proposal(one, loose)
    assert mapping.source_of["calf_l"] == "mixamorig:LeftLeg"
    assert mapping.source_of["foot_l"] == "mixamorig:LeftFoot"


def test_corrections_free_what_was_paired_before():
    one, other = person("mixamo")[0], person("biped")[0]
    mapping = _proposal(one, other)
    corrected = mapping.with_pair("mixamorig:LeftHand", "Bip01 R Hand")
    assert corrected.source_of["Bip01 R Hand"] == "mixamorig:LeftHand"
    assert corrected.unmatched_source == ("mixamorig:RightHand",)
    assert corrected.unmatched_target == ("Bip01 L Hand",)
    assert mapping.without("Bip01 Head").unmatched_target == ("Bip01 Head",)
    assert mapping.unmatched_target == ()


def test_saved_and_read_again_it_is_the_same():
    mapping = _proposal(person("mixamo")[0], person("unreal")[0]).with_pair("mixamorig:Neck", "head")
    assert JointMapping.from_dict(json.loads(json.dumps(mapping.to_dict()))) == mapping


def test_unknown_joints_and_joints_used_twice_are_refused():
    one, other = person("mixamo")[0], person("unreal")[0]
    mapping = _proposal(one, other)
    with pytest.raises(SkeletonMismatchError, match="target has no bone 'horn'; choose another"):
        mapping.with_pair("mixamorig:Head", "horn")
    with pytest.raises(SkeletonMismatchError, match="is in two pairs; remove one"):
        JointMapping((*mapping.pairs, mapping.pairs[0]), one.names, other.names)
    with pytest.raises(SkeletonMismatchError, match="source has no bone"):
        mapping.numbers(other, other)
