"""Extremes and contacts that outlast a filter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import BODY, CONTACTS, WALK, largest_miss
from made_motion import Motion, chain

from core.analysis.extremes import evidence
from core.analysis.extremes.candidates import PoseCandidates
from core.analysis.extremes.extraction import extract_poses
from core.filters import keep_extremes, low_passed
from core.numerics import quaternion
from core.numerics.responses import butterworth
from core.solve.contact_lock import hold_contacts

RATE = 60.0
AXIS = np.array([0.0, 0.6, 0.8])


def extreme_frames(motion: Motion, extremes: PoseCandidates) -> np.ndarray:
    """(K, J) frames of every joint's extremes."""
    times = extremes.times[:, None] + extremes.refinements
    return np.abs(times[..., None] - motion.times).argmin(axis=-1)


def same_rotation_bits(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a == b).all(axis=-1) | (a == -b).all(axis=-1)


EXTREMES = extract_poses(WALK, BODY)
SMOOTHED = low_passed(WALK, butterworth(2.0))
KEPT = keep_extremes(WALK, SMOOTHED, EXTREMES)


def test_extremes_are_bit_for_bit_those_before_the_filter():
    frames, joints = extreme_frames(WALK, EXTREMES), np.arange(len(WALK.skeleton))
    assert not same_rotation_bits(SMOOTHED.rotations[frames, joints], WALK.rotations[frames, joints]).all()
    assert same_rotation_bits(KEPT.rotations[frames, joints], WALK.rotations[frames, joints]).all()


def test_the_root_keeps_its_extremes_of_place():
    frames = np.abs((EXTREMES.times + EXTREMES.root_refinements)[:, None] - WALK.times).argmin(axis=1)
    np.testing.assert_array_equal(KEPT.locations[frames], WALK.locations[frames])


def test_what_is_far_from_extremes_stays_filtered():
    frames = extreme_frames(WALK, EXTREMES)
    fade = 0.15 * WALK.rate
    for joint in range(len(WALK.skeleton)):
        far = (np.abs(np.arange(len(WALK))[:, None] - frames[:, joint]) > fade).all(axis=1)
        same = same_rotation_bits(KEPT.rotations[far, joint], SMOOTHED.rotations[far, joint])
        assert same.all()


def test_no_fade_changes_the_extremes_alone():
    kept = keep_extremes(WALK, SMOOTHED, EXTREMES, fade=0.0)
    changed = ~same_rotation_bits(kept.rotations, SMOOTHED.rotations)
    frames, joints = extreme_frames(WALK, EXTREMES), np.arange(len(WALK.skeleton))
    changed[frames, joints] = False
    assert not changed.any()


def test_an_unfiltered_motion_stays():
    kept = keep_extremes(WALK, WALK, EXTREMES)
    for name in ("rotations", "locations", "scales"):
        np.testing.assert_array_equal(getattr(kept, name), getattr(WALK, name))


def test_joints_that_are_not_chosen_stay_filtered():
    joints = np.arange(len(WALK.skeleton)) < 5
    kept = keep_extremes(WALK, SMOOTHED, EXTREMES, joints=joints)
    np.testing.assert_array_equal(kept.rotations[:, ~joints], SMOOTHED.rotations[:, ~joints])


def test_no_joints_chosen_leaves_the_filtered_motion():
    kept = keep_extremes(WALK, SMOOTHED, EXTREMES, joints=np.zeros(len(WALK.skeleton), dtype=bool))
    np.testing.assert_array_equal(kept.rotations, SMOOTHED.rotations)
    np.testing.assert_array_equal(kept.locations, SMOOTHED.locations)


def test_a_turn_of_the_character_can_come_before_or_after():
    turn = quaternion.normalize([0.3, -0.5, 0.2, 0.7])

    def turned(motion: Motion) -> Motion:
        return motion.with_rotations(quaternion.multiply(turn, motion.rotations))

    one = keep_extremes(turned(WALK), turned(SMOOTHED), EXTREMES).rotations
    assert quaternion.angle_between(one, turned(KEPT).rotations).max() < 1e-9


@pytest.mark.parametrize("skew", [0.0, 0.3, 0.6])
def test_peaks_keep_their_size_exactly_and_their_time_within_a_frame(skew):
    """Sharp swings, of which smoothing takes a third and which it moves."""
    time = np.arange(360) / RATE
    phase = (time % 1.0) - 0.5
    angles = np.where(phase < 0.0, np.exp(phase / (0.1 + 0.15 * skew)), np.exp(-phase / 0.1))
    motion = Motion.build(chain(1), quaternion.exp(angles[:, None, None] * AXIS), rate=RATE)
    peaks = np.flatnonzero(phase == 0.0)
    times = np.concatenate([[0.0], time[peaks], [time[-1]]])
    nothing = np.zeros(len(times))
    extremes = PoseCandidates(times, np.r_[0, peaks, 359], nothing, nothing[:, None], nothing, np.zeros(360))
    smoothed = low_passed(motion, butterworth(2.0))
    kept = keep_extremes(motion, smoothed, extremes)

    def peak_of(result: Motion, peak: int) -> tuple[int, float]:
        around = (quaternion.log(result.rotations)[:, 0] @ AXIS)[peak - 12 : peak + 13]
        return int(around.argmax()) - 12, float(around.max())

    for peak in peaks[1:-1]:
        assert peak_of(smoothed, peak)[1] < 0.8
        shift, size = peak_of(kept, peak)
        assert shift == 0
        assert size == pytest.approx(1.0, abs=1e-9)


