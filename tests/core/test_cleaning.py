"""Spikes, gaps and jumps: what is found, what is filled in, what is left alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from made_motion import Motion, chain, random_rotations, smooth_curves, smooth_rotations
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

from core import quaternion
from core.cleaning import (
    Flaw,
    FlawKind,
    find_held,
    find_jumps,
    find_spikes,
    motion_with_gaps,
    repaired,
    without_jumps,
)
from core.errors import NotFiniteError, SkeletonMismatchError
from core.rotation_channels import from_euler, to_euler

FRAMES, JOINTS, RATE = 300, 4, 60.0


def clean(seed: int = 1) -> Motion:
    """Swinging joints with a little noise and a root that travels."""
    noise = 0.002 * np.random.default_rng(seed).normal(size=(FRAMES, JOINTS, 3))
    rotations = quaternion.multiply(smooth_rotations(FRAMES, JOINTS, seed), quaternion.exp(noise))
    locations = np.zeros((FRAMES, JOINTS, 3))
    locations[:, 0] = smooth_curves(FRAMES, 3, seed + 3)
    return Motion.build(chain(JOINTS), rotations, rate=RATE, locations=locations)


def with_spikes(motion: Motion, spans: list[tuple[int, int, int]], size: float) -> Motion:
    """Rotations turned away in some spans of joint, first and last frame."""
    rotations = np.array(motion.rotations)
    for joint, first, last in spans:
        turn = quaternion.exp(size * np.array([0.6, -0.8, 0.0]))
        rotations[first : last + 1, joint] = quaternion.multiply(rotations[first : last + 1, joint], turn)
    return motion.with_rotations(rotations)


def places(flaws: tuple[Flaw, ...]) -> list[tuple[str, str, int, int]]:
    return [(flaw.joint, flaw.channel, flaw.first, flaw.last) for flaw in flaws]


def marked(motion: Motion, flaws: tuple[Flaw, ...]) -> np.ndarray:
    """(F, J) samples of rotations that are listed."""
    mask = np.zeros(motion.rotations.shape[:2], dtype=bool)
    for flaw in flaws:
        if flaw.channel == "rotation":
            mask[flaw.first : flaw.last + 1, motion.skeleton.index[flaw.joint]] = True
    return mask


SPANS = [(0, 40, 40), (1, 100, 101), (2, 200, 202), (2, 60, 60)]


# Spikes


def test_spikes_are_found_with_place_and_size():
    found = find_spikes(with_spikes(clean(), SPANS, 0.5))
    assert sorted(places(found)) == sorted((f"joint {j}", "rotation", first, last) for j, first, last in SPANS)
    for flaw in found:
        assert flaw.kind is FlawKind.SPIKE
        assert flaw.size == pytest.approx(0.5, abs=0.1)


def test_a_clean_motion_has_no_spikes():
    assert find_spikes(clean()) == ()


def test_spikes_of_locations_are_found():
    motion = clean()
    locations = np.array(motion.locations)
    locations[77:79, 0] += [0.5, 0.0, -0.3]
    found = find_spikes(motion.with_locations(locations))
    assert places(found) == [("joint 0", "location", 77, 78)]
    fixed = repaired(motion.with_locations(locations), found)
    np.testing.assert_allclose(fixed.locations, motion.locations, atol=0.01)


def test_a_quick_movement_that_stays_is_no_spike():
    angles = np.repeat([0.0, 1.0], 150)[:, None, None] * np.array([0.0, 0.6, 0.8])
    assert find_spikes(Motion.build(chain(1), quaternion.exp(angles), rate=RATE)) == ()


def test_what_lasts_longer_is_no_spike():
    spiked = with_spikes(clean(), [(1, 100, 105)], 0.5)
    assert find_spikes(spiked, longest=3) == ()
    assert places(find_spikes(spiked, longest=6)) == [("joint 1", "rotation", 100, 105)]


def test_only_chosen_joints_are_searched():
    found = find_spikes(with_spikes(clean(), SPANS, 0.5), joints=np.arange(JOINTS) == 1)
    assert places(found) == [("joint 1", "rotation", 100, 101)]


def test_spikes_are_the_same_however_the_character_is_turned():
    spiked, turn = with_spikes(clean(), SPANS, 0.5), quaternion.normalize([0.3, -0.5, 0.2, 0.7])
    turned = spiked.with_rotations(quaternion.multiply(turn, spiked.rotations))
    assert places(find_spikes(turned)) == places(find_spikes(spiked))


def test_repair_fills_in_spikes_and_touches_nothing_else():
    motion = clean()
    spiked = with_spikes(motion, SPANS, 0.5)
    found = find_spikes(spiked)
    fixed = repaired(spiked, found)
    good = ~marked(motion, found)
    np.testing.assert_array_equal(fixed.rotations[good], spiked.rotations[good])
    np.testing.assert_array_equal(fixed.locations, spiked.locations)
    assert quaternion.angle_between(fixed.rotations, motion.rotations).max() < 0.02


def test_spikes_put_into_real_clips_are_found(clips_folder: Path) -> None:
    """Of spikes of 20 degrees and more, nearly all are found; next to nothing is that the clip did not have."""
    put, hits, listed = 0, 0, 0
    for clip in annotated_clips(clips_folder):
        motion = clip.motion
        if len(motion) > 1300:
            continue
        random = np.random.default_rng(len(motion))
        joints = np.flatnonzero((motion.rotations != motion.rotations[:1]).any(axis=(0, 2)))
        spans = [(int(joint), int(frame), int(frame + random.integers(0, 3))) for joint in joints
                 for frame in random.integers(5, len(motion) - 8, size=1)]  # fmt: skip
        truth = np.zeros(motion.rotations.shape[:2], dtype=bool)
        for joint, first, last in spans:
            truth[first : last + 1, joint] = True
        had = marked(motion, find_spikes(motion))
        found = marked(motion, find_spikes(with_spikes(motion, spans, float(random.uniform(0.35, 1.5)))))
        put, hits, listed = put + truth.sum(), hits + (truth & found).sum(), listed + (found & ~had).sum()
    assert hits / put > 0.95
    assert hits / listed > 0.95


# Gaps


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


@pytest.mark.parametrize("length", [1, 5, 20])
def test_missing_samples_are_filled_in(length):
    motion = clean()
    rotations, locations = np.array(motion.rotations), np.array(motion.locations)
    rotations[50 : 50 + length, 2] = np.nan
    rotations[120, 1] = 0.0
    locations[80 : 80 + length, 0, 1] = np.nan
    filled, flaws = motion_with_gaps(motion.skeleton, rotations, rate=RATE, locations=locations)
    assert sorted(places(flaws)) == [
        ("joint 0", "location", 80, 79 + length),
        ("joint 1", "rotation", 120, 120),
        ("joint 2", "rotation", 50, 49 + length),
    ]
    assert {flaw.kind for flaw in flaws} == {FlawKind.MISSING}
    assert quaternion.angle_between(filled.rotations, motion.rotations).max() < 0.05
    np.testing.assert_allclose(filled.locations, motion.locations, atol=0.02)


def test_gaps_at_the_ends_hold_the_nearest_sample():
    motion = clean()
    rotations = np.array(motion.rotations)
    rotations[:5, 0] = rotations[-7:, 3] = np.nan
    filled, _ = motion_with_gaps(motion.skeleton, rotations, rate=RATE, locations=motion.locations)
    assert quaternion.angle_between(filled.rotations[:5, 0], motion.rotations[5, 0]).max() < 1e-7
    assert quaternion.angle_between(filled.rotations[-7:, 3], motion.rotations[-8, 3]).max() < 1e-7


def test_a_joint_without_samples_is_refused():
    rotations = np.array(clean().rotations)
    rotations[:, 1] = np.nan
    with pytest.raises(NotFiniteError, match="'joint 1' has no rotation in any frame"):
        motion_with_gaps(clean().skeleton, rotations, rate=RATE)


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
    with pytest.raises(SkeletonMismatchError, match="no joint 'tail'; search again"):
        repaired(clean(), [Flaw(FlawKind.SPIKE, "tail", "rotation", 1, 2, 1.0)])


# Jumps


def test_signs_that_turn_round_are_found_and_put_right():
    rotations = np.array(clean().rotations)
    rotations[50:80, 1] *= -1.0
    found = find_jumps(rotations, clean().skeleton.names)
    assert places(found) == [("joint 1", "rotation", 50, 50), ("joint 1", "rotation", 80, 80)]
    assert [flaw.size for flaw in found] == pytest.approx([2.0, 2.0])
    np.testing.assert_array_equal(without_jumps(rotations), clean().rotations)


@pytest.mark.parametrize("order", ["XYZ", "ZXY"])
def test_euler_angles_that_jump_are_found_and_put_right(order):
    angles = to_euler(smooth_rotations(FRAMES, JOINTS, 2, reach=0.5), order)
    first, second, third = ("XYZ".index(letter) for letter in order)
    broken = angles.copy()
    broken[100:, 0, 1] -= 2.0 * np.pi
    flipped = broken[150:180, 2]
    broken[150:180, 2, [first, third]] = flipped[:, [first, third]] + np.pi
    broken[150:180, 2, second] = np.pi - flipped[:, second]
    names = clean().skeleton.names
    assert [(flaw.joint, flaw.first) for flaw in find_jumps(broken, names, order=order)] == [
        ("joint 0", 100),
        ("joint 2", 150),
        ("joint 2", 180),
    ]
    fixed = without_jumps(broken, order=order)
    np.testing.assert_allclose(fixed, angles, atol=1e-9)
    np.testing.assert_array_equal(fixed[:, 1], angles[:, 1])
    assert find_jumps(fixed, names, order=order) == ()


def test_angles_without_jumps_keep_their_rotations():
    wild = np.random.default_rng(0).uniform(-4.0, 4.0, size=(40, 2, 3))
    fixed = without_jumps(wild, order="YXZ")
    matrices = [Rotation.from_euler("yxz", each.reshape(-1, 3)[:, [1, 0, 2]]).as_matrix() for each in (wild, fixed)]
    np.testing.assert_allclose(matrices[1], matrices[0], atol=1e-9)
    assert quaternion.angle_between(from_euler(wild, "YXZ"), from_euler(fixed, "YXZ")).max() < 1e-7


def test_channels_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"shape \(F, J, 3\)"):
        without_jumps(random_rotations(5, 2), order="XYZ")
