"""Laws of composing, inverting and blending time maps, against slow obvious versions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_time_map import correspondences, every_way, wavy

from core.errors import MotionEditError, NotInvertibleError
from core.motion.time_maps.time_map import Ends, TimeMap

NEAR = 3e-7  # The promised tolerance, for the outer map's speed up to about 3.
GRID = np.linspace(-2.013, 6.017, 1301)
MAPS = every_way(np.linspace(0.0, 4.0, 9))
NOT_ENDLESS = [made for made in MAPS if made.ends is not Ends.CYCLE]


def slowly_inverted(made, old):
    """New time of one old time by bisection over the map's own range."""
    low, high = made.new_times[0], made.new_times[-1]
    rising = made.old_times[-1] > made.old_times[0]
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if (made(middle) < old) == rising else (low, middle)
    return 0.5 * (low + high)


def away_from_cuts(made, times):
    """Times at which rounding cannot fall on the other side of a cut or seam."""
    ends = made.new_times[[0, -1]]
    cuts = [*made.new_times[:-1][np.diff(made.new_times) == 0.0], *ends]
    if made.ends is Ends.CYCLE:
        cuts = ends[0] + np.arange(-40, 40) * np.ptp(ends)
    return times[np.abs(times[:, None] - np.array(cuts)).min(axis=1) > 1e-6]


@pytest.mark.parametrize("inner", MAPS)
@pytest.mark.parametrize("outer", NOT_ENDLESS)
def test_composing_shows_one_map_through_the_other(outer, inner):
    both = outer.compose(inner)
    times = away_from_cuts(both, GRID)
    np.testing.assert_allclose(both(times), outer(inner(times)), atol=NEAR)


@pytest.mark.parametrize("inner", [made for made in MAPS if made.ends is not Ends.EXTEND])
def test_a_warp_that_ends_can_be_put_on_a_cycle(inner):
    loop = TimeMap.through([0.0, 0.4, 0.9], [0.0, 0.3, 1.0], ends=Ends.CYCLE)
    both = loop.compose(inner)
    shown = inner(GRID)
    clear = np.abs(shown / 0.9 - np.round(shown / 0.9)) > 1e-5
    assert clear.mean() > 0.4
    np.testing.assert_allclose(both(GRID[clear]), loop(shown[clear]), atol=2 * NEAR)


@pytest.mark.parametrize("inner", [TimeMap.scale(3.0, 0.2), TimeMap.shift(0.35), TimeMap.reverse(0.0, 2.0)])
def test_a_cycle_can_be_shifted_scaled_and_reversed(inner):
    both = wavy(Ends.CYCLE).compose(inner)
    assert both.ends is Ends.CYCLE
    times = away_from_cuts(both, GRID)
    np.testing.assert_allclose(both(times), wavy(Ends.CYCLE)(inner(times)), atol=1e-9)


def test_an_endless_warp_on_a_cycle_is_refused_with_the_way_out():
    with pytest.raises(MotionEditError, match="hold the warp's ends"):
        wavy(Ends.CYCLE).compose(wavy(Ends.EXTEND))


def test_straight_maps_compose_exactly_and_stay_small():
    first = TimeMap.from_samples([0.0, 1.0, 2.0], [0.0, 0.5, 3.0])
    second = TimeMap.from_samples([0.0, 2.0, 3.0], [0.0, 0.25, 2.0])
    both = first.compose(second)
    assert len(both.new_times) == 4
    np.testing.assert_allclose(both(GRID), first(second(GRID)), atol=1e-14)


@given(correspondences(), correspondences(), correspondences())
@settings(max_examples=25, deadline=None)
def test_composition_is_associative(first, second, third):
    one, two, three = (TimeMap.from_samples(*pair) for pair in (first, second, third))
    times = np.linspace(three.new_times[0], three.new_times[-1], 300)
    left, right = one.compose(two).compose(three), one.compose(two.compose(three))
    # Rounding of a time counts as many times over as the maps are steep.
    allowed = 1e-9 * (1.0 + np.abs(one.curve.slopes).max()) * (1.0 + np.abs(two.curve.slopes).max())
    np.testing.assert_allclose(left(times), right(times), atol=allowed)


def test_composition_of_smooth_maps_is_associative():
    one, two, three = wavy(), wavy(Ends.EXTEND), TimeMap.through([0.0, 2.0, 3.0], [0.0, 1.0, 4.0])
    left, right = one.compose(two).compose(three), one.compose(two.compose(three))
    np.testing.assert_allclose(left(GRID), right(GRID), atol=2 * NEAR)


@pytest.mark.parametrize("made", [made for made in MAPS if made.direction])
def test_the_identity_changes_nothing_on_either_side(made):
    nothing = TimeMap.identity(0.0, 1.0)
    np.testing.assert_allclose(made.compose(nothing)(GRID), made(GRID), atol=1e-12)
    np.testing.assert_allclose(nothing.compose(made)(GRID), made(GRID), atol=1e-12)