def way_back(motion: Motion, frame: int, joint: int, window: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Axis (3,) that leads away from an extreme on both sides, and how far along it each moment was.

    None where the motion goes straight on, or has gone farther than the extreme before any filter.
    """
    seen = turns_from(motion, motion, frame, joint, window)
    edge = int(np.clip(window // 2, 1, max(1, round(motion.rate / 24.0))))
    sides = seen[[window - edge, window + edge]]
    length = np.linalg.norm(sides, axis=1, keepdims=True)
    middle = np.where(length > 1e-6, sides / np.where(length > 0.0, length, 1.0), 0.0).sum(axis=0)
    if np.linalg.norm(middle) < 0.1:
        return None
    axis = middle / np.linalg.norm(middle)
    return (axis, seen @ axis) if (seen @ axis).min() >= 0.0 else None


def turns_from(motion: Motion, result: Motion, frame: int, joint: int, window: int) -> np.ndarray:
    """(2 window + 1, 3) turns from an extreme of a motion to the moments around it in a result."""
    around = result.rotations[frame - window : frame + window + 1, joint]
    return quaternion.log(quaternion.multiply(quaternion.conjugate(motion.rotations[frame, joint]), around))


@pytest.mark.parametrize("hertz", [1.0, 2.0, 4.0])
def test_no_moment_near_an_extreme_goes_beyond_it(hertz):
    smoothed = low_passed(WALK, butterworth(hertz))
    kept = keep_extremes(WALK, smoothed, EXTREMES)
    frames, beyond, looked_at = extreme_frames(WALK, EXTREMES), 0.0, 0
    for joint in range(len(WALK.skeleton)):
        own = np.unique(frames[:, joint])
        for before, frame, after in zip(own, own[1:], own[2:], strict=False):
            # Half-way to the next extreme, or as far as the fade reaches.
            window = int(np.ceil(min(0.15 * WALK.rate, 0.5 * (frame - before), 0.5 * (after - frame)))) - 1
            found = way_back(WALK, frame, joint, window) if 2 <= window <= frame < len(WALK) - window else None
            if found is None:
                continue
            axis, once = found
            now = turns_from(WALK, kept, frame, joint, window) @ axis
            assert (now >= 0.1 * once - 1e-9).all()
            beyond = max(beyond, -float((turns_from(WALK, smoothed, frame, joint, window) @ axis).min()))
            looked_at += 1
    assert looked_at > 100
    assert beyond > np.radians(0.2), "the filter alone should go beyond extremes, or nothing is tested"


def test_contacts_can_be_held_afterwards():
    held, report = hold_contacts(WALK, KEPT, BODY, CONTACTS)
    assert largest_miss(WALK, KEPT, CONTACTS) > 0.01
    assert largest_miss(WALK, held, CONTACTS) < 1e-6
    assert not report.missed


def test_other_frames_are_refused():
    with pytest.raises(ValueError, match="same joints and frames"):
        keep_extremes(WALK, SMOOTHED.part(0, 50), EXTREMES)


def test_real_clips_turn_as_sharply_as_before_at_their_extremes(clips_folder: Path) -> None:
    """An edge before an extreme, at it, and an edge after it the pose is that of the clip."""
    for clip in annotated_clips(clips_folder):
        motion = clip.motion
        if motion.rate < 60.0 or len(motion) > 1300:
            continue
        extremes = extract_poses(motion, clip.body)
        kept = keep_extremes(motion, low_passed(motion, butterworth(3.0)), extremes)
        frames, edge = extreme_frames(motion, extremes), round(motion.rate / 24.0)
        ends = evidence.limb_ends(motion.skeleton)
        for joint in range(0, len(motion.skeleton), 5):
            own = np.unique(frames[:, joint])
            clear = own[1:-1][(np.diff(own)[:-1] > 4 * edge) & (np.diff(own)[1:] > 4 * edge)]
            sharp = [
                evidence.rotation_evidence(each.rotations[:, joint].T, ends[joint], step=edge, still=0.025)[0][clear]
                for each in (motion, kept)
            ]
            np.testing.assert_allclose(sharp[1], sharp[0], atol=1e-3)
