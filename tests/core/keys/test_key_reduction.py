"""Key reduction of curves keeps its bound, agrees with a plain loop, and refuses what it cannot do."""

from dataclasses import replace

import numpy as np
import pytest
import slow_reference
from hypothesis import given, settings
from hypothesis import strategies as st
from made_motion import noisy_curves, smooth_curves
from reduced_curves import KINDS, assert_inside, uneven_times
from scipy.interpolate import BPoly

from core.errors import NotFiniteError
from core.keys import evaluate_keys, reduce_curves, reduce_locations, reduce_rotations
from core.keys.bezier.corridor import build_corridor


def frames_of_keys(keys, times):
    return [list(np.searchsorted(times, curve.times)) for curve in keys]


# --- the bound


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    frames=st.integers(2, 120),
    noise=st.sampled_from([0.0, 0.001, 0.05, 1.0]),
    tolerance=st.sampled_from([0.0, 1e-6, 0.01, 0.1, 10.0]),
    offset=st.sampled_from([0.0, -1e6]),
    even=st.booleans(),
    kind=st.sampled_from(KINDS),
)
def test_bound_is_never_exceeded(seed, frames, noise, tolerance, offset, even, kind):
    times = np.arange(frames) * 1.0 if even else uneven_times(frames, seed)
    values = noisy_curves(frames, 3, seed, noise=noise) + offset
    keys = reduce_curves(times, values, tolerance, kind=kind)
    assert_inside(times, values, keys, tolerance)


@pytest.mark.parametrize("kind", KINDS)
def test_bound_holds_in_single_precision(kind):
    times, values = np.arange(400.0), 100.0 + noisy_curves(400, 40, 3)
    keys = reduce_curves(times, values, 0.03, kind=kind)
    names = ("times", "values", "left", "right")
    stored = replace(keys, **{name: np.float64(np.float32(getattr(keys, name))) for name in names})
    error = np.abs(evaluate_keys(stored, times) - values).max()
    assert 0.029 < error <= 0.03


@pytest.mark.parametrize("kind", KINDS)
def test_jumps_and_spikes_do_not_swing(kind):
    values = np.zeros((60, 3))
    values[20, 0], values[30:, 1], values[::2, 2] = 5.0, 100.0, 1.0
    times = np.arange(60.0)
    keys = reduce_curves(times, values, 0.1, kind=kind)
    assert_inside(times, values, keys, 0.1)
    fine = evaluate_keys(keys, np.linspace(0.0, 59.0, 2000))
    # A smooth curve through a step of height h overshoots by at most 2/27 h on each side.
    assert (fine.max(axis=0) <= values.max(axis=0) * (1 + 0.08) + 0.2).all()
    assert (fine.min(axis=0) >= -0.08 * values.max(axis=0) - 0.2).all()


@pytest.mark.parametrize("kind", KINDS)
def test_each_curve_has_its_own_tolerance(kind):
    times, values = np.arange(300.0), np.repeat(smooth_curves(300, 1, 3), 3, axis=1)
    tolerances = np.array([0.2, 0.01, 0.0005])
    keys = reduce_curves(times, values, tolerances, kind=kind)
    assert_inside(times, values, keys, tolerances)
    assert keys.counts[0] < keys.counts[1] < keys.counts[2] < 150


@pytest.mark.clips
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["dev/cmu_138_01_march.bvh", "dev/freemocap_gestures_long.bvh"])
def test_bound_holds_on_captured_curves(clips_folder, name, kind):
    rows = (clips_folder / name).read_text(encoding="latin-1").split("MOTION")[1].splitlines()[3:]
    values = np.loadtxt(rows)[:600]
    times = np.arange(len(values)) * 1.0
    keys = reduce_curves(times, values, 0.5, kind=kind)
    assert_inside(times, values, keys, 0.5)
    assert keys.counts.mean() < 0.5 * len(times)