def test_a_composed_map_never_runs_backward():
    steep = TimeMap.through([0.0, 1.0, 1.1, 3.0], [0.0, 0.01, 2.0, 2.001])
    both = steep.compose(TimeMap.through([0.0, 1.0, 2.0], [0.0, 0.9, 3.0]))
    assert np.diff(both(np.linspace(0.0, 2.0, 20001))).min() >= -1e-13


@pytest.mark.parametrize("made", [wavy(), TimeMap.through([0.0, 1.0, 2.0], [4.0, 1.0, 0.5]), TimeMap.scale(3.0)])
def test_the_inverse_agrees_with_bisection(made):
    old = np.linspace(*np.sort(made.old_times[[0, -1]]), 41)
    expected = [slowly_inverted(made, time) for time in old]
    np.testing.assert_allclose(made.inverse()(old), expected, atol=NEAR)
    np.testing.assert_allclose(made.map_key_times(old), expected, atol=1e-9)


@given(correspondences(least=0.01))
@settings(max_examples=25, deadline=None)
def test_the_inverse_of_the_inverse_is_the_map(pair):
    made = TimeMap.from_samples(*pair, ends=Ends.EXTEND)
    times = np.linspace(made.new_times[0] - 1.0, made.new_times[-1] + 1.0, 200)
    np.testing.assert_allclose(made.inverse().inverse()(times), made(times), atol=1e-6)
    np.testing.assert_allclose(made.inverse()(made(times)), times, atol=1e-6)


def test_a_momentary_stop_can_be_inverted():
    made = TimeMap(wavy().curve.__class__([0.0, 1.0], [0.0, 1.0], [[0.0, 0.0]]))  # Ease in, ease out.
    times = np.linspace(0.0, 1.0, 101)
    np.testing.assert_allclose(made.inverse()(made(times)), times, atol=NEAR)
    np.testing.assert_allclose(made.inverse().inverse()(times), made(times), atol=NEAR)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (wavy(Ends.CYCLE), "repeats itself"),
        (TimeMap.through([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 1.0, 2.0]), "stands still from 1 s"),
        (TimeMap.from_samples([0.0, 1.0, 2.0], [0.0, 1.0, 0.5]), "forward and backward"),
        (TimeMap.through([0.0, 1.0, 1.1, 3.0], [0.0, 1.0, 1.01, 1.1], monotone=False), "forward and backward"),
        (TimeMap.from_samples([0, 1], [0, 1], ends=Ends.CYCLE).compose(TimeMap.from_samples([0, 1], [0, 2])), "cut"),
    ],
)
def test_what_has_no_inverse_is_refused_with_the_reason(made, reason):
    with pytest.raises(NotInvertibleError, match=reason):
        made.inverse()
    with pytest.raises(NotInvertibleError, match=reason):
        made.map_key_times([0.5])


@pytest.mark.parametrize("second", NOT_ENDLESS)
@pytest.mark.parametrize("first", NOT_ENDLESS)
def test_blending_mixes_old_times_exactly(first, second):
    mixed = first.blend(second, 0.3)
    np.testing.assert_allclose(mixed(GRID), 0.7 * first(GRID) + 0.3 * second(GRID), atol=1e-11)
    assert first.blend(second, 0.0) is first
    assert first.blend(second, 1.0) is second


@given(correspondences(), correspondences(), st.floats(0.0, 1.0))
@settings(max_examples=25, deadline=None)
def test_a_blend_of_forward_maps_runs_forward(first, second, weight):
    mixed = TimeMap.through(*first).blend(TimeMap.through(*second), weight)
    times = np.linspace(mixed.new_times[0] - 1.0, mixed.new_times[-1] + 1.0, 400)
    assert np.diff(mixed(times)).min() >= -1e-11 * (1.0 + mixed.old_times[-1])


def test_cycles_blend_with_cycles_of_their_length_alone():
    other = TimeMap.from_samples([0.0, 4.0], [0.0, 3.0], ends=Ends.CYCLE)
    mixed = wavy(Ends.CYCLE).blend(other, 0.5)
    times = away_from_cuts(mixed, GRID)
    np.testing.assert_allclose(mixed(times), 0.5 * (wavy(Ends.CYCLE)(times) + other(times)), atol=1e-12)
    with pytest.raises(MotionEditError, match="same start and length"):
        wavy(Ends.CYCLE).blend(wavy(), 0.5)


@pytest.mark.parametrize("made", MAPS)
def test_spelling_the_ends_out_changes_nothing(made):
    long = made.unrolled(-2.5, 6.5)
    assert long.new_times[0] <= -2.5
    assert long.new_times[-1] >= 6.5
    times = away_from_cuts(made, GRID)
    np.testing.assert_allclose(long(times), made(times), atol=1e-12)


def test_no_endless_cycle_is_spelled_out():
    with pytest.raises(MotionEditError, match="shorten the range"):
        TimeMap.identity(0.0, 0.001, ends=Ends.CYCLE).unrolled(0.0, 1e6)
