"""Time maps: evaluation, construction, use on motions and keys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_motion import chain, swinging_chain
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from core.errors import NotInvertibleError, TimeOrderError
from core.motion.motion import Motion
from core.motion.time_maps.time_map import Ends, TimeMap
from core.numerics import PiecewiseCubic, quaternion


def steps(least):
    return st.lists(st.floats(least, 20.0), min_size=2, max_size=12)


@st.composite
def correspondences(draw, least=0.0):
    """New times that increase and old times that never fall; `least` is the smallest step of the latter."""
    new = np.cumsum(draw(steps(1e-3)))
    old = np.cumsum([draw(st.floats(least, 20.0)) for _ in new])
    return new, old


def wavy(ends=Ends.HOLD):
    return TimeMap.through([0.0, 1.0, 2.0, 4.0], [0.5, 0.7, 2.5, 3.0], ends=ends)


def every_way(times):
    """One map of every kind."""
    return [
        TimeMap.identity(0.0, 4.0),
        TimeMap.shift(0.3),
        TimeMap.scale(1.7, 1.0),
        TimeMap.reverse(0.5, 3.5),
        TimeMap.from_samples(times, np.sort(np.random.default_rng(1).uniform(0, 4, len(times)))),
        wavy(),
        wavy(Ends.EXTEND),
        wavy(Ends.CYCLE),
        TimeMap.through([0.0, 1.0, 2.0, 3.0], [0.0, 2.0, 1.5, 3.0], monotone=False),
    ]


@given(correspondences())
@settings(deadline=None)
def test_time_never_runs_backward_and_stays_within_its_correspondences(pair):
    new, old = pair
    shown = TimeMap.through(new, old)(np.linspace(new[0] - 1.0, new[-1] + 1.0, 700))
    assert (np.diff(shown) >= -1e-12 * (1.0 + old[-1])).all()
    assert shown.min() == old[0]
    assert shown.max() == old[-1]


@given(correspondences())
@settings(deadline=None)
def test_knots_are_met_bit_for_bit(pair):
    new, old = pair
    for made in (TimeMap.through(new, old), TimeMap.from_samples(new, old), TimeMap.through(new, old[::-1])):
        np.testing.assert_array_equal(made(made.new_times), made.old_times)


@given(correspondences())
@settings(deadline=None)
def test_every_piece_lies_between_the_values_that_scipys_monotone_curve_lies_between(pair):
    new, old = pair
    inside = np.linspace(new[0], new[-1], 300)
    ours, theirs = TimeMap.through(new, old)(inside), PchipInterpolator(new, old)(inside)
    piece = np.clip(np.searchsorted(new, inside, side="right") - 1, 0, len(new) - 2)
    assert (ours >= old[piece]).all()
    assert (ours <= old[piece + 1]).all()
    assert (np.abs(ours - theirs) <= np.diff(old)[piece] + 1e-9).all()


def test_agrees_with_scipys_hermite_spline_on_the_same_slopes():
    made = wavy()
    slopes = np.append(made.curve.slopes[:, 0], made.curve.slopes[-1, 1])
    spline = CubicHermiteSpline(made.new_times, made.old_times, slopes)
    inside = np.linspace(0.0, 4.0, 101)
    np.testing.assert_allclose(made(inside), spline(inside), atol=1e-14)
    np.testing.assert_allclose(made.speed(inside), spline(inside, 1), atol=1e-13)


def test_a_smooth_map_has_no_corners_and_a_straight_one_has():
    before, after = np.nextafter(1.0, 0.0), 1.0
    smooth, straight = wavy(), TimeMap.from_samples([0.0, 1.0, 2.0], [0.0, 0.5, 3.0])
    assert smooth.speed(before) == pytest.approx(smooth.speed(after))
    assert straight.speed(before) == 0.5
    assert straight.speed(after) == 2.5


def test_time_overshoots_only_where_it_is_allowed_to():
    new, old = [0.0, 1.0, 1.1, 3.0], [0.0, 1.0, 1.0, 1.1]
    inside = np.linspace(0.0, 3.0, 500)
    assert np.diff(TimeMap.through(new, old)(inside)).min() >= -1e-12
    assert np.diff(TimeMap.through(new, old, monotone=False)(inside)).min() < -1e-4


def test_speed_is_the_derivative():
    inside = np.linspace(-1.03, 5.07, 97)
    for made in every_way(np.linspace(0.0, 4.0, 9)):
        slope = (made(inside + 1e-6) - made(inside - 1e-6)) / 2e-6
        np.testing.assert_allclose(made.speed(inside), slope, atol=1e-4)


def test_ends():
    outside = np.array([-1.0, 5.0])
    np.testing.assert_array_equal(wavy()(outside), [0.5, 3.0])
    np.testing.assert_array_equal(wavy().speed(outside), [0.0, 0.0])
    extended, speed = wavy(Ends.EXTEND), wavy().speed(np.array([0.0, 4.0]))
    np.testing.assert_allclose(extended(outside), [0.5 - speed[0], 3.0 + speed[1]])
    np.testing.assert_allclose(wavy(Ends.CYCLE)(outside), wavy()(np.array([3.0, 1.0])))
    assert wavy(Ends.CYCLE)(4.0) == 0.5
    assert wavy(Ends.CYCLE)(-4.0) == 0.5


def test_simple_maps_say_what_they_do():
    assert TimeMap.shift(2.0)(5.0) == 3.0  # Seen two seconds later.
    assert TimeMap.scale(2.0, pivot=1.0)(3.0) == 5.0
    assert TimeMap.scale(2.0, pivot=1.0)(1.0) == 1.0
    np.testing.assert_allclose(TimeMap.reverse(1.0, 4.0)([1.0, 2.0, 4.0]), [4.0, 3.0, 1.0])


@pytest.mark.parametrize("start", [0.0, 0.1, -3.7])
def test_the_identity_leaves_a_motion_bit_for_bit(start):
    motion = swinging_chain(frames=60)
    motion = motion.at(motion.times)
    times = start + motion.times
    moved = Motion.build(motion.skeleton, motion.rotations, rate=30.0, times=times, locations=motion.locations)
    for prefilter in (False, True):
        same = TimeMap.identity(times[0], times[-1]).apply(moved, prefilter=prefilter)
        for name in ("times", "rotations", "locations", "scales", "scalars"):
            np.testing.assert_array_equal(getattr(same, name), getattr(moved, name))


def test_the_chapters_marching_characters():
    warp = TimeMap.through([20.0, 40.0, 60.0, 80.0], [25.0, 39.0, 63.0, 84.0])
    np.testing.assert_array_equal(warp.map_key_times([25.0, 39.0, 63.0, 84.0]), [20.0, 40.0, 60.0, 80.0])


def alternating(frames=43):
    """The chapter's example: a motion that oscillates every other frame, from 0 to 1 and back."""
    on = np.arange(frames) % 2.0
    locations = np.zeros((frames, 1, 3))
    locations[:, 0, 0] = on
    rotations = quaternion.from_axis_angle(np.broadcast_to([0.0, 0.0, 1.0], (frames, 1, 3)), on[:, None])
    return Motion.build(chain(1), rotations, rate=1.0, locations=locations)