# --- the keys


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [smooth_curves, noisy_curves])
@pytest.mark.parametrize("even", [True, False])
def test_agrees_with_the_plain_loop(make, even, kind):
    times = np.arange(90.0) if even else uneven_times(90)
    values = make(90, 6, 11)
    keys = reduce_curves(times, values, 0.03, kind=kind)
    expected = [slow_reference.reduce_curve(times, values[:, curve], 0.03, kind) for curve in range(6)]
    assert frames_of_keys(keys, times) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_curves_do_not_influence_each_other(kind):
    times, values = np.arange(120.0), noisy_curves(120, 5, 2)
    together = reduce_curves(times, values, 0.02, kind=kind)
    for curve, keys in enumerate(together):
        alone = reduce_curves(times, values[:, [curve]], 0.02, kind=kind)
        np.testing.assert_array_equal(alone.times, keys.times)
        np.testing.assert_allclose(alone.left, keys.left, rtol=1e-12)


def test_smooth_handles_are_aligned():
    times = uneven_times(200)
    for keys in reduce_curves(times, noisy_curves(200, 4), 0.05):
        before, after = keys.left[:, 0] - keys.times, keys.right[:, 0] - keys.times
        assert (before < 0).all()
        assert (after > 0).all()
        np.testing.assert_allclose(
            (keys.left[:, 1] - keys.values) / before, (keys.right[:, 1] - keys.values) / after, atol=1e-9
        )


@pytest.mark.parametrize("kind", KINDS)
def test_handles_lie_at_one_third_and_keys_on_samples(kind):
    times, values = uneven_times(150), noisy_curves(150, 3, 5)
    for curve, keys in enumerate(reduce_curves(times, values, 0.05, kind=kind)):
        third = np.diff(keys.times) / 3
        np.testing.assert_allclose(keys.right[:-1, 0] - keys.times[:-1], third, atol=1e-12)
        np.testing.assert_allclose(keys.times[1:] - keys.left[1:, 0], third, atol=1e-12)
        frames = np.searchsorted(times, keys.times)
        np.testing.assert_array_equal(keys.times, times[frames])
        np.testing.assert_array_equal(keys.values, values[frames, curve])
        assert (frames[0], frames[-1]) == (0, 149)


def test_free_handles_need_fewer_keys():
    times, values = np.arange(500.0), smooth_curves(500, 20, 1)
    smooth = reduce_curves(times, values, 0.01)
    free = reduce_curves(times, values, 0.01, kind="FEWEST")
    assert free.counts.sum() < 0.85 * smooth.counts.sum()


@pytest.mark.parametrize("kind", KINDS)
def test_cubic_becomes_two_keys(kind):
    """A Bézier piece is a cubic, so a parabola needs no more than its ends; free handles fit any cubic."""
    times = np.arange(50.0)
    values = (times - 20) ** 2 / 100 if kind == "SMOOTH" else (times - 20) ** 3 / 1000
    keys = reduce_curves(times, values[:, None], 1e-3, kind=kind)
    assert list(keys.times) == [0.0, 49.0]


@pytest.mark.parametrize("kind", KINDS)
def test_fixed_frames_become_keys(kind):
    times, values = np.arange(100.0), smooth_curves(100, 3, 9)
    common = reduce_curves(times, values, 0.1, kind=kind, fixed=[17, 60])
    assert all({17.0, 60.0} <= set(keys.times) for keys in common)
    own = reduce_curves(times, values, 0.1, kind=kind, fixed=[[5], [], [40, 41]])
    assert 5.0 in own[0].times
    assert {40.0, 41.0} <= set(own[2].times)
    free = reduce_curves(times, values, 0.1, kind=kind)
    np.testing.assert_array_equal(own[1].times, free[1].times)
    for keys in (common, own):
        assert_inside(times, values, keys, 0.1)


# --- evaluation


@pytest.mark.parametrize("kind", KINDS)
def test_evaluation_agrees_with_scipy(kind):
    times, values = uneven_times(80), noisy_curves(80, 3)
    keyed = reduce_curves(times, values, 0.05, kind=kind)
    anywhere = np.random.default_rng(1).uniform(times[0], times[-1], 500)
    for curve, keys in enumerate(keyed):
        ordinates = np.stack([keys.values[:-1], keys.right[:-1, 1], keys.left[1:, 1], keys.values[1:]])
        np.testing.assert_allclose(
            evaluate_keys(keyed, anywhere)[:, curve], BPoly(ordinates, keys.times)(anywhere), atol=1e-12
        )


def test_evaluation_is_exact_at_keys_and_holds_the_ends():
    times, values = uneven_times(80), noisy_curves(80, 1)
    keys = reduce_curves(times, values, 0.05)
    np.testing.assert_array_equal(evaluate_keys(keys, keys.times)[:, 0], keys.values)
    np.testing.assert_array_equal(evaluate_keys(keys, [-9.0, 1e9])[:, 0], values[[0, -1], 0])


