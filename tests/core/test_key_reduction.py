"""Key reduction keeps its bound, agrees with a plain loop, and refuses what it cannot do."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import slow_reference
from hypothesis import given, settings
from hypothesis import strategies as st
from made_motion import noisy_curves, smooth_curves, smooth_rotations
from scipy.interpolate import BPoly

from core import quaternion, rotation_channels
from core.errors import NotFiniteError
from core.key_reduction import evaluate_keys, reduce_curves, reduce_locations, reduce_rotations

KINDS = ("SMOOTH", "FEWEST")


def uneven_times(frames, seed=0):
    return np.cumsum(np.random.default_rng(seed).uniform(0.2, 3.0, frames))


def middles(times):
    return 0.5 * (times[1:] + times[:-1])


def assert_inside(times, values, keys, tolerance):
    """The bound at samples; in the middles it counts from between the straight line and the smooth cubic."""
    assert (np.abs(evaluate_keys(keys, times) - values) <= tolerance).all()
    if len(times) < 3:
        return
    straight = 0.5 * (values[1:] + values[:-1])
    slopes = np.gradient(values, times, axis=0, edge_order=2)
    smooth = straight + np.diff(times)[:, None] / 8 * (slopes[:-1] - slopes[1:])
    fitted = evaluate_keys(keys, middles(times))
    # The test's own arithmetic rounds too; what it rounds is some units of the largest number.
    spare = 1e-13 * max(np.abs(values).max(), np.abs(smooth).max())
    assert (fitted <= np.maximum(straight, smooth) + tolerance + spare).all()
    assert (fitted >= np.minimum(straight, smooth) - tolerance - spare).all()


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


# --- whole rotations and locations


def channels_of(rotations, mode):
    if mode == "QUATERNION":
        return rotations
    if mode == "AXIS_ANGLE":
        return rotation_channels.to_axis_angle(rotations)
    return rotation_channels.to_euler(rotations, mode)


def rotations_of(channels, mode):
    if mode == "QUATERNION":
        return quaternion.normalize(channels)
    if mode == "AXIS_ANGLE":
        return rotation_channels.from_axis_angle(channels)
    return rotation_channels.from_euler(channels, mode)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "XYZ", "ZXY"])
def test_whole_rotation_keeps_its_bound(mode, kind):
    times, rotations = np.arange(200.0), smooth_rotations(200, 5, 3, reach=1.5)
    channels = channels_of(rotations, mode)
    reduced = reduce_rotations(times, channels, mode, degrees=0.4, kind=kind)
    fitted = rotations_of(evaluate_keys(reduced.keys, times).reshape(channels.shape), mode)
    error = np.rad2deg(quaternion.angle_between(fitted, rotations)).max(axis=0)
    assert reduced.largest_error <= 0.4
    assert (error <= reduced.errors + 1e-9).all()
    between = rotations_of(evaluate_keys(reduced.keys, middles(times)).reshape(199, 5, -1), mode)
    halfway = quaternion.slerp(rotations[1:], rotations[:-1], 0.5)
    step = np.rad2deg(quaternion.angle_between(rotations[1:], rotations[:-1]))
    assert (np.rad2deg(quaternion.angle_between(between, halfway)) <= 0.4 + 0.1 * step).all()
    assert reduced.errors.min() > 0.2, "much of the bound should be used"
    assert reduced.keys.counts.mean() < 80


def test_bound_counts_on_the_whole_rotation_not_on_each_channel():
    """Errors of three channels add up, so the channels alone may not use the whole bound."""
    times, rotations = np.arange(300.0), smooth_rotations(300, 6, 8, reach=2.0)
    channels = rotation_channels.to_euler(rotations, "XYZ")
    alone = reduce_curves(times, channels.reshape(300, -1), np.deg2rad(0.5))
    fitted = rotation_channels.from_euler(evaluate_keys(alone, times).reshape(channels.shape), "XYZ")
    assert np.rad2deg(quaternion.angle_between(fitted, rotations)).max() > 0.5
    assert reduce_rotations(times, channels, "XYZ", degrees=0.5).largest_error <= 0.5


def test_joints_do_not_influence_each_other():
    times, rotations = np.arange(100.0), smooth_rotations(100, 4, 6, reach=3.0)
    together = reduce_rotations(times, rotations, "QUATERNION", degrees=0.2)
    for joint in range(4):
        alone = reduce_rotations(times, rotations[:, [joint]], "QUATERNION", degrees=0.2)
        np.testing.assert_array_equal(alone.keys.times, together.keys.part(4 * joint, 4 * joint + 4).times)


@pytest.mark.parametrize("kind", KINDS)
def test_locations_keep_their_distance(kind):
    times, locations = uneven_times(200), noisy_curves(200, 9, 4, noise=0.01).reshape(200, 3, 3)
    reduced = reduce_locations(times, locations, distance=0.05, kind=kind, fixed=[33])
    distance = np.linalg.norm(evaluate_keys(reduced.keys, times).reshape(200, 3, 3) - locations, axis=-1)
    assert distance.max() <= reduced.largest_error + 1e-12
    assert reduced.largest_error <= 0.05
    assert all(times[33] in keys.times for keys in reduced.keys)


def test_bound_of_zero_keeps_every_sample():
    rotations = smooth_rotations(12, 2, reach=3.0)
    reduced = reduce_rotations(np.arange(12.0), rotations, "QUATERNION", degrees=0.0)
    np.testing.assert_allclose(
        evaluate_keys(reduced.keys, np.arange(12.0)).reshape(rotations.shape), rotations, atol=1e-15
    )


def test_one_frame_and_no_joints():
    assert list(reduce_rotations([2.0], quaternion.identity(1, 2), "QUATERNION").keys.times) == [2.0] * 8
    assert len(reduce_locations([0.0, 1.0], np.empty((2, 0, 3)), distance=0.1).keys) == 0


# --- curves that stand still and step, shared key times, bounds that change along time


def stepped_curves(frames=60, seed=3):
    """Three curves: noisy, stepped all along, and stepped in its second half."""
    values = noisy_curves(frames, 3, seed)
    held = np.zeros((frames - 1, 3), dtype=bool)
    values[:, 1] = np.repeat(np.arange(frames / 6), 6)
    values[30:, 2] = np.repeat([4.0, 4.0, -2.0], 10)
    held[:, 1], held[30:, 2] = True, True
    return np.arange(frames) * 1.0, values, held


@pytest.mark.parametrize("kind", KINDS)
def test_steps_stay_steps_with_constant_keys_and_without_error(kind):
    times, values, held = stepped_curves()
    keys = reduce_curves(times, values, 0.1, kind=kind, held=held)
    assert not keys[0].constant.any()
    assert list(keys[1].times) == [*range(0, 60, 6), 59]
    assert keys[1].constant[:-1].all()
    fine = np.linspace(0.0, 59.0, 1181)
    stood = evaluate_keys(keys, fine)
    np.testing.assert_array_equal(stood[:, 1], values[fine.astype(int), 1])
    np.testing.assert_array_equal(stood[600:, 2], values[fine[600:].astype(int), 2])
    assert (np.abs(evaluate_keys(keys, times) - values) <= 0.1).all()
    alone = reduce_curves(times[:31], values[:31, 2:], 0.1, kind=kind)
    np.testing.assert_array_equal(keys[2].times[: len(alone.times) - 1], alone.times[:-1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.8, 1.0])
def test_columns_are_enough_for_their_share_of_the_curves(kind, share):
    times, values = np.arange(120.0), smooth_curves(120, 10, 2)
    values[:, 0] += noisy_curves(120, 1)[:, 0]
    keys = reduce_curves(times, values, 0.02, kind=kind, column_share=share)
    assert_inside(times, values, keys, 0.02)
    shared = set.intersection(*(set(curve.times) for curve in keys))
    at_once = [curve for curve in keys if set(curve.times) == shared]
    assert len(at_once) == 10 if share == 1.0 else len(keys[0].times) > len(shared)
    bounds = sorted(shared)
    for start, end in itertools.pairwise(bounds):
        single = [((curve.times > start) & (curve.times < end)).any() for curve in keys]
        assert np.mean(single) <= 1.0 - share + 1e-9 or end == start + 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_bound_may_change_along_time(kind):
    times, values = np.arange(200.0), smooth_curves(200, 4, 5)
    tolerance = np.where(times < 100.0, 0.1, 0.001)[:, None] * np.ones(4)
    keys = reduce_curves(times, values, tolerance, kind=kind)
    assert (np.abs(evaluate_keys(keys, times) - values) <= tolerance).all()
    early = sum((curve.times < 100.0).sum() for curve in keys)
    assert early < 0.6 * (len(keys.times) - early)
    same = reduce_curves(times, values, np.full((200, 4), 0.01), kind=kind)
    np.testing.assert_array_equal(same.times, reduce_curves(times, values, 0.01, kind=kind).times)


def test_whole_rotation_keeps_its_bound_beside_steps():
    times, channels = np.arange(60.0), np.stack([stepped_curves(seed=seed)[1] for seed in (1, 2)], axis=1)
    held = np.stack([stepped_curves()[2]] * 2, axis=1)
    reduced = reduce_rotations(times, channels, "XYZ", degrees=2.0, held=held)
    assert reduced.largest_error <= 2.0
    for joint in range(2):
        assert reduced.keys[3 * joint + 1].constant[:-1].all()