def turned_and_moved(motion):
    angle = quaternion.log(motion.rotations)[:, 0, 2]
    return angle, motion.locations[:, 0, 0]


@pytest.mark.parametrize(("factor", "expected"), [(2, [0, 0, 0, 0]), (3, [0, 1, 0, 1]), (4, [0, 0, 0, 0])])
def test_naive_speeding_up_aliases_as_in_the_chapter(factor, expected):
    fast = TimeMap.scale(factor).apply(alternating())
    assert len(fast) == 42 // factor + 1
    for values in turned_and_moved(fast):
        np.testing.assert_allclose(values[:4], expected, atol=1e-9)


@pytest.mark.parametrize(("factor", "left"), [(2, 1e-9), (3, 0.17), (3.5, 0.15), (4, 1e-9), (6, 1e-9)])
def test_the_prefilter_takes_out_what_the_new_frames_cannot_show(factor, left):
    fast = TimeMap.scale(factor).apply(alternating(), prefilter=True)
    for values in turned_and_moved(fast):
        # The first and last poses are kept; the window is whole everywhere between.
        assert np.abs(values[1:-1] - 0.5).max() == pytest.approx(0.0, abs=left + 0.02 * (left > 0.1))
        assert values[0] == 0.0


def test_the_prefilter_for_every_other_frame_is_a_quarter_half_quarter():
    motion = swinging_chain(frames=41)
    fast = TimeMap.scale(2.0).apply(motion, prefilter=True)
    by_hand = 0.25 * motion.locations[1:-3:2] + 0.5 * motion.locations[2:-2:2] + 0.25 * motion.locations[3:-1:2]
    np.testing.assert_allclose(fast.locations[1:-1], by_hand, atol=1e-12)
    q = motion.rotations
    mean = quaternion.normalize(0.25 * q[1:-3:2] + 0.5 * q[2:-2:2] + 0.25 * q[3:-1:2])
    assert quaternion.angle_between(fast.rotations[1:-1], mean).max() < 1e-9