# --- little and bad input


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("frames", [1, 2, 3])
def test_very_short_curves(frames, kind):
    times, values = (
        np.array([3.0, 4.0, 7.0])[:frames],
        np.array([[1.0, 5.0], [2.0, 5.0], [9.0, 5.0]])[:frames],
    )
    keys = reduce_curves(times, values, 0.01, kind=kind)
    assert_inside(times, values, keys, 0.01)
    for curve in keys:
        assert (curve.times[0], curve.times[-1]) == (3.0, times[-1])
    assert keys.counts.max() <= frames


@pytest.mark.parametrize("kind", KINDS)
def test_constant_curve_becomes_two_keys_with_level_handles(kind):
    keys = reduce_curves(np.arange(1000.0), np.full((1000, 1), 0.1), 0.0, kind=kind)
    assert list(keys.times) == [0.0, 999.0]
    assert set(keys.values) | set(keys.left[:, 1]) | set(keys.right[:, 1]) == {0.1}


def test_no_curves_give_no_keys():
    assert len(reduce_curves(np.arange(5.0), np.empty((5, 0)), 0.1)) == 0


def test_refusals_give_their_reason():
    times, values = np.arange(5.0), np.zeros((5, 2))
    broken = values.copy()
    broken[3, 1] = np.nan
    with pytest.raises(NotFiniteError, match="Curve 1 is NaN or infinite at sample 3"):
        reduce_curves(times, broken, 0.1)
    with pytest.raises(ValueError, match="increase"):
        reduce_curves(times[::-1], values, 0.1)
    with pytest.raises(ValueError, match="zero or more"):
        reduce_curves(times, values, -0.1)
    with pytest.raises(ValueError, match="SMOOTH, FEWEST, not 'smooth'"):
        reduce_curves(times, values, 0.1, kind="smooth")
    with pytest.raises(ValueError, match="do not belong together"):
        reduce_curves(times[:4], values, 0.1)
    with pytest.raises(ValueError, match="for 3 curves, there are 2"):
        reduce_curves(times, values, 0.1, fixed=[[1], [2], [3]])
    with pytest.raises(ValueError, match="Unknown rotation mode 'XYX'"):
        reduce_rotations(times, np.zeros((5, 1, 3)), "XYX")


def test_inputs_are_left_alone():
    times, values = uneven_times(50), noisy_curves(50, 4)
    copies = times.copy(), values.copy()
    for kind in KINDS:
        reduce_curves(times, values, 0.1, kind=kind)
    reduce_locations(times, values[:, None, :3], distance=0.1)
    np.testing.assert_array_equal(times, copies[0])
    np.testing.assert_array_equal(values, copies[1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("swing", [0.0, 0.3])
def test_what_is_known_between_samples_is_kept_too(kind, swing):
    """Straight lines between samples, and curves that swing out between them."""
    random = np.random.default_rng(3)
    times = np.cumsum(random.uniform(0.5, 1.5, size=150))
    values = noisy_curves(150, 5, 2, noise=0.1)
    between = 0.5 * (values[1:] + values[:-1]) + swing * random.normal(size=(149, 5))
    unknown = random.random(between.shape) < 0.2
    keys = reduce_curves(times, values, 0.05, kind=kind, between=np.where(unknown, np.nan, between))
    assert np.abs(evaluate_keys(keys, times) - values).max() <= 0.05
    away = np.abs(evaluate_keys(keys, 0.5 * (times[1:] + times[:-1])) - between)
    assert away[~unknown].max() <= 0.05
    assert len(keys.times) < values.size


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_smooth_way_has_between_samples_needs_no_corners(kind):
    times, values = np.arange(100.0), noisy_curves(100, 3, 5)
    smooth = build_corridor(times, np.ascontiguousarray(values.T), 0.0).target[:, 1::2].T
    every = reduce_curves(times, values, 0.0, kind=kind, between=smooth)
    np.testing.assert_array_equal(every.values, reduce_curves(times, values, 0.0, kind=kind).values)
    np.testing.assert_allclose(every.right, reduce_curves(times, values, 0.0, kind=kind).right, atol=1e-9)
