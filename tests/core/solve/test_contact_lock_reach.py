"""Holding contacts that are hard to reach: the root gives way, legs stay as bent as they were, misses are told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from contact_edits import (
    BODY,
    CONTACTS,
    EDITS,
    HEIGHT,
    INDEX,
    OUT_OF_REACH,
    UP,
    WALK,
    bell,
    largest_miss,
    with_foot_controls,
    with_joint_turned,
    with_root_moved,
)
from made_motion import chain, smooth_rotations

from core.analysis.contacts import ContactSpans
from core.body import Axis, Body, Limb, LimbKind, Side
from core.errors import MissingRoleError
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.sample_motion import sample_motion
from core.solve.contact_lock import hold_contacts
from core.solve.whole_body.root import lowered


def test_the_root_gives_way_smoothly_and_only_near_contacts():
    before = sample_motion(120.0)
    after = with_root_moved(before, BODY, 0.1 * HEIGHT * UP, middle=5.2, width=0.6)
    held, report = hold_contacts(before, after, BODY, CONTACTS, fade=0.1)
    ways = (after.poses.positions - held.poses.positions)[:, BODY.root]
    assert 0.05 * HEIGHT < (ways @ UP).max() < 0.11 * HEIGHT
    assert report.root_lowered == pytest.approx((ways @ UP).max())
    assert np.linalg.norm(ways - (ways @ UP)[:, None] * UP, axis=1).max() < 0.02 * HEIGHT
    assert np.linalg.norm(np.diff(ways, axis=0), axis=1).max() < 0.01 * HEIGHT
    away = np.abs(before.times - 5.2) > 0.6 + 1.0
    assert np.linalg.norm(ways[away], axis=1).max() < 1e-3 * HEIGHT


def test_the_root_stays_outside_the_window_at_uneven_times_too():
    # Frames are five times closer to each other everywhere but around the contact.
    steps = np.where(np.abs(np.arange(len(WALK) - 1) - 159) < 40, 1.0, 0.2) / 30.0
    times = np.concatenate([[0.0], np.cumsum(steps)])
    before, after = (replace(motion, times=times) for motion in (WALK, EDITS["far up"]))
    frame = int(np.argmax(bell(WALK, 5.3, 0.7)))
    stands = ContactSpans({"foot.R": ((times[frame] - 0.01, times[frame] + 0.01),)})
    held, report = hold_contacts(before, after, BODY, stands, fade=0.1)
    assert report.root_lowered > 0.01
    changed = (held.locations != after.locations).any(axis=(1, 2))
    assert np.abs(times[changed] - times[frame]).max() <= 0.6 + 1e-9


def straight_legs(frames: int = 60) -> Motion:
    """The figure standing at rest, its legs as good as straight."""
    return Motion.build(WALK.skeleton, quaternion.identity(frames, len(WALK.skeleton)), rate=30.0)


def knee_bends(motion: Motion) -> np.ndarray:
    hip, knee, ankle = (motion.poses.positions[:, INDEX[f"{joint}.L"]] for joint in ("thigh", "shin", "foot"))
    upper, lower = (bone / np.linalg.norm(bone, axis=1, keepdims=True) for bone in (knee - hip, ankle - knee))
    return np.arccos(np.clip((upper * lower).sum(axis=1), -1.0, 1.0))


@pytest.mark.parametrize("rise", [-0.1, -0.01, 1e-3, 0.1])
def test_legs_that_stood_straight_stand_straight(rise):
    before, stands = straight_legs(), ContactSpans({"foot.L": ((0.0, 2.0),), "foot.R": ((0.0, 2.0),)})
    after = with_root_moved(before, BODY, rise * UP, middle=1.0)
    held, _ = hold_contacts(before, after, BODY, stands)
    assert largest_miss(before, held, stands) < 1e-6
    np.testing.assert_allclose(knee_bends(held), knee_bends(before), atol=np.radians(1.5))


def test_a_root_that_may_not_give_way_bends_the_knees():
    before, stands = straight_legs(), ContactSpans({"foot.L": ((0.0, 2.0),), "foot.R": ((0.0, 2.0),)})
    after = with_root_moved(before, BODY, -0.1 * UP, middle=1.0)
    held, _ = hold_contacts(before, after, BODY, stands, giving=0.0)
    assert largest_miss(before, held, stands) < 1e-9
    assert np.degrees(knee_bends(held)[30]) > 12.0


def test_legs_never_snap_straight_beside_a_contact():
    before = with_joint_turned(straight_legs(), "shin.L", [0.7, 0.0, 0.0])
    stands = ContactSpans({"foot.L": ((0.9, 1.1),)})
    # The edit folds the leg in contact alone: beside it, the same correction would overstretch it.
    folded = stands.active("foot.L", before.times)[:, None] * np.array([0.5, 0.0, 0.0])
    after = with_joint_turned(before, "shin.L", folded)
    held, _ = hold_contacts(before, after, BODY, stands, fade=0.3, giving=0.0, softness=0.05)
    bends = np.degrees(knee_bends(held))
    assert bends.min() < 25.0
    assert bends.min() > 5.0


def test_what_is_out_of_reach_is_approached_and_reported():
    held, report = hold_contacts(WALK, OUT_OF_REACH, BODY, CONTACTS, giving=0.0)
    np.testing.assert_array_equal(held.locations, OUT_OF_REACH.locations)
    assert report.missed
    assert report.missed[0].distance == pytest.approx(largest_miss(WALK, held, CONTACTS))
    assert report.missed[0].distance < 0.7 * largest_miss(WALK, OUT_OF_REACH, CONTACTS)
    worst = report.missed[0]
    assert any(start - 0.04 < worst.start < worst.end < end + 0.04 for start, end in CONTACTS.of(worst.joint))
    # The leg is straight and points at the place that it does not reach.
    frame = int(np.argmin(np.abs(WALK.times - 5.3)))
    hip, ankle = (held.poses.positions[frame, INDEX[f"{joint}.R"]] for joint in ("thigh", "foot"))
    wanted = WALK.poses.positions[frame, INDEX["foot.R"]] - hip
    cosine = wanted @ (ankle - hip) / np.linalg.norm(wanted) / np.linalg.norm(ankle - hip)
    assert cosine == pytest.approx(1.0, abs=1e-9)


def test_giving_way_helps_and_has_its_limit():
    misses = []
    for limit in (0.0, 0.05, 0.2):
        held, report = hold_contacts(WALK, OUT_OF_REACH, BODY, CONTACTS, giving=limit)
        misses.append(report.missed[0].distance)
        ways = (held.poses.positions - OUT_OF_REACH.poses.positions)[:, BODY.root]
        assert np.linalg.norm(ways, axis=1).max() < limit * HEIGHT + 1e-9
    assert misses[0] > misses[1] > misses[2]
    assert hold_contacts(WALK, OUT_OF_REACH, BODY, CONTACTS)[1].missed == ()


def test_contacts_without_a_limb_are_left_and_reported():
    after = EDITS["up"]
    for body in (replace(BODY, limbs=()), with_ankle_controls(BODY)):
        held, report = hold_contacts(WALK, after, body, CONTACTS)
        assert held is after
        assert report.missed[0].distance == pytest.approx(largest_miss(WALK, after, CONTACTS))
    held, report = hold_contacts(WALK, after, BODY, ContactSpans({"shin.L": ((1.5, 2.0),)}))
    assert held is after
    assert [miss.joint for miss in report.missed] == ["shin.L"]


def with_ankle_controls(body: Body) -> Body:
    """The same body whose feet are controls beside the legs."""
    return replace(body, limbs=tuple(replace(limb, chain=limb.chain[:2], end=limb.chain[2]) for limb in body.legs))


def test_a_control_of_its_own_is_held_by_its_location():
    """A control rig: the legs are chains, and each foot is placed by a control beside them."""
    rig, body = with_foot_controls()
    stands = ContactSpans({"control.L": ((0.5, 1.0),)})
    for after in (
        with_root_moved(rig, body, [0.1, 0.05, -0.1], middle=0.7),
        with_joint_turned(rig, "root", [0, 0, 0.4]),
    ):
        held, report = hold_contacts(rig, after, body, stands)
        assert report.missed == ()
        assert report.root_lowered == 0.0
        assert largest_miss(rig, held, stands) < 1e-9
        again, _ = hold_contacts(rig, held, body, stands)
        np.testing.assert_allclose(again.locations, held.locations, atol=1e-12)
        others = [number for number, name in enumerate(rig.skeleton.names) if name != "control.L"]
        np.testing.assert_array_equal(held.rotations[:, others], after.rotations[:, others])
        np.testing.assert_array_equal(held.locations[:, others], after.locations[:, others])
        inside, control = stands.active("control.L", rig.times), rig.skeleton.index["control.L"]
        flat = quaternion.angle_between(held.poses.rotations, rig.poses.rotations)[inside, control]
        assert flat.max() < 1e-7


def test_long_chains_bend_where_they_part_evenly_and_are_clearly_bent():
    skeleton = Skeleton.build(
        ["root", "hip", "stifle", "hock", "fetlock", "hoof"],
        [-1, 0, 1, 2, 3, 4],
        [[0, 0, 2], [0, 0, 1.9], [0, -0.2, 1.4], [0, -0.4, 0.9], [0, -0.2, 0.4], [0, 0.0, 0.0]],
    )
    rotations = smooth_rotations(40, 6, seed=4, reach=0.2)
    before = Motion.build(skeleton, rotations, rate=30)
    limb = Limb(LimbKind.HIND_LEG, Side.LEFT, (1, 2, 3, 4, 5), 5)
    body = Body(skeleton, root=0, limbs=(limb,), up=Axis.PLUS_Z, height=2.0)
    after = before.with_locations(before.locations + np.where(np.arange(6)[:, None] == 0, [0.05, 0.0, -0.2], 0.0))
    stands = ContactSpans({"hoof": ((0.3, 0.9),)})
    held, _ = hold_contacts(before, after, body, stands)
    assert largest_miss(before, held, stands) < 1e-9
    changed = [joint for joint in range(6) if (held.rotations[:, joint] != after.rotations[:, joint]).any()]
    assert changed == [1, 3, 5]


def test_the_root_goes_straight_down_under_any_parent():
    skeleton = replace(chain(3), rest_rotations=quaternion.normalize(np.random.default_rng(2).normal(size=(3, 4))))
    motion = Motion.build(skeleton, smooth_rotations(20, 3, seed=1), rate=30)
    motion = motion.with_scales(np.where(np.arange(3)[:, None] == 0, np.full(3, 1.3), 1.0) * np.ones((20, 3, 3)))
    amounts = np.linspace(0.0, 1.0, 20)
    for root in (0, 1):
        moved = lowered(motion, root, amounts, UP).poses.positions - motion.poses.positions
        np.testing.assert_allclose(moved[:, 2], -amounts[:, None] * UP, atol=1e-12)


@pytest.mark.parametrize("role", ["up axis", "height"])
def test_a_missing_role_is_named(role):
    with pytest.raises(MissingRoleError, match=f"No {role} is set"):
        hold_contacts(WALK, EDITS["up"], BODY.with_role(role, None), CONTACTS)
