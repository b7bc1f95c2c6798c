"""Foot lock: contacts that slide stand still at one place, calmly, and only once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import (
    BODY,
    CONTACTS,
    FRONT,
    HEIGHT,
    INDEX,
    LEG_JOINTS,
    SIDE,
    WALK,
    with_joint_turned,
)
from sliding_feet import CALM, SLIDING, added_turning, drifting, in_single_precision, slides

from core.analysis.contacts import ContactSpans, detect_contacts
from core.numerics import quaternion
from core.solve.contact_lock import LockReport, ground_under, lock_feet

SLIDES = pytest.mark.parametrize("motion", SLIDING.values(), ids=SLIDING)


@SLIDES
def test_every_contact_stands_still(motion):
    assert max(slides(motion)) > 0.02 * HEIGHT
    locked, report = lock_feet(motion, BODY, CONTACTS)
    assert max(slides(locked)) < 1e-6 * HEIGHT
    assert report.missed == ()
    assert report.contacts == sum(len(CONTACTS.of(joint)) for joint in CONTACTS.joints)
    assert report.slide_before == pytest.approx(max(slides(motion)))
    assert report.slide_after == pytest.approx(max(slides(locked)))
    assert 0.01 * HEIGHT < report.largest_move < 0.2 * HEIGHT


@SLIDES
def test_a_second_time_changes_nothing(motion):
    locked, _ = lock_feet(motion, BODY, CONTACTS)
    again, report = lock_feet(locked, BODY, CONTACTS)
    np.testing.assert_array_equal(again.rotations, locked.rotations)
    np.testing.assert_array_equal(again.locations, locked.locations)
    assert report.largest_move == 0.0


@SLIDES
def test_written_to_keys_and_read_again_it_stays_as_it_is(motion):
    locked = in_single_precision(lock_feet(motion, BODY, CONTACTS)[0])
    again, _ = lock_feet(locked, BODY, CONTACTS)
    np.testing.assert_array_equal(again.rotations, locked.rotations)
    np.testing.assert_array_equal(again.locations, locked.locations)


@SLIDES
def test_all_but_legs_and_the_place_of_the_root_is_bit_for_bit(motion):
    locked, _ = lock_feet(motion, BODY, CONTACTS)
    others = [joint for joint in range(len(motion.skeleton)) if joint not in LEG_JOINTS]
    toes = [INDEX["toe.L"], INDEX["toe.R"]]
    np.testing.assert_array_equal(locked.rotations[:, others + toes], motion.rotations[:, others + toes])
    others.remove(BODY.root)
    np.testing.assert_array_equal(locked.locations[:, others], motion.locations[:, others])
    assert np.linalg.norm((locked.poses.positions - motion.poses.positions)[:, BODY.root], axis=1).max() < 0.1 * HEIGHT


@SLIDES
def test_beyond_the_fade_nothing_changes(motion):
    locked, _ = lock_feet(motion, BODY, CONTACTS, fade=0.02)
    near = np.zeros(len(motion), dtype=bool)
    for joint in CONTACTS.joints:
        for start, end in CONTACTS.of(joint):
            near |= (motion.times >= start - 0.12 - 1e-9) & (motion.times <= end + 0.12 + 1e-9)
    assert (~near).sum() > 0
    np.testing.assert_array_equal(locked.rotations[~near], motion.rotations[~near])


@SLIDES
def test_limbs_turn_calmly(motion):
    locked, _ = lock_feet(motion, BODY, CONTACTS)
    assert added_turning(motion, locked) < CALM


def test_feet_that_stand_still_are_left_alone():
    stands = ContactSpans({"toe.L": CONTACTS.of("toe.L"), "toe.R": CONTACTS.of("toe.R")})
    assert max(slides(WALK, stands)) < 1e-9
    locked, report = lock_feet(WALK, BODY, stands)
    np.testing.assert_array_equal(locked.rotations, WALK.rotations)
    np.testing.assert_array_equal(locked.locations, WALK.locations)
    assert (report.largest_move, report.moved_joint) == (0.0, "")


def test_what_counts_as_still_can_be_chosen():
    motion = drifting(WALK, BODY, 1e-3 * HEIGHT * SIDE)
    for still, is_left in ((3e-3, True), (1e-4, False)):
        locked, report = lock_feet(motion, BODY, CONTACTS.with_spans("hand.L", ()), still=still)
        assert np.array_equal(locked.rotations, motion.rotations) is is_left
        assert (report.slide_after < 1e-9) is not is_left


def test_without_contacts_the_motion_is_given_back():
    locked, report = lock_feet(WALK, BODY, ContactSpans({"foot.L": ()}))
    np.testing.assert_array_equal(locked.rotations, WALK.rotations)
    assert report == LockReport()


@pytest.mark.parametrize("slide", ["aside", "up", "turned"])
def test_no_other_place_moves_a_foot_less(slide):
    """Added up over the frames of a stance, the ways along the ground are shortest; legs reach there."""
    motion = SLIDING[slide]
    locked, _ = lock_feet(motion, BODY, CONTACTS)
    for side in "LR":
        active = {name: CONTACTS.active(f"{name}.{side}", motion.times) for name in ("foot", "toe")}
        down = np.flatnonzero(np.diff(active["foot"] | active["toe"], prepend=False, append=False))
        for start, stop in down.reshape(-1, 2):
            ways = [
                (motion.poses.positions - locked.poses.positions)[start:stop, INDEX[f"{name}.{side}"]][frames]
                for name, frames in ((name, frames[start:stop]) for name, frames in active.items())
            ]
            ways = np.concatenate(ways) @ np.stack([SIDE, FRONT], axis=1)
            least = np.abs(ways).sum(axis=0)
            for shift in (-1e-4, 1e-4):
                assert (np.abs(ways + shift).sum(axis=0) >= least - 1e-12).all()


def test_a_stance_is_put_where_a_plain_loop_puts_it():
    """An ankle without toes: its place is the median of its places, coordinate by coordinate."""
    motion, stands = SLIDING["ahead"], ContactSpans({"foot.L": CONTACTS.of("foot.L")})
    locked, _ = lock_feet(motion, BODY, stands)
    foot = INDEX["foot.L"]
    for start, end in stands.of("foot.L"):
        frames = [frame for frame, time in enumerate(motion.times) if start - 1e-9 <= time <= end + 1e-9]
        place = [sorted(motion.poses.positions[frame, foot, axis] for frame in frames) for axis in range(3)]
        middle = [0.5 * (row[(len(row) - 1) // 2] + row[len(row) // 2]) for row in place]
        np.testing.assert_allclose(locked.poses.positions[frames, foot], [middle] * len(frames), atol=1e-9)


@SLIDES
def test_a_foot_on_ankle_and_toes_has_one_orientation(motion):
    locked, _ = lock_feet(motion, BODY, CONTACTS)
    for side in "LR":
        both = CONTACTS.active(f"foot.{side}", motion.times) & CONTACTS.active(f"toe.{side}", motion.times)
        edges = np.flatnonzero(np.diff(both, prepend=False, append=False))
        for start, stop in edges.reshape(-1, 2):
            turns = locked.poses.rotations[start:stop, INDEX[f"foot.{side}"]]
            assert quaternion.angle_between(turns, turns[0]).max() < 1e-7


@SLIDES
def test_a_foot_rolls_from_ankle_to_toes_without_a_step(motion):
    """Toes take over between two frames: in both the foot is the same, neither jumps."""
    for start, end in CONTACTS.of("foot.L"):
        frame = int(np.searchsorted(motion.times, end - 1e-9)) - 1
        if end + 0.1 > motion.times[-1]:
            continue
        spans = {"foot.L": ((start, motion.times[frame]),), "toe.L": ((motion.times[frame + 1], end + 0.1),)}
        locked, _ = lock_feet(motion, BODY, ContactSpans(spans), still=0.0)
        assert max(slides(locked, ContactSpans(spans))) < 1e-9
        for joint in (INDEX["foot.L"], INDEX["toe.L"]):
            assert np.linalg.norm(np.diff(locked.poses.positions[frame : frame + 2, joint], axis=0)) < 1e-9
        turns = locked.poses.rotations[frame : frame + 2, INDEX["foot.L"]]
        assert quaternion.angle_between(turns[0], turns[1]) < 1e-7


def test_the_motion_given_is_left_alone():
    motion = SLIDING["ahead"]
    before = motion.rotations.copy(), motion.locations.copy()
    lock_feet(motion, BODY, CONTACTS)
    np.testing.assert_array_equal(motion.rotations, before[0])
    np.testing.assert_array_equal(motion.locations, before[1])


def test_a_bent_toe_goes_on_bending():
    motion = with_joint_turned(SLIDING["ahead"], "toe.L", [0.2, 0.0, 0.0])
    locked, _ = lock_feet(motion, BODY, CONTACTS)
    np.testing.assert_array_equal(locked.rotations[:, INDEX["toe.L"]], motion.rotations[:, INDEX["toe.L"]])


@pytest.mark.clips
def test_real_clips_stand_still_calmly_and_once(clips_folder: Path) -> None:
    for clip in annotated_clips(clips_folder):
        motion, body = clip.motion, clip.body
        contacts = detect_contacts(motion, body)
        if ground_under(motion, contacts, body).any():
            continue  # Walks on the spot: there feet stand on ground that moves, and not in the scene.
        locked, report = lock_feet(motion, body, contacts)
        assert report.slide_before > 2e-3 * body.height, clip.name
        assert report.missed == (), clip.name
        assert max(slides(locked, contacts)) < 1e-4 * body.height, clip.name
        assert report.root_lowered < 0.04 * body.height, clip.name
        assert added_turning(motion, locked) < 2.0 * CALM, clip.name
        limbs = {joint for limb in body.limbs for joint in limb.joints} | {body.root}
        others = [joint for joint in range(len(motion.skeleton)) if joint not in limbs]
        np.testing.assert_array_equal(locked.rotations[:, others], motion.rotations[:, others], err_msg=clip.name)
        again, _ = lock_feet(locked, body, contacts)
        if clip.name == "quad_horse_rear":  # Its ends only nearly meet: the round before is not quite the same again.
            assert np.abs(again.poses.positions - locked.poses.positions).max() < 1e-4 * body.height
            continue
        np.testing.assert_array_equal(again.rotations, locked.rotations, err_msg=clip.name)
        np.testing.assert_array_equal(again.locations, locked.locations, err_msg=clip.name)
        keyed = in_single_precision(locked)
        np.testing.assert_array_equal(lock_feet(keyed, body, contacts)[0].rotations, keyed.rotations, clip.name)
