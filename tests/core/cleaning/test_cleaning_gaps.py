"""Held and missing samples of captured motion: found, and filled in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from made_flaws import FRAMES, RATE, SPANS, clean, marked, places, with_spikes
from made_motion import Motion, chain
from scipy.interpolate import CubicHermiteSpline

from core.analysis.contacts import ContactSpans
from core.analysis.flaws import Flaw, FlawKind, find_spikes
from core.cleaning import find_held
from core.editing import repaired
from core.errors import SkeletonMismatchError
from core.numerics import quaternion


def held(motion: Motion, joint: int, first: int, last: int) -> Motion:
    rotations = np.array(motion.rotations)
    rotations[first : last + 1, joint] = rotations[first - 1, joint]
    return motion.with_rotations(rotations)


def test_held_samples_are_found_and_filled_in():
    motion = clean()
    frozen = held(held(motion, 1, 100, 112), 3, 200, 208)
    found = find_held(frozen)
    assert places(found) == [("joint 1", "rotation", 100, 112), ("joint 3", "rotation", 200, 208)]
    fixed = repaired(frozen, found)
    before, after = (quaternion.angle_between(each.rotations, motion.rotations).max() for each in (frozen, fixed))
    assert after < 0.25 * before


def test_a_pause_is_not_a_gap():
    phase = np.clip(np.arange(FRAMES) / 60.0 - 1.0, 0.0, 1.0)
    eased = phase**2 * (3.0 - 2.0 * phase)
    eased = eased + np.clip(np.arange(FRAMES) / 60.0 - 2.5, 0.0, 1.0) ** 2
    motion = Motion.build(chain(1), quaternion.exp(eased[:, None, None] * np.array([0.0, 0.6, 0.8])), rate=RATE)
    assert find_held(motion) == ()


def _turning(angles: np.ndarray) -> Motion:
    return Motion.build(chain(1), quaternion.exp(angles[:, None, None] * np.array([1.0, 0.0, 0.0])), rate=RATE)


def test_a_joint_at_the_end_of_its_range_is_no_gap():
    """A knee that is stretched for a while comes at full speed, and leaves the way that it came."""
    swing = 0.8 * np.abs(np.sin(np.linspace(0.0, 6.0 * np.pi, FRAMES)))
    straight = _turning(np.maximum(swing - 0.3, 0.0))
    assert len(find_held(held(_turning(swing), 0, 40, 55))) == 1
    assert find_held(straight) == ()


def test_a_joint_in_contact_is_no_gap():
    frozen = held(clean(), 1, 100, 112)
    (gap,) = find_held(frozen)
    stands = ContactSpans({gap.joint: ((99 / RATE, 113 / RATE),)})
    assert find_held(frozen, contacts=stands) == ()
    assert len(find_held(frozen, contacts=ContactSpans({gap.joint: ((99 / RATE, 103 / RATE),)}))) == 1


def test_motion_that_was_drawn_with_holds_has_no_gaps():
    """Pose to pose with straight lines between the poses: some of the holds end in full movement, most do not."""
    stops = np.repeat(np.random.default_rng(2).normal(size=12), 2)
    angles = np.interp(np.arange(FRAMES), np.cumsum([0, *([8, 20] * 12)[:23]]), stops)
    eased = angles.copy()
    eased[60:] = np.convolve(angles, np.ones(13) / 13.0, mode="same")[60:]
    assert find_held(_turning(eased)) == ()


def test_long_pauses_are_left_alone():
    frozen = held(clean(), 1, 100, 199)
    assert find_held(frozen) == ()
    assert len(find_held(frozen, longest=2.0)) == 1


def test_held_samples_in_real_clips_are_found_and_filled_in(clips_folder: Path) -> None:
    """Joints frozen for an eighth of a second while they turn: all are listed, and most of the error goes."""
    put, hits, listed, left = 0, 0, 0, []
    for clip in annotated_clips(clips_folder):
        motion = clip.motion
        if len(motion) > 1300 or motion.rate < 60.0:
            continue
        length, random = round(motion.rate / 8.0), np.random.default_rng(len(motion))
        frozen, truth = motion, np.zeros(motion.rotations.shape[:2], dtype=bool)
        speeds = quaternion.angle_between(motion.rotations[1:], motion.rotations[:-1]) * motion.rate
        for joint in np.flatnonzero(speeds.max(axis=0) > 2.0)[::3]:
            ends = np.minimum(speeds[18 : -length - 20, joint], speeds[length + 19 : -19, joint])
            quick = np.flatnonzero(ends > 1.0) + 20  # Before and after the frozen samples the joint turns.
            if not len(quick):
                continue
            first = int(random.choice(quick))
            frozen = held(frozen, joint, first, first + length - 1)
            truth[first : first + length, joint] = True
        had, found = marked(motion, find_held(motion)), find_held(frozen)
        mask = marked(motion, found)
        put, hits, listed = put + truth.sum(), hits + (truth & mask).sum(), listed + (mask & ~had).sum()
        errors = [
            quaternion.angle_between(each.rotations, motion.rotations)[truth].sum()
            for each in (repaired(frozen, found), frozen)
        ]
        left.append(errors[0] / max(errors[1], 1e-9))
    assert put > 500
    assert hits / put > 0.97
    assert hits / listed > 0.97
    assert np.mean(left) < 0.35


def test_vectors_are_filled_in_like_scipys_hermite_spline():
    """Speeds beside a gap of three frames are those of the steps next to it."""
    motion = clean()
    gap, path, times = Flaw(FlawKind.MISSING, "joint 0", "location", 90, 92, 0.0), motion.locations[:, 0], motion.times
    slopes = [(path[89] - path[88]) * RATE, (path[94] - path[93]) * RATE]
    oracle = CubicHermiteSpline(times[[89, 93]], path[[89, 93]], slopes)
    np.testing.assert_allclose(repaired(motion, [gap]).locations[90:93, 0], oracle(times[90:93]), atol=1e-12)


def test_a_steady_turn_is_filled_in_exactly():
    angles = np.linspace(0.0, 4.0, 100)[:, None, None] * np.array([0.0, 0.6, 0.8])
    motion = Motion.build(chain(1), quaternion.exp(angles), rate=RATE)
    fixed = repaired(motion, [Flaw(FlawKind.MISSING, "joint 0", "rotation", 30, 45, 0.0)])
    assert quaternion.angle_between(fixed.rotations, motion.rotations).max() < 1e-7


def test_a_long_gap_after_a_quick_movement_does_not_swing_out():
    angles = np.concatenate([np.linspace(-1.0, 0.0, 10), np.zeros(100), np.linspace(0.0, 1.0, 10)])
    motion = Motion.build(chain(1), quaternion.exp(angles[:, None, None] * np.array([0.0, 0.6, 0.8])), rate=RATE)
    fixed = repaired(motion, [Flaw(FlawKind.MISSING, "joint 0", "rotation", 10, 109, 0.0)])
    assert quaternion.angle_between(fixed.rotations, motion.rotations).max() < 0.4


def test_neighbouring_gaps_do_not_learn_from_each_other():
    motion = clean()
    spiked = with_spikes(motion, [(1, 100, 100), (1, 102, 102)], 2.0)
    flaws = [Flaw(FlawKind.SPIKE, "joint 1", "rotation", frame, frame, 2.0) for frame in (100, 102)]
    assert quaternion.angle_between(repaired(spiked, flaws).rotations, motion.rotations).max() < 0.02


def test_repair_commutes_with_turning_the_character():
    spiked, turn = with_spikes(clean(), SPANS, 0.5), quaternion.normalize([0.3, -0.5, 0.2, 0.7])
    found = find_spikes(spiked)
    turned = spiked.with_rotations(quaternion.multiply(turn, spiked.rotations))
    expected = quaternion.multiply(turn, repaired(spiked, found).rotations)
    assert quaternion.angle_between(repaired(turned, found).rotations, expected).max() < 1e-7


def test_nothing_listed_changes_nothing():
    motion = clean()
    fixed = repaired(motion, [])
    np.testing.assert_array_equal(fixed.rotations, motion.rotations)


def test_flaws_of_another_skeleton_are_refused():
    with pytest.raises(SkeletonMismatchError, match="no bone 'tail'; search again"):
        repaired(clean(), [Flaw(FlawKind.SPIKE, "tail", "rotation", 1, 2, 1.0)])
