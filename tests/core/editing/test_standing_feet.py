"""Feet that an edit lets slide, made to stand still."""

from __future__ import annotations

import numpy as np
from contact_edits import BODY, EDITS, HEIGHT, WALK

from core.analysis.contacts import ContactSpans, detect_contacts
from core.editing import contacts_within, joined_contacts, standing_still
from core.solve.contact_lock import largest_slide

SLIDING = EDITS["aside"]


def test_feet_that_slide_stand_still():
    contacts = contacts_within(SLIDING, BODY, 0, len(SLIDING) - 1)
    held = standing_still(SLIDING, BODY)
    slides = [largest_slide(motion, contacts, body=BODY) for motion in (SLIDING, held)]
    assert slides[0] > 0.02 * HEIGHT
    assert slides[1] < 0.2 * slides[0]


def test_outside_of_the_chosen_frames_nothing_changes():
    first, last = 60, 200
    held = standing_still(SLIDING, BODY, first=first, last=last)
    outside = np.r_[: first + 1, last : len(WALK)]
    np.testing.assert_allclose(held.rotations[outside], SLIDING.rotations[outside], atol=1e-12)
    np.testing.assert_allclose(held.locations[outside], SLIDING.locations[outside], atol=1e-12)
    np.testing.assert_array_equal(held.rotations[:first], SLIDING.rotations[:first])


def test_contacts_within_are_those_found_cut_at_both_ends():
    first, last = 30, 150
    found, cut = detect_contacts(WALK, BODY), contacts_within(WALK, BODY, first, last)
    inside = WALK.times[first + 1 : last]
    for joint in found.joints:
        np.testing.assert_array_equal(cut.active(joint, inside), found.active(joint, inside))
        assert not cut.active(joint, WALK.times[:first]).any()
        assert not cut.active(joint, WALK.times[last + 1 :]).any()


def test_joined_contacts_are_the_old_ones_first_and_then_those_found():
    first = 120
    listed = ContactSpans({"hand.L": ((0.5, WALK.times[first] + 1.0),)})
    joined, found = joined_contacts(listed, WALK, BODY, first=first), detect_contacts(WALK, BODY)
    assert joined.of("hand.L") == ((0.5, float(WALK.times[first])),)
    later = WALK.times[first + 1 :]
    for joint in found.joints:
        np.testing.assert_array_equal(joined.active(joint, later), found.active(joint, later))
        assert not joined.active(joint, WALK.times[:first]).any()
