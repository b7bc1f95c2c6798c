"""Durations of windows and moments of poses: whose frames are retimed, by how much, and never backward."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_motion import swinging_chain
from scipy.integrate import quad
from scipy.interpolate import BSpline

from core.motion.motion import Motion
from core.motion.time_maps.time_map import Ends, TimeMap
from core.timeline import (
    EmptyWindowError,
    ImpossibleFactorError,
    OverlappingWindowsError,
    move_pose_map,
    stretch_map,
)

RATE = 30.0
MOTION = swinging_chain(frames=301, rate=RATE)
LAST = 300.0
WINDOWS = [(180.0, 220.5), (10.0, 40.0), (60.25, 110.0), (110.0, 150.0), (250.0, 300.0)]
FACTORS = st.floats(0.01, 100.0)


@st.composite
def separate_windows(draw: st.DrawFn) -> list[tuple[float, float]]:
    """One to six windows that share no frames, in any order."""
    count = draw(st.integers(1, 6))
    cuts = sorted(draw(st.lists(st.integers(0, 1200), min_size=2 * count, max_size=2 * count, unique=True)))
    return draw(st.permutations([(first / 4, last / 4) for first, last in pairwise(cuts)][::2]))


def new_frames(time_map: TimeMap, frames: object, motion: Motion = MOTION) -> np.ndarray:
    """Where frames of the motion are shown, in frames."""
    return time_map.map_key_times(np.interp(frames, np.arange(len(motion)), motion.times)) * motion.rate


def assert_never_backward(time_map: TimeMap) -> None:
    """Strictly forward at 20,000 places, and said so by the map itself."""
    places = np.linspace(time_map.new_times[0] - 0.1, time_map.new_times[-1] + 0.1, 20_001)
    assert (np.diff(time_map(places)) > 0.0).all()
    assert time_map.direction == 1


@settings(max_examples=40, deadline=None)
@given(separate_windows(), FACTORS, st.floats(0.0, 0.5))
def test_each_window_is_stretched_by_the_factor_and_all_else_is_shifted(windows, factor, ease):
    time_map = stretch_map(MOTION, windows, factor, ease=ease)
    assert_never_backward(time_map)
    shift = 0.0
    end_before = 0.0
    for start, end in sorted(windows):
        first, last = new_frames(time_map, [start, end])
        assert last - first == pytest.approx(factor * (end - start), abs=1e-6)
        between = np.linspace(end_before, start, 7)
        assert new_frames(time_map, between) == pytest.approx(between + shift, abs=1e-6)
        shift += (factor - 1.0) * (end - start)
        end_before = end
    after = np.linspace(end_before, LAST, 7)
    assert new_frames(time_map, after) == pytest.approx(after + shift, abs=1e-6)


def test_a_window_is_retimed_alike_however_many_come_before_it():
    start, end = WINDOWS[0]
    alone = stretch_map(MOTION, [(start, end)], 0.7)
    among = stretch_map(MOTION, WINDOWS, 0.7)
    inside = np.linspace(start, end, 50)
    alone_frames, among_frames = new_frames(alone, inside), new_frames(among, inside)
    assert among_frames - among_frames[0] == pytest.approx(alone_frames - alone_frames[0], abs=1e-9)


def test_the_map_is_that_of_all_windows_composed_from_the_last_to_the_first():
    one_by_one = TimeMap.identity(0.0, MOTION.times[-1])
    # An edit of a later window leaves the frames of the earlier ones where they are.
    for start, end in sorted(WINDOWS, reverse=True):
        one_by_one = one_by_one.compose(stretch_map(MOTION, [(start, end)], 1.3))
    together = stretch_map(MOTION, WINDOWS, 1.3)
    places = np.linspace(0.0, together.new_times[-1], 1000)
    assert together(places) == pytest.approx(one_by_one(places), abs=1e-6)


def test_order_of_the_windows_makes_no_difference_and_each_takes_its_own_factor():
    factors = np.array([0.5, 2.0, 0.8, 1.0, 1.6])
    order = [3, 0, 4, 2, 1]
    one = stretch_map(MOTION, WINDOWS, factors)
    other = stretch_map(MOTION, [WINDOWS[place] for place in order], factors[order])
    assert np.array_equal(one.new_times, other.new_times)
    assert np.array_equal(one.curve.slopes, other.curve.slopes)
    for (start, end), factor in zip(WINDOWS, factors, strict=True):
        assert np.diff(new_frames(one, [start, end])) == pytest.approx(factor * (end - start), abs=1e-6)


@pytest.mark.parametrize("factor", [0.3, 0.9, 1.5, 2.5])
def test_speed_is_a_b_spline_without_corners_from_one_to_one(factor):
    ease, length = 0.25, 40.0 / RATE
    time_map = stretch_map(MOTION, [(100.0, 140.0)], factor, ease=ease)
    start, new_length = 100.0 / RATE, factor * length
    height = (1.0 / factor - 1.0) / (1.0 - ease)
    knots = np.array([0.0, 0.0, 0.0, ease / 2, ease, 1 - ease, 1 - ease / 2, 1.0, 1.0, 1.0])
    # Control values of a quadratic B-spline: none, none, then full, and back.
    spline = BSpline(knots, [0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0][: len(knots) - 3], 2)
    shares = np.linspace(0.0, 1.0, 101)[:-1]
    expected = 1.0 + height * np.array([spline(share) for share in shares])
    assert time_map.speed(start + shares * new_length) == pytest.approx(expected, abs=1e-9)
    total = quad(lambda share: 1.0 + height * spline(share), 0.0, 1.0, points=knots[3:7])[0] * new_length
    assert total == pytest.approx(length, abs=1e-9)
    assert time_map.speed([start - 0.3, start, start + new_length, start + new_length + 0.3]) == pytest.approx(1.0)


def test_frames_before_the_first_window_stay_bit_for_bit():
    time_map = stretch_map(MOTION, WINDOWS, 1.7)
    before = MOTION.times[:11]
    assert np.array_equal(time_map(before), before)
    retimed = time_map.apply(MOTION)
    assert np.array_equal(retimed.rotations[:11], MOTION.rotations[:11])
    assert len(retimed) == pytest.approx(len(MOTION) + 0.7 * sum(end - start for start, end in WINDOWS), abs=1.0)


@pytest.mark.parametrize("limit", [0.01, 100.0])
def test_limits_hold_in_single_precision_too(limit):
    single = float(np.float32(limit))
    time_map = stretch_map(MOTION, [(100.0, 140.0)], single)
    assert np.diff(new_frames(time_map, [100.0, 140.0])) == pytest.approx(40.0 * limit, rel=1e-5)


def test_factor_one_changes_nothing_at_all():
    assert np.array_equal(stretch_map(MOTION, WINDOWS, 1.0)(MOTION.times), MOTION.times)
    poses = [(start, 0.5 * (start + end), end) for start, end in WINDOWS]
    assert move_pose_map(MOTION, poses, 1.0)(MOTION.times) == pytest.approx(MOTION.times, abs=1e-12)


def test_time_goes_on_beyond_the_motion_for_keys_out_there():
    time_map = stretch_map(MOTION, [(10.0, 40.0)], 2.0)
    assert time_map.ends is Ends.EXTEND
    assert time_map.map_key_times([-1.0, 11.0]) == pytest.approx([-1.0, 12.0])


@pytest.mark.parametrize("factor", [3.0, 10.0, 100.0])
def test_ease_is_cut_down_where_time_would_stand_still(factor):
    time_map = stretch_map(MOTION, [(100.0, 140.0)], factor, ease=0.5)
    places = np.linspace(100.0 / RATE, time_map.new_times[-1], 5000)
    assert time_map.speed(places).min() == pytest.approx(0.5 / factor, rel=1e-3)


def test_uneven_frames_are_stretched_in_seconds():
    times = np.cumsum(np.linspace(0.01, 0.05, len(MOTION)))
    uneven = Motion.build(MOTION.skeleton, MOTION.rotations, rate=RATE, times=times)
    time_map = stretch_map(uneven, [(50.0, 80.0)], 1.5)
    assert np.diff(time_map.map_key_times(times[[50, 80]])) == pytest.approx(1.5 * (times[80] - times[50]))


@settings(max_examples=40, deadline=None)
@given(separate_windows(), st.floats(0.01, 3.0), st.floats(0.05, 0.95))
def test_a_moved_pose_leaves_every_window_where_it_was(windows, factor, share):
    triples = [(start, start + share * (end - start), end) for start, end in windows]
    time_map = move_pose_map(MOTION, triples, factor)
    assert_never_backward(time_map)
    for start, pose, end in triples:
        first, moved, last = new_frames(time_map, [start, pose, end])
        assert (first, last) == pytest.approx((start, end), abs=1e-6)
        wanted = min(factor * (pose - start), end - start - 0.1 * (end - pose))
        assert moved - first == pytest.approx(wanted, abs=1e-6)
    outside = [frame for frame in range(301) if not any(start < frame < end for start, end in windows)]
    assert np.array_equal(time_map(MOTION.times[outside]), MOTION.times[outside])


def test_only_the_window_without_room_stops_the_pose():
    time_map = move_pose_map(MOTION, [(0.0, 20.0, 100.0), (100.0, 160.0, 180.0)], 2.0)
    assert new_frames(time_map, [20.0, 160.0]) == pytest.approx([40.0, 178.0], abs=1e-6)


@pytest.mark.parametrize(
    ("windows", "factor", "error", "reason"),
    [
        ([(10, 30), (29, 50)], 2.0, OverlappingWindowsError, "Frames 29 to 50 overlap frames 10 to 30; disable"),
        ([(29, 50), (10, 30)], 2.0, OverlappingWindowsError, "Frames 29 to 50 overlap frames 10 to 30"),
        ([(30, 30)], 2.0, EmptyWindowError, "Frames 30 to 30 must increase"),
        ([(290, 301)], 2.0, EmptyWindowError, "within 0 to 300"),
        ([(np.nan, 30)], 2.0, EmptyWindowError, "choose another window"),
        ([], 2.0, EmptyWindowError, "No window is chosen"),
        ([(10, 30)], 0.0, ImpossibleFactorError, "become 0 times as long; choose a factor from 0.01 to 100"),
        ([(10, 30)], -1.0, ImpossibleFactorError, "become -1 times"),
        ([(10, 30), (40, 50)], [1.0, np.nan], ImpossibleFactorError, "become nan times"),
    ],
)
def test_what_cannot_be_stretched_is_refused_with_the_fix(windows, factor, error, reason):
    with pytest.raises(error, match=reason):
        stretch_map(MOTION, windows, factor)


def test_a_pose_outside_its_window_is_refused():
    with pytest.raises(EmptyWindowError, match="Frames 10 to 10 to 30 must increase"):
        move_pose_map(MOTION, [(10, 10, 30)], 2.0)


def test_ease_beyond_the_middle_is_a_mistake():
    with pytest.raises(ValueError, match="ease must be from 0"):
        stretch_map(MOTION, [(10, 30)], 2.0, ease=0.6)
