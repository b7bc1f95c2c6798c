"""Key reduction of whole rotations and locations."""

import numpy as np
import pytest
from made_motion import noisy_curves, smooth_rotations
from reduced_curves import KINDS, middles, stepped_curves, uneven_times

from core.keys import evaluate_keys, reduce_curves, reduce_locations, reduce_rotations
from core.numerics import quaternion, rotation_channels


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
@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "XYZ"])
def test_rotations_keep_what_is_known_between_samples(mode, kind):
    """Straight lines between samples of a movement so quick that a smooth curve bulges by more than the bound."""
    times, channels = np.arange(120.0), channels_of(smooth_rotations(120, 4, 3, reach=1.5), mode)
    channels = channels + 0.02 * noisy_curves(120, channels[0].size, 5, noise=1.0).reshape(channels.shape)
    between = 0.5 * (channels[1:] + channels[:-1])
    reduced = reduce_rotations(times, channels, mode, degrees=0.4, kind=kind, between=between)
    fitted = rotations_of(evaluate_keys(reduced.keys, middles(times)).reshape(between.shape), mode)
    error = np.rad2deg(quaternion.angle_between(fitted, rotations_of(between, mode))).max(axis=0)
    assert (error <= reduced.errors + 1e-9).all()
    assert reduced.largest_error <= 0.4


@pytest.mark.parametrize("kind", KINDS)
def test_locations_keep_what_is_known_between_samples(kind):
    times, locations = uneven_times(200), noisy_curves(200, 9, 4, noise=0.1).reshape(200, 3, 3)
    between = 0.5 * (locations[1:] + locations[:-1])
    reduced = reduce_locations(times, locations, distance=0.05, kind=kind, between=between)
    fitted = evaluate_keys(reduced.keys, middles(times)).reshape(between.shape)
    assert np.linalg.norm(fitted - between, axis=-1).max() <= reduced.largest_error + 1e-12
    assert reduced.largest_error <= 0.05


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


def test_whole_rotation_keeps_its_bound_beside_steps():
    times, channels = np.arange(60.0), np.stack([stepped_curves(seed=seed)[1] for seed in (1, 2)], axis=1)
    held = np.stack([stepped_curves()[2]] * 2, axis=1)
    reduced = reduce_rotations(times, channels, "XYZ", degrees=2.0, held=held)
    assert reduced.largest_error <= 2.0
    for joint in range(2):
        assert reduced.keys[3 * joint + 1].constant[:-1].all()
