"""Holding contacts of loops: the seam between last and first frame is a moment like any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from contact_edits import BODY, EDITS, HEIGHT, LEG_JOINTS, UP, WALK, largest_miss

from core.analysis.contacts import ContactSpans, detect_contacts
from core.blending.motion_loop import Travel, loop
from core.motion.motion import Motion
from core.numerics import quaternion, runs
from core.solve.contact_lock import contact_frames, hold_contacts
from core.solve.whole_body import lowered
from core.solve.whole_body.rounds import rounds_of

# A part of the walk whose ends are within steps.
STEADY = WALK.part(20, 100)
TRAVELLING = loop(STEADY, BODY, travel=Travel.KEEP).motion
ON_THE_SPOT = loop(STEADY, BODY, travel=Travel.CLOSE).motion
CONTACTS = detect_contacts(TRAVELLING, BODY)
FADE = 0.3
# Body heights by which contacts are missed so that both ends are one pose exactly.
CLOSED = 2e-5


def edited(motion: Motion) -> Motion:
    """The same round with a root that goes up and down, and bent knees."""
    phase = 2.0 * np.pi * (motion.times - motion.times[0]) / (motion.times[-1] - motion.times[0])
    rotations = np.array(motion.rotations)
    rotations[:, LEG_JOINTS] = quaternion.exp(0.7 * quaternion.log(rotations[:, LEG_JOINTS]))
    return lowered(motion.with_rotations(rotations), BODY.root, HEIGHT * (0.07 - 0.05 * np.cos(phase)), UP)


def seam(motion: Motion) -> tuple[float, float]:
    """Degrees between both ends of a leg joint, and between the steps there."""
    legs = motion.rotations[:, LEG_JOINTS]
    leaving = quaternion.multiply(quaternion.conjugate(legs[0]), legs[1])
    arriving = quaternion.multiply(quaternion.conjugate(legs[-2]), legs[-1])
    both = quaternion.angle_between(legs[-1], legs[0]), quaternion.angle_between(arriving, leaving)
    return tuple(float(np.degrees(angles.max())) for angles in both)


def kinks(motion: Motion) -> float:
    """Most degrees between two steps of a leg joint within a round."""
    legs = motion.rotations[:, LEG_JOINTS]
    steps = quaternion.multiply(quaternion.conjugate(legs[:-1]), legs[1:])
    return float(np.degrees(quaternion.angle_between(steps[1:], steps[:-1]).max()))


def begun_at(motion: Motion, frame: int) -> Motion:
    """A loop on the spot that begins elsewhere in its round."""
    rows = np.concatenate([np.arange(frame, len(motion)), np.arange(1, frame + 1)])
    names = ("rotations", "locations", "scales", "scalars")
    rolled = replace(motion, **{name: getattr(motion, name)[rows] for name in names})
    return rolled.with_rotations(rolled.rotations)


def contacts_begun_at(motion: Motion, frame: int) -> ContactSpans:
    """The contacts of the loop, both ends being one moment."""
    spans, slack = {}, 0.1 / motion.rate
    for name in CONTACTS.joints:
        active = contact_frames(CONTACTS, name, motion.times)
        active[[0, -1]] = active[0] | active[-1]
        active = np.concatenate([active[frame:], active[1 : frame + 1]])
        spans[name] = tuple(
            (motion.times[run.start] - slack, motion.times[run.stop - 1] + slack) for run in runs(active)
        )
    return ContactSpans(spans)


def test_some_contact_ends_at_the_seam_and_goes_on_behind_it():
    ends = [contact_frames(CONTACTS, name, TRAVELLING.times)[[0, -1]] for name in CONTACTS.joints]
    assert any(first or last for first, last in ends)


@pytest.mark.parametrize("motion", [TRAVELLING, ON_THE_SPOT], ids=["travelling", "on the spot"])
def test_both_ends_and_the_steps_there_meet_as_they_did(motion):
    after = edited(motion)
    held, report = hold_contacts(motion, after, BODY, CONTACTS)
    assert seam(motion)[0] < 1e-6
    assert seam(after)[0] < 1e-6
    assert report.largest_move > 0.02 * HEIGHT
    assert largest_miss(motion, held, CONTACTS) < CLOSED * HEIGHT
    assert seam(held)[0] < 1e-3
    assert seam(held)[1] < max(seam(motion)[1], seam(after)[1], kinks(held))


def test_it_does_not_matter_where_a_round_begins():
    after = edited(ON_THE_SPOT)
    whole = hold_contacts(ON_THE_SPOT, after, BODY, contacts_begun_at(ON_THE_SPOT, 0))[0]
    for frame in (3, 9, len(after) // 2):
        before = begun_at(ON_THE_SPOT, frame)
        held, _ = hold_contacts(before, begun_at(after, frame), BODY, contacts_begun_at(ON_THE_SPOT, frame))
        wanted = begun_at(whole, frame)
        np.testing.assert_allclose(held.poses.positions, wanted.poses.positions, atol=1e-4 * HEIGHT)


def test_a_loop_that_is_held_twice_moves_little_more():
    after = edited(TRAVELLING)
    held, _ = hold_contacts(TRAVELLING, after, BODY, CONTACTS)
    again, _ = hold_contacts(TRAVELLING, held, BODY, CONTACTS)
    assert largest_miss(TRAVELLING, again, CONTACTS) < CLOSED * HEIGHT
    moves = [np.abs(each.locations - before.locations).max() for each, before in ((again, held), (held, after))]
    assert moves[0] < 0.5 * moves[1]


def test_signs_and_what_is_not_held_stay_bit_for_bit():
    after = edited(ON_THE_SPOT)
    after = replace(after, rotations=-after.rotations)
    held, _ = hold_contacts(ON_THE_SPOT, after, BODY, CONTACTS)
    others = [joint for joint in range(len(after.skeleton)) if joint not in LEG_JOINTS]
    np.testing.assert_array_equal(held.rotations[:, others], after.rotations[:, others])
    np.testing.assert_array_equal(held.times, after.times)
    assert (quaternion.dot(held.rotations, after.rotations) > 0.0).all()


def test_what_is_a_loop():
    for motion in (TRAVELLING, ON_THE_SPOT):
        rounds = rounds_of(motion, BODY, FADE)
        assert set(rounds.laps) == {-1, 0, 1}
        assert (rounds.trip is None) == (motion is ON_THE_SPOT)
        laid = rounds.laid_out(motion).poses.positions
        steps = np.linalg.norm(np.diff(laid, axis=0), axis=-1).max(axis=1)
        assert steps.max() < 1.1 * np.linalg.norm(np.diff(motion.poses.positions, axis=0), axis=-1).max()
    for motion in (WALK, STEADY.part(0, 20), WALK.part(0, 5), EDITS["turned"]):
        assert not rounds_of(motion, BODY, FADE).laps.any()


def test_a_loop_shorter_than_the_fade_has_whole_rounds_beside_it():
    short = replace(ON_THE_SPOT, times=ON_THE_SPOT.times / 20.0, rate=20.0 * ON_THE_SPOT.rate)
    rounds = rounds_of(short, BODY, FADE)
    assert len(rounds.frames) == 3 * len(short) - 2
    assert (np.diff(rounds.laid_out(short).times) > 0.0).all()