def test_the_prefilter_leaves_slower_parts_and_steady_movement_alone():
    motion = swinging_chain(frames=61)
    slow = TimeMap.scale(0.5)
    np.testing.assert_array_equal(slow.apply(motion, prefilter=True).locations, slow.apply(motion).locations)
    steady = np.zeros((61, 3, 3))
    steady[:, 0] = np.arange(61)[:, None] * [1.0, 2.0, 3.0]
    motion = motion.with_locations(steady)
    fast = TimeMap.scale(2.7)
    np.testing.assert_allclose(fast.apply(motion, prefilter=True).locations, fast.apply(motion).locations, atol=1e-9)


def test_accents_are_kept_and_noise_is_not():
    """A swing of a fifth of a turn stays as it is, and what trembles on it by a thousandth goes."""
    times = np.arange(241) / 120.0
    swing, noise = 0.6 * np.sin(9.0 * times), 0.002 * (-1.0) ** np.arange(241)

    def turning(angles):
        rotations = np.stack([np.cos(0.5 * angles), np.sin(0.5 * angles), 0 * angles, 0 * angles], axis=-1)
        return Motion.build(swinging_chain(1, 2).skeleton, rotations[:, None], rate=120.0)

    fast = TimeMap.scale(2.0)
    exact = fast.apply(turning(swing))
    plain, kept = (fast.apply(turning(swing + noise), prefilter=each, keep_accents=True) for each in (False, True))
    missed = [quaternion.angle_between(each.rotations, exact.rotations)[5:-5].max() for each in (plain, kept)]
    assert missed[1] < 0.5 * missed[0]
    sharp = turning(np.where(times > 1.0, 0.6, 0.0))
    np.testing.assert_allclose(
        fast.apply(sharp, prefilter=True, keep_accents=True).rotations, fast.apply(sharp).rotations, atol=1e-9
    )


def test_the_prefilter_keeps_the_ends_when_their_times_are_rounded():
    motion = swinging_chain(frames=61)
    times = 0.5 * motion.times[::3]
    for nearly in (0.0, 1e-15, 4e-16):
        halved = TimeMap.from_samples([0.0, times[-1]], [nearly, motion.times[-1] - nearly])
        fast = halved.apply(motion, times, prefilter=True)
        for end in (0, -1):
            np.testing.assert_allclose(fast.locations[end], motion.locations[end], atol=1e-9)
            assert quaternion.angle_between(fast.rotations[end], motion.rotations[end]).max() < 1e-6


def test_frames_cover_the_motion_where_none_are_asked_for():
    motion = swinging_chain(frames=31)  # One second.
    late = TimeMap.shift(2.0).apply(motion)
    np.testing.assert_allclose(late.times, motion.times + 2.0)
    np.testing.assert_allclose(late.rotations, motion.rotations, atol=1e-12)
    slow = TimeMap.scale(0.5).apply(motion)
    np.testing.assert_allclose(slow.times, np.arange(61) / 30.0)
    np.testing.assert_array_equal(slow.rotations[::2][-1], motion.rotations[-1])
    back = TimeMap.reverse(0.0, 1.0).apply(motion)
    np.testing.assert_allclose(np.abs(quaternion.dot(back.rotations, motion.rotations[::-1])), 1.0)
    held = TimeMap.through([0.0, 0.5, 1.5], [0.0, 1.0, 1.0]).apply(motion)
    assert held.times[-1] == pytest.approx(1.5)


def test_frames_that_are_asked_for_are_given():
    motion = swinging_chain(frames=31)
    asked = np.array([0.0, 0.25, 3.0])
    shown = TimeMap.scale(2.0).apply(motion, asked)
    np.testing.assert_array_equal(shown.times, asked)
    np.testing.assert_array_equal(shown.rotations, motion.at([0.0, 0.5, 6.0]).rotations)
    assert len(motion) == 31


