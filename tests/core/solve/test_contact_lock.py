"""Holding contacts through edits: laws, a slow reference, real clips, refusals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import (
    ARM_JOINTS,
    BODY,
    CONTACTS,
    EDITS,
    HEIGHT,
    INDEX,
    LEG_JOINTS,
    OUT_OF_REACH,
    UP,
    WALK,
    largest_miss,
    with_joint_turned,
    with_root_moved,
    with_root_turned,
)
from made_motion import chain

from core.analysis.contacts import ContactSpans, detect_contacts
from core.errors import SkeletonMismatchError
from core.motion.motion import Motion
from core.motion.time_maps.time_map import TimeMap
from core.numerics import quaternion
from core.sample_motion import sample_motion
from core.solve.contact_lock import HoldReport, foot_slide, hold_contacts


def test_edited_arms_leave_the_legs_bit_for_bit():
    rotations = np.array(WALK.rotations)
    rotations[:, ARM_JOINTS] = quaternion.exp(1.4 * quaternion.log(rotations[:, ARM_JOINTS]))
    after = WALK.with_rotations(rotations)
    held, report = hold_contacts(WALK, after, BODY, CONTACTS)
    assert held is after
    assert (report.largest_move, report.moved_joint, report.missed) == (0.0, "", ())


@pytest.mark.parametrize("edit", EDITS)
def test_feet_in_contact_stay_where_they_were(edit):
    after = EDITS[edit]
    assert largest_miss(WALK, after, CONTACTS) > 0.02 * HEIGHT
    held, report = hold_contacts(WALK, after, BODY, CONTACTS)
    assert largest_miss(WALK, held, CONTACTS) < 1e-6 * HEIGHT
    assert report.missed == ()
    assert report.slide_held == pytest.approx(report.slide_original, abs=1e-9)
    assert report.slide_edited > 0.02 * HEIGHT


@pytest.mark.parametrize("after", [*EDITS.values(), OUT_OF_REACH], ids=[*EDITS, "out of reach"])
def test_holding_a_second_time_holds_the_same_and_moves_little_more(after):
    held, report = hold_contacts(WALK, after, BODY, CONTACTS)
    again, more = hold_contacts(WALK, held, BODY, CONTACTS)
    assert report.largest_move > 0.01 * HEIGHT
    assert more.largest_move < 0.5 * report.largest_move
    assert largest_miss(WALK, again, CONTACTS) < 1e-4 * HEIGHT


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("fade", [0.0, 0.05, 0.1])
def test_outside_the_windows_everything_is_bit_for_bit_the_edit(edit, fade):
    after = EDITS[edit]
    held, _ = hold_contacts(WALK, after, BODY, CONTACTS, fade=fade, giving=0.0)
    for side in "LR":
        spans = [span for joint in ("foot", "toe") for span in CONTACTS.of(f"{joint}.{side}")]
        near = [(WALK.times >= start - 3 * fade - 1e-9) & (WALK.times <= end + 3 * fade + 1e-9) for start, end in spans]
        free = ~np.any(near, axis=0)
        assert free.sum() < len(WALK)
        leg = [joint for joint in LEG_JOINTS if WALK.skeleton.names[joint].endswith(side)]
        np.testing.assert_array_equal(held.rotations[free][:, leg], after.rotations[free][:, leg])
    others = [joint for joint in range(len(WALK.skeleton)) if joint not in LEG_JOINTS]
    np.testing.assert_array_equal(held.rotations[:, others], after.rotations[:, others])
    np.testing.assert_array_equal(held.locations, after.locations)


def test_the_root_gives_way_near_contacts_alone():
    stands = ContactSpans({"foot.R": ((4.9, 5.4),), "toe.R": ((4.9, 5.4),)})
    held, _ = hold_contacts(WALK, EDITS["far up"], BODY, stands, fade=0.05)
    moved = (held.locations != EDITS["far up"].locations).any(axis=(1, 2))
    assert moved.any()
    assert np.abs(WALK.times[moved] - 5.15).max() < 0.25 + 6 * 0.05 + 1e-9
    np.testing.assert_array_equal(held.locations[:, 1:], EDITS["far up"].locations[:, 1:])


def test_a_foot_is_as_it_was_while_any_part_of_it_stands():
    after = with_joint_turned(WALK, "foot.R", [0.25, 0.0, 0.1])
    held, _ = hold_contacts(WALK, after, BODY, CONTACTS, fade=0.05)
    stands = np.any([CONTACTS.active(f"{joint}.R", WALK.times) for joint in ("foot", "toe")], axis=0)
    turned = quaternion.angle_between(held.poses.rotations, WALK.poses.rotations)[stands]
    assert turned[:, INDEX["foot.R"]].max() < 1e-6
    assert turned[CONTACTS.active("toe.R", WALK.times)[stands], INDEX["toe.R"]].max() < 1e-6
    in_flight = (WALK.times > 4.2) & (WALK.times < 4.5)
    kept = quaternion.angle_between(held.poses.rotations, after.poses.rotations)[in_flight]
    assert kept[:, INDEX["foot.R"]].max() < 1e-6
    assert largest_miss(WALK, held, CONTACTS) < 1e-6 * HEIGHT


@pytest.mark.parametrize("edit", ["up", "down", "ahead"])
def test_standing_legs_are_about_as_bent_as_they_were(edit):
    after = EDITS[edit]
    kept, left = (hold_contacts(WALK, after, BODY, CONTACTS, giving=giving)[0] for giving in (np.inf, 0.0))
    more = []
    for side in "LR":
        stands = CONTACTS.active(f"foot.{side}", WALK.times)
        more.append([np.abs(_bends(each, side) - _bends(WALK, side))[stands].mean() for each in (kept, left)])
    bends = np.degrees(np.mean(more, axis=0))
    assert bends[0] < 1.0
    assert bends[0] < 0.5 * bends[1]


def _bends(motion: Motion, side: str) -> np.ndarray:
    hip, knee, ankle = (motion.poses.positions[:, INDEX[f"{joint}.{side}"]] for joint in ("thigh", "shin", "foot"))
    upper, lower = (bone / np.linalg.norm(bone, axis=1, keepdims=True) for bone in (knee - hip, ankle - knee))
    return np.arccos(np.clip((upper * lower).sum(axis=1), -1.0, 1.0))


@pytest.mark.parametrize("joint", ["hand.R", "fingers.R"])
def test_a_hand_stays_and_keeps_the_edited_orientation(joint):
    touch = ContactSpans({joint: ((7.7, 8.2),)})
    after = with_root_turned(WALK, BODY, [0.1, 0.2, 0.0], middle=7.9)
    held, report = hold_contacts(WALK, after, BODY, touch)
    assert largest_miss(WALK, after, touch) > 0.05
    assert largest_miss(WALK, held, touch) < 1e-9
    hand = INDEX["hand.R"]
    assert quaternion.angle_between(held.poses.rotations[:, hand], after.poses.rotations[:, hand]).max() < 1e-7
    legs_and_root = [*LEG_JOINTS, BODY.root]
    np.testing.assert_array_equal(held.rotations[:, legs_and_root], after.rotations[:, legs_and_root])
    assert report.moved_joint in ("forearm.R", "hand.R", "fingers.R")


def test_corrections_come_and_go_smoothly():
    before = sample_motion(120.0)
    after = with_root_moved(before, BODY, -0.08 * HEIGHT * UP, middle=2.0, width=1.5)
    held, _ = hold_contacts(before, after, BODY, CONTACTS, giving=0.0)
    correction = (held.poses.positions - after.poses.positions)[:, INDEX["foot.R"]]
    steps = np.linalg.norm(np.diff(correction, axis=0), axis=1)
    changes = np.linalg.norm(np.diff(correction, n=2, axis=0), axis=1)
    # With a reach of r frames a correction falls by 1 / (e r) of its height at most, and starts with 1 / r^2 of it.
    whole, reach = np.linalg.norm(correction, axis=1).max(), 0.06 * 120.0
    assert whole > 0.07 * HEIGHT
    assert steps.max() < 1.3 / (np.e * reach) * whole
    assert changes.max() < 1.3 / reach**2 * whole


def test_toes_that_do_not_turn_with_the_foot_keep_their_place_and_orientation():
    inherits = np.array([not name.startswith("toe") for name in WALK.skeleton.names])
    skeleton = replace(WALK.skeleton, inherits_rotation=inherits)
    before, after = (replace(motion, skeleton=skeleton) for motion in (WALK, EDITS["tilted"]))
    held, _ = hold_contacts(before, after, replace(BODY, skeleton=skeleton), CONTACTS)
    assert largest_miss(before, held, CONTACTS) < 1e-9
    stands, toe = CONTACTS.active("toe.R", WALK.times), INDEX["toe.R"]
    turned = quaternion.angle_between(held.poses.rotations[stands, toe], before.poses.rotations[stands, toe])
    assert turned.max() < 1e-6


def test_a_frame_that_misses_the_end_of_a_contact_by_rounding_is_held():
    stands = ContactSpans({"foot.L": ((WALK.times[9] + 1e-12, WALK.times[15] - 1e-12),)})
    after = with_root_moved(WALK, BODY, -0.05 * UP, middle=0.4)
    held, _ = hold_contacts(WALK, after, BODY, stands, fade=0.0, giving=0.0)
    foot = np.abs(held.poses.positions - WALK.poses.positions)[:, INDEX["foot.L"]].max(axis=1)
    assert foot[9:16].max() < 1e-9
    assert foot[[8, 16]].min() > 0.01


@pytest.mark.parametrize(
    "time_map",
    [
        TimeMap.scale(1.7),
        TimeMap.reverse(0.0, float(WALK.times[-1])),
        TimeMap.through([0.0, 3.0, 4.0, 12.0], [0.0, 2.0, 2.0, float(WALK.times[-1])]),
    ],
    ids=["faster", "backward", "with a hold"],
)
def test_contacts_go_with_a_new_timing(time_map):
    retimed = time_map.apply(WALK)
    same, _ = hold_contacts(WALK, retimed, BODY, CONTACTS, time_map=time_map)
    assert same is retimed
    edited = with_root_moved(retimed, BODY, -0.08 * HEIGHT * UP, middle=3.0)
    held, _ = hold_contacts(WALK, edited, BODY, CONTACTS, time_map=time_map)
    moved = CONTACTS.retimed(time_map)
    assert largest_miss(retimed, edited, moved) > 0.05 * HEIGHT
    assert largest_miss(retimed, held, moved) < 1e-9


def test_other_frames_than_before_are_compared_at_their_times():
    after = with_root_moved(sample_motion(60.0), BODY, -0.08 * HEIGHT * UP, middle=3.0)
    held, _ = hold_contacts(WALK, after, BODY, CONTACTS)
    assert largest_miss(WALK.at(after.times), held, CONTACTS) < 1e-9


def test_nothing_to_hold_gives_back_the_edit():
    after = EDITS["up"]
    for contacts in (ContactSpans(), ContactSpans({"foot.L": ()}), ContactSpans({"foot.L": ((90.0, 91.0),)})):
        assert hold_contacts(WALK, after, BODY, contacts) == (after, HoldReport())


def test_slide_is_the_way_from_where_the_contact_began():
    path = np.array([0.0, 0.0, 0.3, -0.1, 0.0, 2.0, 2.0, 2.5])
    locations = np.zeros((8, 1, 3))
    locations[:, 0, 0] = path
    motion = Motion.build(chain(1), quaternion.identity(8, 1), rate=1.0, locations=locations)
    contacts = ContactSpans({"joint 0": ((0.0, 4.0), (5.0, 7.0), (20.0, 21.0))})
    assert foot_slide(motion, contacts) == {"joint 0": pytest.approx((0.3, 0.5, 0.0))}


def test_the_input_is_left_alone():
    after = EDITS["up"]
    copies = [motion.rotations.copy() for motion in (WALK, after)], after.locations.copy()
    hold_contacts(WALK, after, BODY, CONTACTS)
    for motion, rotations in zip((WALK, after), copies[0], strict=True):
        np.testing.assert_array_equal(motion.rotations, rotations)
    np.testing.assert_array_equal(after.locations, copies[1])


def test_refusals():
    with pytest.raises(SkeletonMismatchError, match="no bone 'paw'; find the contacts again"):
        hold_contacts(WALK, WALK, BODY, ContactSpans({"paw": ((0.0, 1.0),)}))
    other = Motion.build(chain(2), quaternion.identity(5, 2), rate=30)
    with pytest.raises(SkeletonMismatchError, match="differ in bones"):
        hold_contacts(other, WALK, BODY, CONTACTS)
    for options in ({"fade": -0.1}, {"giving": -0.1}):
        with pytest.raises(ValueError, match="must not be below zero"):
            hold_contacts(WALK, WALK, BODY, CONTACTS, **options)
    with pytest.raises(ValueError, match="softness"):
        hold_contacts(WALK, WALK, BODY, CONTACTS, softness=1.0)


@pytest.mark.clips
def test_real_clips(clips_folder: Path) -> None:
    held_contacts = 0
    for clip in annotated_clips(clips_folder):
        before, body = clip.motion, clip.body
        contacts, height, up = detect_contacts(before, body), float(body.height), body.up.vector
        middle = before.times[len(before) // 2]
        turned = with_root_turned(before, body, 0.3 * np.roll(up, 1), middle=middle)
        edits = [
            with_root_moved(before, body, way * height, middle=middle) for way in (0.06 * up, 0.06 * np.roll(up, 1))
        ]
        assert hold_contacts(before, before, body, contacts)[0] is before, clip.name
        for after in (*edits, turned):
            held, report = hold_contacts(before, after, body, contacts)
            # Four legs under a body that is turned do not reach all at once.
            allowed = 0.02 if clip.name.startswith("quad") else 1e-4
            assert largest_miss(before, held, contacts) < allowed * height, clip.name
            assert allowed > 1e-4 or report.missed == (), clip.name
            held_contacts += sum(len(contacts.of(joint)) for joint in contacts.joints)
    assert held_contacts > 1000
