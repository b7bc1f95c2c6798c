"""Windows that take over the timing of another part, found before or found here."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from hypothesis import given, settings
from hypothesis import strategies as st
from made_motion import swinging_chain

from core.analysis import shared_features
from core.analysis.alignment import UnalignableError
from core.body import find_body
from core.editing import PropagationWindow
from core.errors import SkeletonMismatchError
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.motion.time_maps.time_map import TimeMap
from core.sample_motion import sample_motion
from core.timeline import (
    OverlappingWindowsError,
    align_map,
    align_to_reference,
    match_web,
    propagation_windows,
    stretch_map,
)

RATE = 30.0
MOTION = swinging_chain(joints=5, frames=301, rate=RATE)
OPERATION = (10.0, 50.0)


def bent_window(start: float, end: float, bend: float, share: float = 0.0) -> PropagationWindow:
    """A window whose middle is bent early or late; `share` is where the operation window is cut."""
    way = np.linspace(share, 1.0, 33)
    own = start + (end - start) * (way - share) / (1.0 - share)
    operation = OPERATION[0] + 40.0 * (way + bend * np.sin(np.pi * way) / np.pi)
    return PropagationWindow(start, end, operation, own, 0.05)


def shown(time_map: TimeMap, frames: object) -> np.ndarray:
    return time_map.map_key_times(np.asarray(frames) / RATE) * RATE


@settings(max_examples=40, deadline=None)
@given(st.floats(25.0, 70.0), st.floats(20.0, 80.0), st.floats(-0.5, 0.5), st.floats(0.0, 1.0))
def test_windows_take_the_operation_windows_duration_and_all_else_is_shifted(first, second, bend, amount):
    windows = [bent_window(200.0, 200.0 + second, bend), bent_window(80.0, 80.0 + first, -bend)]
    time_map = align_map(MOTION, OPERATION, windows, amount=amount)
    lengths = [length + amount * (40.0 - length) for length in (first, second)]
    starts = shown(time_map, [80.0, 200.0])
    ends = shown(time_map, [80.0 + first, 200.0 + second])
    assert ends - starts == pytest.approx(lengths, abs=1e-6)
    assert np.array_equal(time_map(MOTION.times[:81]), MOTION.times[:81])
    between = np.linspace(80.0 + first, 200.0, 9)
    assert shown(time_map, between) - between == pytest.approx(lengths[0] - first, abs=1e-6)
    after = np.linspace(200.0 + second, 300.0, 9)
    assert shown(time_map, after) - after == pytest.approx(sum(lengths) - first - second, abs=1e-6)
    assert (np.diff(time_map(np.linspace(0.0, 12.0, 20_001))) > 0.0).all()


def test_inside_a_window_moments_come_when_they_do_in_the_operation_window():
    window = bent_window(100.0, 160.0, 0.4)
    time_map = align_map(MOTION, OPERATION, [window])
    came = shown(time_map, window.own_frames) - 100.0
    assert np.abs(came - (window.operation_frames - OPERATION[0])).max() < 0.5
    half = shown(align_map(MOTION, OPERATION, [window], amount=0.5), window.own_frames) - 100.0
    assert half == pytest.approx(0.5 * (came + window.own_frames - 100.0), abs=0.05)


def test_speed_has_no_corner_at_the_ends_of_windows():
    time_map = align_map(MOTION, OPERATION, [bent_window(100.0, 160.0, 0.4)])
    ends = shown(time_map, [100.0, 160.0]) / RATE
    assert time_map.speed(ends - 1e-9) == pytest.approx(1.0, abs=1e-5)
    assert time_map.speed(ends + 1e-9) == pytest.approx(1.0, abs=1e-5)


def test_a_cut_window_takes_the_duration_of_the_part_it_belongs_to():
    time_map = align_map(MOTION, OPERATION, [bent_window(100.0, 160.0, 0.0, share=0.25)])
    assert np.diff(shown(time_map, [100.0, 160.0])) == pytest.approx(30.0)


def test_amount_zero_keeps_all_times():
    time_map = align_map(MOTION, OPERATION, [bent_window(100.0, 160.0, 0.4)], amount=0.0)
    assert time_map(MOTION.times) == pytest.approx(MOTION.times, abs=1e-12)


def test_moments_that_differ_by_less_than_the_match_web_sees_are_found_in_the_features():
    """Both windows are as long; what happens in the second one is up to 1.5 frames late, between two frames."""
    place = (np.arange(301) - 10.0) / 40.0
    late = np.where((place > 2.0) & (place < 3.0), 1.5 / 40.0 * np.sin(np.pi * (place - 2.0)) ** 2, 0.0)
    phase = 2.0 * np.pi * (place - late)
    features = np.stack([np.cos(phase), np.sin(phase), np.cos(2.0 * phase)], axis=1)
    window = PropagationWindow(90.0, 130.0, np.linspace(*OPERATION, 33), np.linspace(90.0, 130.0, 33), 0.05)
    assert shown(align_map(MOTION, OPERATION, [window]), [110.0]) == pytest.approx(110.0, abs=1e-3)
    assert shown(align_map(MOTION, OPERATION, [window], features=features), [110.0]) == pytest.approx(108.5, abs=0.4)


def test_a_window_over_the_operation_window_is_refused():
    with pytest.raises(OverlappingWindowsError, match="Frames 40 to 90 overlap frames 10 to 50; disable"):
        align_map(MOTION, OPERATION, [bent_window(40.0, 90.0, 0.1)])


def test_windows_of_the_match_web_are_aligned_to_a_step():
    motion = sample_motion(RATE)
    body = find_body(motion.skeleton, motion=motion)
    operation = (1.06 * RATE, 2.1 * RATE)
    windows = [window for window in propagation_windows(match_web(motion, body), *operation) if window.ticked]
    time_map = align_map(motion, operation, windows)
    assert windows
    assert time_map.direction == 1
    for window in windows:
        duration = float(np.diff(window.operation_at([window.start, window.end]))[0])
        assert np.diff(shown(time_map, [window.start, window.end])) == pytest.approx(duration, abs=1e-6)


# A reference elsewhere: the same punch, at another speed, in another motion.
PUNCHES = sample_motion(RATE)
BODY = find_body(PUNCHES.skeleton, motion=PUNCHES)
WINDOW = (215.0, 250.0)


def warped_reference(rate: float = RATE) -> tuple[Motion, TimeMap]:
    """The windows motion with another timing, and that timing."""
    new, old = np.array([0.0, 215.0, 235.0, 265.0, 340.0]) / RATE, np.array([0.0, 215.0, 228.0, 250.0, 325.0]) / RATE
    timing = TimeMap.through(new, old)
    return timing.apply(PUNCHES, np.arange(0.0, 340.0 / RATE, 1.0 / rate)), timing


@pytest.mark.parametrize("rate", [30.0, 50.0])
def test_a_reference_with_known_timing_is_followed(rate):
    reference, timing = warped_reference(rate)
    features = shared_features(PUNCHES, BODY, reference)
    time_map = align_to_reference(
        PUNCHES, [WINDOW], reference, (215.0 * rate / RATE, 265.0 * rate / RATE), features=features
    )
    frames = np.linspace(*WINDOW, 30)
    wanted = timing.map_key_times(frames / RATE) * RATE
    assert shown(time_map, WINDOW) == pytest.approx([215.0, 265.0], abs=1e-6)
    assert np.abs(shown(time_map, frames) - wanted).max() < 1.5
    after = np.linspace(250.0, 350.0, 9)
    assert shown(time_map, after) - after == pytest.approx(15.0, abs=1e-6)


def test_the_reference_may_lie_in_the_same_motion():
    features = shared_features(PUNCHES, BODY, PUNCHES)
    assert features[0] is features[1]
    time_map = align_to_reference(PUNCHES, [WINDOW], PUNCHES, WINDOW, features=features)
    assert time_map(PUNCHES.times) == pytest.approx(PUNCHES.times, abs=1e-9)


def test_joints_are_found_by_name_and_sizes_do_not_count():
    skeleton = PUNCHES.skeleton
    order = np.random.default_rng(1).permutation(len(skeleton))
    place = np.argsort(order)
    other_skeleton = Skeleton.build(
        [skeleton.names[joint] for joint in order],
        [-1 if skeleton.parents[joint] < 0 else place[skeleton.parents[joint]] for joint in order],
        2.0 * skeleton.rest_positions[order],
        rest_rotations=skeleton.rest_rotations[order],
        tips=2.0 * skeleton.tips[order],
    )
    other = Motion.build(
        other_skeleton, PUNCHES.rotations[:, order], rate=RATE, locations=2.0 * PUNCHES.locations[:, order]
    )
    theirs = find_body(other_skeleton, motion=other)
    own, reference = shared_features(PUNCHES, BODY, other, reference_body=theirs)
    assert reference == pytest.approx(own, abs=0.02)


def test_only_painted_joints_count_if_asked():
    own, reference = shared_features(PUNCHES, BODY, warped_reference()[0], joints=[5, 6])
    assert own.shape == (len(PUNCHES), 6)
    assert reference.shape[1] == 6


def test_a_reference_that_lacks_a_joint_is_refused_by_name():
    names = [f"other {name}" for name in PUNCHES.skeleton.names]
    other = replace(PUNCHES, skeleton=replace(PUNCHES.skeleton, names=tuple(names)))
    with pytest.raises(SkeletonMismatchError, match=f"'{PUNCHES.skeleton.names[5]}'"):
        shared_features(PUNCHES, BODY, other, joints=[5])


def test_a_window_too_long_for_the_reference_is_refused():
    features = shared_features(PUNCHES, BODY, PUNCHES)
    with pytest.raises(UnalignableError, match="choose parts of more similar length"):
        align_to_reference(PUNCHES, [(100.0, 200.0)], PUNCHES, (10.0, 40.0), features=features)


def test_amounts_beyond_the_whole_are_a_mistake():
    with pytest.raises(ValueError, match="amount must be from 0 to 1"):
        align_map(MOTION, OPERATION, [bent_window(100.0, 160.0, 0.4)], amount=1.5)


def distance_in_step(motion: Motion, features: np.ndarray, time_map: TimeMap, parts: np.ndarray) -> float:
    """Mean distance of the first part and the others when they start together, in body heights."""
    new = time_map.map_key_times(motion.times[parts])
    moments = new[:, :1] + np.linspace(0.0, new[0, 1] - new[0, 0], 50)
    seen = np.stack([np.interp(time_map(moments), motion.times, feature) for feature in features.T], axis=-1)
    return float(np.linalg.norm(seen[1:] - seen[0], axis=-1).mean())


@pytest.mark.clips
def test_aligned_steps_of_a_march_are_more_alike_than_evenly_stretched_ones(clips_folder: Path) -> None:
    clip = next(clip for clip in annotated_clips(clips_folder) if "march" in clip.name)
    motion = clip.motion
    footfalls = [first - clip.lead for first, _ in clip.notes["foot_contacts"]["right"]][1:]
    parts = np.array(list(pairwise(footfalls)))
    features = shared_features(motion, clip.body, motion)
    lengths = parts[:, 1] - parts[:, 0]
    even = stretch_map(motion, parts[1:], lengths[0] / lengths[1:])
    aligned = align_to_reference(motion, parts[1:], motion, tuple(parts[0]), features=features)
    before, after = (distance_in_step(motion, features[0], time_map, parts) for time_map in (even, aligned))
    assert after < 0.95 * before