@given(correspondences(least=1e-3), st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20))
@settings(deadline=None)
def test_keys_land_where_they_are_shown(pair, shares):
    new, old = pair
    keys = old[0] + np.array(shares) * (old[-1] - old[0])
    for made in (TimeMap.through(new, old), TimeMap.through(new, old[::-1]), TimeMap.from_samples(new, old)):
        landed = made.map_key_times(keys)
        # Where time races, even the last digits of a new time are seen.
        rounding = 8.0 * np.spacing(new[-1]) * np.abs(made.speed(landed)).max()
        np.testing.assert_allclose(made(landed), keys, atol=1e-9 + rounding)


def test_keys_outside_an_extended_map_go_on_with_it():
    np.testing.assert_allclose(TimeMap.scale(2.0).map_key_times([-4.0, 0.5, 10.0]), [-2.0, 0.25, 5.0])
    np.testing.assert_allclose(TimeMap.reverse(0.0, 1.0).map_key_times([-1.0, 3.0]), [2.0, -2.0])


def test_a_key_that_is_never_shown_is_refused_with_its_time():
    with pytest.raises(NotInvertibleError, match=r"key at 3\.5 s is never shown: .* 0\.5 s to 3 s"):
        wavy().map_key_times([0.7, 3.5])


@pytest.mark.parametrize(
    ("new", "old", "reason"),
    [
        ([0.0, 1.0, 1.0], [0.0, 1.0, 2.0], "New time 1 s must lie after 1 s"),
        ([0.0, 1.0, 2.0], [0.0, 2.0, 1.0], "Old time 1 s follows 2 s: time would run backward"),
    ],
)
def test_disorder_is_refused_with_its_place(new, old, reason):
    with pytest.raises(TimeOrderError, match=reason):
        TimeMap.through(new, old)


@pytest.mark.parametrize(("new", "old"), [([0.0], [0.0]), ([0.0, 1.0], [0.0]), ([0.0, np.nan], [0.0, 1.0])])
def test_callers_mistakes_are_value_errors(new, old):
    with pytest.raises(ValueError):
        TimeMap.through(new, old)


def test_no_backward_scale():
    with pytest.raises(ValueError, match="use reverse"):
        TimeMap.scale(-1.0)


def test_input_is_left_alone_and_not_shared():
    new, old = np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.5, 2.0])
    made = TimeMap.through(new, old)
    new[1], old[1] = 9.0, 9.0
    np.testing.assert_array_equal(made.new_times, [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        made.old_times[0] = 1.0


def test_a_shift_holds_extends_or_repeats_the_motion():
    times = [0.0, 0.5, 1.5, 2.5, 3.5]
    assert list(TimeMap.shift(0.5, start=0.0, end=2.0, ends=Ends.HOLD)(times)) == [0.0, 0.0, 1.0, 2.0, 2.0]
    assert list(TimeMap.shift(0.5, start=0.0, end=2.0, ends=Ends.CYCLE)(times)) == [1.5, 0.0, 1.0, 0.0, 1.0]
    assert list(TimeMap.shift(0.5, start=0.0, end=2.0)(times)) == [-0.5, 0.0, 1.0, 2.0, 3.0]


def test_old_times_are_first_seen_where_the_map_shows_them():
    held = TimeMap.through([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 1.0, 2.0], smooth=False)
    np.testing.assert_allclose(held.first_seen([[0.0, 0.5], [1.0, 1.5]]), [[0.0, 0.5], [1.0, 2.5]])
    assert np.isnan(held.first_seen([-0.1, 2.1])).all()
    np.testing.assert_allclose(TimeMap.reverse(0.0, 2.0).first_seen([0.0, 0.5, 2.0]), [2.0, 1.5, 0.0])
    around = TimeMap.shift(0.5, start=0.0, end=2.0, ends=Ends.CYCLE)
    once = around.compose(TimeMap.identity(0.0, 2.0, ends=Ends.HOLD))
    np.testing.assert_allclose(once.first_seen([0.0, 1.0, 1.6]), [0.5, 1.5, 0.1])


def test_old_times_that_are_cut_out_are_never_seen():
    cut = TimeMap(
        PiecewiseCubic(
            np.array([0.0, 1.0, 1.0, 2.0]),
            np.array([0.0, 1.0, 2.0, 3.0]),
            np.array([[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]),
        )
    )
    np.testing.assert_allclose(cut.first_seen([0.5, 1.0, 1.5, 2.0, 2.5]), [0.5, 1.0, np.nan, 1.0, 1.5])
