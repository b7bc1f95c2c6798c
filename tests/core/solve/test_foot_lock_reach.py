"""Foot lock where legs do not reach, at ends that are kept, of hands and controls; refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from contact_edits import (
    BODY,
    CONTACTS,
    HEIGHT,
    UP,
    WALK,
    with_foot_controls,
    with_root_moved,
)
from made_motion import chain
from sliding_feet import CALM, SLIDING, added_turning, slides

from core.analysis.contacts import ContactSpans
from core.body import Body
from core.errors import MissingRoleError, SkeletonMismatchError
from core.solve.contact_lock import foot_slide, lock_feet


def test_the_heel_rises_before_the_root_goes_down():
    toes = ContactSpans({f"{name}.{side}": CONTACTS.of(f"{name}.{side}") for name in ("toe", "foot") for side in "LR"})
    motion = with_root_moved(WALK, BODY, 0.06 * HEIGHT * UP, middle=5.3)
    alone = toes.with_spans("foot.L", ()).with_spans("foot.R", ())
    locked, report = lock_feet(motion, BODY, alone)
    assert max(slides(locked, alone)) < 1e-9
    both, whole = lock_feet(motion, BODY, toes)
    assert report.root_lowered < whole.root_lowered
    assert max(slides(both, toes)) < 1e-9


def test_lowering_is_limited_and_contacts_out_of_reach_are_listed():
    motion = with_root_moved(WALK, BODY, 0.3 * HEIGHT * UP, middle=5.3, width=0.3)
    locked, report = lock_feet(motion, BODY, CONTACTS, giving=0.02)
    assert report.root_lowered <= 0.02 * HEIGHT
    assert report.missed
    for miss in report.missed:
        assert (miss.start, miss.end) in CONTACTS.of(miss.joint)
        assert miss.distance > 1e-4 * HEIGHT
    assert [miss.distance for miss in report.missed] == sorted((miss.distance for miss in report.missed), reverse=True)
    missed = {(miss.joint, miss.start) for miss in report.missed}
    held = [
        slide
        for joint, own in foot_slide(locked, CONTACTS).items()
        for (start, _), slide in zip(CONTACTS.of(joint), own, strict=True)
        if (joint, start) not in missed
    ]
    assert max(held) < 1e-4 * HEIGHT


def test_no_lowering_leaves_the_root():
    motion = SLIDING["lunging"]
    locked, _ = lock_feet(motion, BODY, CONTACTS, giving=0.0)
    np.testing.assert_array_equal(locked.locations, motion.locations)


def test_kept_ends_join_on_to_what_lies_beyond():
    motion = SLIDING["ahead"].part(20, 140)
    contacts = CONTACTS.with_spans("hand.L", ())
    free, _ = lock_feet(motion, BODY, contacts)
    kept, report = lock_feet(motion, BODY, contacts, ends_stay=(True, True))
    ends = [0, -1]
    assert not np.array_equal(free.rotations[ends], motion.rotations[ends])
    np.testing.assert_array_equal(kept.rotations[ends], motion.rotations[ends])
    np.testing.assert_array_equal(kept.locations[ends], motion.locations[ends])
    assert report.missed == ()
    assert max(slides(kept, contacts)) < 1e-9, "contacts that reach an end stand where they are there"
    assert added_turning(motion, kept) < CALM
    again, _ = lock_feet(kept, BODY, contacts, ends_stay=(True, True))
    np.testing.assert_array_equal(again.rotations, kept.rotations)
    np.testing.assert_array_equal(again.locations, kept.locations)


@pytest.mark.parametrize("first", range(18, 60, 3))
@pytest.mark.parametrize("ends_stay", [(True, False), (False, True), (True, True)])
def test_kept_ends_are_bit_for_bit_wherever_they_cut_a_contact(first, ends_stay):
    motion = SLIDING["ahead"].part(first, first + 70)
    contacts = CONTACTS.with_spans("hand.L", ())
    locked, report = lock_feet(motion, BODY, contacts, ends_stay=ends_stay)
    for end, stays in zip((0, -1), ends_stay, strict=True):
        if stays:
            np.testing.assert_array_equal(locked.rotations[end], motion.rotations[end])
            np.testing.assert_array_equal(locked.locations[end], motion.locations[end])
    assert max(slides(locked, contacts)) < 1e-9 or report.missed


def test_a_contact_from_end_to_end_is_held_inside_and_fades_towards_both():
    motion = SLIDING["aside"].part(200, 290)
    start, end = motion.times[[0, -1]]
    stands = ContactSpans({"foot.L": ((start, end),), "toe.L": ((start, end),)})
    locked, report = lock_feet(motion, BODY, stands, ends_stay=(True, True))
    for frame in (0, -1):
        np.testing.assert_array_equal(locked.rotations[frame], motion.rotations[frame])
    inside = ContactSpans(dict.fromkeys(stands.joints, ((start + 0.31, end - 0.31),)))
    assert max(slides(motion, inside)) > 0.01
    assert max(slides(locked, inside)) < 1e-9
    assert {miss.joint for miss in report.missed} == {"foot.L", "toe.L"}
    again, _ = lock_feet(locked, BODY, stands, ends_stay=(True, True))
    np.testing.assert_array_equal(again.rotations, locked.rotations)


def test_hands_hold_too():
    motion = SLIDING["aside"]
    stands = ContactSpans({"hand.L": ((1.0, 1.6),)})
    _locked, report = lock_feet(motion, BODY, stands)
    assert report.slide_before > 0.01
    assert report.slide_after < 1e-9


def test_a_control_of_a_rig_is_moved_instead_of_the_leg():
    rig, body = with_foot_controls()
    motion, stands = (
        with_root_moved(rig, body, [0.1, 0.05, -0.1], middle=0.7),
        ContactSpans({"control.L": ((0.5, 1.0),)}),
    )
    locked, report = lock_feet(motion, body, stands)
    assert report.slide_before > 0.01
    assert report.slide_after < 1e-12
    others = [joint for joint, name in enumerate(rig.skeleton.names) if name != "control.L"]
    np.testing.assert_array_equal(locked.rotations[:, others], motion.rotations[:, others])
    np.testing.assert_array_equal(locked.locations[:, others], motion.locations[:, others])
    again, _ = lock_feet(locked, body, stands)
    np.testing.assert_array_equal(again.locations, locked.locations)


def test_joints_that_no_limb_can_hold_are_listed():
    _, report = lock_feet(SLIDING["aside"], BODY, ContactSpans({WALK.skeleton.names[BODY.root]: ((1.0, 1.6),)}))
    assert [miss.joint for miss in report.missed] == [WALK.skeleton.names[BODY.root]]


def test_refusals_tell_the_reason():
    with pytest.raises(SkeletonMismatchError, match="no bone 'paw'"):
        lock_feet(WALK, BODY, ContactSpans({"paw": ((0.0, 1.0),)}))
    with pytest.raises(SkeletonMismatchError, match="differ in bones"):
        lock_feet(WALK, Body(chain(3)), ContactSpans())
    with pytest.raises(MissingRoleError, match="height"):
        lock_feet(SLIDING["up"], replace(BODY, height=None), CONTACTS)
    for option in ({"fade": -0.1}, {"giving": -1.0}, {"still": -1.0}):
        with pytest.raises(ValueError, match="must not be below zero"):
            lock_feet(WALK, BODY, CONTACTS, **option)
    with pytest.raises(ValueError, match="softness"):
        lock_feet(WALK, BODY, CONTACTS, softness=1.0)
