"""Which features can be carried, by what is painted: the paper's table 1."""

from __future__ import annotations

from typing import Any

import pytest
from made_person import person

from core.motion.skeleton import Skeleton
from core.solve.limb_ik import Limb
from core.timeline import Feature, coordination_parts, feature_menu

SKELETON, NUMBER = person()
ARM = Limb(NUMBER["left upper arm"], NUMBER["left forearm"], NUMBER["left hand"])
SPINE = (NUMBER["spine"], NUMBER["chest"])


@pytest.mark.parametrize(
    ("joints", "effectors", "wanted"),
    [
        ((), (), "ALIGNMENT"),
        (SPINE, (), "ALIGNMENT MEAN_ROTATION ROTATION_VARIANCE JOINT_COORDINATION"),
        ((), (ARM,), "ALIGNMENT TRAJECTORY LIMB_COORDINATION"),
        (SPINE, (ARM,), " ".join(feature.name for feature in Feature)),
    ],
)
def test_the_painting_decides_what_is_offered(joints: Any, effectors: Any, wanted: str):
    assert [feature.name for feature in feature_menu(joints, effectors)] == wanted.split()


def test_painted_joints_are_shifted_against_all_others():
    fixed, free = coordination_parts(Feature.JOINT_COORDINATION, SKELETON, SPINE, ())
    assert free.joints == SPINE
    assert set(fixed.joints) == set(range(len(SKELETON))) - set(SPINE)


def test_a_painted_limb_is_shifted_against_what_it_does_not_carry():
    fixed, free = coordination_parts(Feature.LIMB_COORDINATION, SKELETON, (), (ARM,))
    assert free.effectors == (ARM,)
    assert set(fixed.joints) == set(range(len(SKELETON))) - {ARM.upper, ARM.lower, ARM.end}


def test_a_painted_limb_is_shifted_against_painted_joints():
    fixed, free = coordination_parts(Feature.LIMB_AND_JOINT_COORDINATION, SKELETON, (*SPINE, ARM.lower), (ARM,))
    assert fixed.joints == SPINE
    assert free.effectors == (ARM,)


def test_unpainted_joints_that_the_reference_lacks_are_left_out():
    reference = Skeleton.build(["mixamorig:Hips", "mixamorig:Spine", "mixamorig:Head"], [-1, 0, 1], [[0, 0, 0]] * 3)
    fixed, _ = coordination_parts(Feature.JOINT_COORDINATION, SKELETON, SPINE, (), reference=reference)
    assert fixed.joints == (NUMBER["pelvis"], NUMBER["head"])


def test_every_feature_has_a_name_and_only_coordinations_have_parts():
    assert len({feature.label for feature in Feature}) == len(Feature)
    for feature in Feature:
        if not feature.is_coordination:
            with pytest.raises(ValueError, match="is no coordination"):
                coordination_parts(feature, SKELETON, SPINE, (ARM,))
