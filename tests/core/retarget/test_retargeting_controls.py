"""Targets whose feet are placed by controls of their own (IK)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from contact_edits import BODY, CONTACTS, HEIGHT, UP, WALK
from resized_skeletons import LEG_BONES, resized

from core.analysis.contacts import ContactSpans
from core.body import Body, find_body
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.retarget import JointMapping, JointPair, Retargeted, RetargetOptions, retarget
from core.solve.contact_lock import foot_slide

FEET = ("foot.L", "foot.R")


def _rig(skeleton: Skeleton) -> tuple[Skeleton, Body]:
    """The skeleton with feet that hang on a control of the whole character instead of on their legs."""
    whole = len(skeleton)
    parents = [whole if parent < 0 else int(parent) for parent in skeleton.parents]
    for foot in FEET:
        parents[skeleton.index[foot]] = whole
    rig = Skeleton.build(
        [*skeleton.names, "whole"],
        [*parents, -1],
        [*skeleton.rest_positions, np.zeros(3)],
        rest_rotations=[*skeleton.rest_rotations, [1.0, 0.0, 0.0, 0.0]],
        tips=[*skeleton.tips, np.zeros(3)],
    )
    plain = find_body(skeleton)
    limbs = tuple(
        replace(limb, chain=tuple(each for each in limb.chain if each != limb.end)) if limb.kind.is_leg else limb
        for limb in plain.limbs
    )
    return rig, replace(plain, skeleton=rig, limbs=limbs)


def _on_rig(skeleton: Skeleton, contacts: ContactSpans, **options) -> tuple[Retargeted, Body]:
    rig, body = _rig(skeleton)
    mapping = JointMapping.of_pairs([JointPair(name, name) for name in WALK.skeleton.names], WALK.skeleton, rig)
    found = retarget(
        WALK,
        rig,
        mapping,
        source_body=BODY,
        target_body=body,
        contacts=contacts,
        options=RetargetOptions(**options),
    )
    return found, body


def _place(motion: Motion, name: str) -> np.ndarray:
    return motion.poses.positions[:, motion.skeleton.index[name]]


def _span(motion: Motion, side: str) -> np.ndarray:
    """(F,) distance from hip to ankle."""
    return np.linalg.norm(_place(motion, f"foot.{side}") - _place(motion, f"thigh.{side}"), axis=1)


def _leg(skeleton: Skeleton) -> float:
    places = [skeleton.rest_positions[skeleton.index[f"{name}.L"]] for name in ("thigh", "shin", "foot")]
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())


def test_controls_go_where_the_feet_of_a_plain_skeleton_go():
    small = resized(WALK.skeleton, 0.6)
    result, _ = _on_rig(small, ContactSpans())
    for name in (*FEET, "toe.L", "hand.R"):
        np.testing.assert_allclose(_place(result.motion, name), 0.6 * _place(WALK, name), atol=1e-9)


@pytest.mark.parametrize("factor", [0.4, 1.8])
def test_controls_stand_still_and_legs_are_as_bent_as_the_source_s(factor):
    legs = resized(WALK.skeleton, factor, only=LEG_BONES)
    result, _ = _on_rig(legs, CONTACTS)
    slides = [slide for name in FEET for slide in foot_slide(result.motion, CONTACTS)[name]]
    assert max(slides) < 1e-9 * HEIGHT
    assert result.report.missed == ()
    assert result.report.below_floor < 1e-4 * HEIGHT
    ratio = _leg(legs) / _leg(WALK.skeleton)
    swings = ~np.any([CONTACTS.active(name, WALK.times) for name in CONTACTS.joints], axis=0)
    assert swings.sum() > 10
    apart = [_span(motion, "L")[swings] for motion in (result.motion, WALK)]
    # The rest are frames beside contacts, in which corrections fade.
    assert np.median(np.abs(apart[0] - ratio * apart[1])) < 0.02 * HEIGHT
    assert _span(result.motion, "L").max() < 1.0001 * _leg(legs)


def test_the_root_goes_down_until_legs_reach_their_controls_and_no_further():
    short = resized(WALK.skeleton, 0.4, only=LEG_BONES)
    # Steps as long as the source's are too long for such legs.
    far, body = _on_rig(short, CONTACTS, scale_root=False, lowering=0.0)
    near, _ = _on_rig(short, CONTACTS, scale_root=False, lowering=0.2)
    assert far.report.root_lowered == 0.0
    assert {miss.joint for miss in far.report.missed} <= set(FEET)
    assert far.report.remaining_error > 1e-3 * HEIGHT
    assert near.report.remaining_error < far.report.remaining_error
    height = [_place(each.motion, WALK.skeleton.names[BODY.root]) @ UP for each in (far, near)]
    assert (height[0] - height[1]).max() == pytest.approx(near.report.root_lowered)
    assert (height[0] - height[1]).max() <= 0.2 * float(body.height) + 1e-9
    for miss in near.report.missed:
        inside = (WALK.times >= miss.start - 1e-9) & (WALK.times <= miss.end + 1e-9)
        beyond = _span(near.motion, miss.joint[-1])[inside].max() - _leg(short)
        assert miss.distance == pytest.approx(beyond, rel=1e-6)
