"""Smoothing: steady movement stays, quick waves go, the ends and everything else are left alone."""

from dataclasses import replace

import numpy as np
import pytest
from made_motion import chain, noisy_curves, smooth_curves, smooth_rotations, swinging_chain
from scipy.integrate import trapezoid
from scipy.spatial.transform import Rotation, Slerp

from core.motion.motion import Motion
from core.motion.smoothing import smooth
from core.numerics import quaternion


def noisy(joints=3, frames=60, seed=0, times=None):
    vectors = noisy_curves(frames, joints * 3, seed).reshape(frames, joints, 3)
    return Motion.build(
        chain(joints),
        quaternion.exp(vectors),
        rate=30.0,
        times=times,
        locations=noisy_curves(frames, joints * 3, seed + 5).reshape(frames, joints, 3),
        scales=1.0 + 0.1 * smooth_curves(frames, joints * 3, seed + 9).reshape(frames, joints, 3),
        scalars=noisy_curves(frames, 1, seed + 11),
        scalar_names=("switch",),
    )


def uneven_times(frames, seed=3):
    return np.cumsum(np.random.default_rng(seed).uniform(0.01, 0.06, frames))


def slow_means(times, values, reach):
    """Mean around one sample after the other, by the trapezoid rule on the lines between samples."""
    result = values.copy()
    for frame, time in enumerate(times):
        span = min(reach, time - times[0], times[-1] - time)
        if span > 0.0:
            inside = times[(times > time - span) & (times < time + span)]
            places = np.array([time - span, *inside, time + span])
            result[frame] = trapezoid(np.interp(places, times, values), places) / (2.0 * span)
    return result


def slow_twice(times, values, reach):
    return slow_means(times, slow_means(times, values, reach), reach)


def slow_rotation_means(times, rotations, reach):
    """Mean of each component, made a rotation again and brought to the sign of its neighbour by SciPy and a loop."""
    means = np.stack([slow_means(times, rotations[:, part], reach) for part in range(4)], axis=-1)
    means = Rotation.from_quat(means[:, [1, 2, 3, 0]]).as_quat()[:, [3, 0, 1, 2]]
    for frame in range(1, len(means)):
        if means[frame] @ means[frame - 1] < 0.0:
            means[frame] *= -1.0
    return means


def slow_smooth(motion, radius, strength):
    """One joint, one component at a time."""
    found = {name: np.array(getattr(motion, name)) for name in ("rotations", "locations", "scales")}
    for joint in range(len(motion.skeleton)):
        for name in ("locations", "scales"):
            for part in range(3):
                column = found[name][:, joint, part]
                means = slow_twice(motion.times, column, radius / 2)
                found[name][:, joint, part] = (1.0 - strength) * column + strength * means
        rotations = found["rotations"][:, joint].copy()
        means = slow_rotation_means(motion.times, rotations, radius / 2)
        means = slow_rotation_means(motion.times, means, radius / 2)
        for frame, (old, new) in enumerate(zip(rotations, means, strict=True)):
            both = Rotation.from_quat([[*old[1:], old[0]], [*new[1:], new[0]]])
            turned = Slerp([0.0, 1.0], both)(strength).as_quat()
            found["rotations"][frame, joint] = turned[3], *turned[:3]
    return found


@pytest.mark.parametrize("radius", [0.01, 0.05, 0.1, 0.33, 5.0])
@pytest.mark.parametrize("strength", [0.3, 1.0])
@pytest.mark.parametrize("times", [None, uneven_times(60)], ids=["even", "uneven"])
def test_agrees_with_the_plain_loop(radius, strength, times):
    motion = noisy(times=times)
    smoothed, wanted = smooth(motion, radius=radius, strength=strength), slow_smooth(motion, radius, strength)
    assert quaternion.angle_between(smoothed.rotations, wanted["rotations"]).max() < 1e-8
    np.testing.assert_allclose(smoothed.locations, wanted["locations"], atol=1e-8)
    np.testing.assert_allclose(smoothed.scales, wanted["scales"], atol=1e-8)


@pytest.mark.parametrize("options", [{"radius": 0.2, "strength": 0.0}, {"radius": 0.0}])
def test_nothing_asked_changes_nothing(options):
    motion = noisy()
    same = smooth(motion, **options)
    for name in ("times", "rotations", "locations", "scales", "scalars"):
        np.testing.assert_array_equal(getattr(same, name), getattr(motion, name))


@pytest.mark.parametrize("radius", [0.05, 0.4, 10.0])
def test_first_and_last_pose_stay_bit_for_bit(radius):
    motion = noisy()
    smoothed = smooth(motion, radius=radius)
    for name in ("rotations", "locations", "scales"):
        for end in (0, -1):
            np.testing.assert_array_equal(getattr(smoothed, name)[end], getattr(motion, name)[end])


@pytest.mark.parametrize("times", [np.arange(50) / 30.0, uneven_times(50)], ids=["even", "uneven"])
def test_steady_movement_stays_up_to_both_ends(times):
    locations = times[:, None, None] * np.array([1.0, -2.0, 0.5]) + np.array([3.0, 0.0, 1.0])
    motion = Motion.build(chain(1), quaternion.identity(50, 1), rate=30.0, times=times, locations=locations)
    np.testing.assert_allclose(smooth(motion, radius=0.3).locations, locations, atol=1e-12)


@pytest.mark.parametrize("turns_per_second", [0.3, 2.0, 5.0])
def test_a_steady_turn_stays(turns_per_second):
    times = np.arange(120) / 60.0
    rotations = quaternion.from_axis_angle([0.3, 0.5, -0.8], 2 * np.pi * turns_per_second * times)[:, None]
    motion = Motion.build(chain(1), rotations, rate=60.0)
    smoothed = smooth(motion, radius=0.15)
    assert quaternion.angle_between(smoothed.rotations, motion.rotations).max() < 1e-6


def test_a_spin_whose_mean_is_nothing_is_left_alone():
    # Two whole turns within the window of one mean: the quaternions cancel each other.
    rotations = quaternion.from_axis_angle([0.0, 0.0, 1.0], np.pi * np.arange(41) / 2.0)[:, None]
    motion = Motion.build(chain(1), rotations, rate=10.0)
    smoothed = smooth(motion, radius=0.8)
    middle = slice(8, -8)
    assert quaternion.angle_between(smoothed.rotations, motion.rotations)[middle].max() < 1e-6


def wave_left(period, radius, rate=120.0):
    times = np.arange(int(8 * rate)) / rate
    locations = np.zeros((len(times), 1, 3))
    locations[:, 0, 0] = np.sin(2 * np.pi * times / period)
    motion = Motion.build(chain(1), quaternion.identity(len(times), 1), rate=rate, locations=locations)
    middle = slice(len(times) // 4, -len(times) // 4)
    return np.abs(smooth(motion, radius=radius).locations[middle, 0, 0]).max()


def test_quick_waves_go_and_slow_ones_stay():
    assert wave_left(0.2, 0.2) < 0.02
    assert wave_left(0.14, 0.2) < 0.06  # where a single mean would leave a fifth
    assert wave_left(1.2, 0.2) > 0.9
    assert wave_left(4.0, 0.2) > 0.99


def test_the_radius_is_in_seconds_at_any_rate():
    assert wave_left(0.5, 0.2, rate=30.0) == pytest.approx(wave_left(0.5, 0.2, rate=120.0), abs=0.02)


def test_noise_falls_while_the_swing_stays():
    clean = quaternion.exp(1.5 * smooth_curves(240, 3).reshape(240, 1, 3))
    noise = quaternion.exp(0.03 * np.random.default_rng(2).normal(size=(240, 1, 3)))
    motion = Motion.build(chain(1), quaternion.multiply(clean, noise), rate=60.0)
    before = quaternion.angle_between(motion.rotations, clean)
    after = quaternion.angle_between(smooth(motion, radius=0.1).rotations, clean)
    assert np.sqrt((after**2).mean()) < 0.6 * np.sqrt((before**2).mean())


def test_rotations_stay_rotations_without_sign_jumps():
    smoothed = smooth(noisy(), radius=0.5)
    np.testing.assert_allclose(np.linalg.norm(smoothed.rotations, axis=-1), 1.0, atol=1e-12)
    assert quaternion.dot(smoothed.rotations[1:], smoothed.rotations[:-1]).min() > 0.0


def test_more_strength_smooths_more():
    motion, roughness = noisy(), []
    for strength in (0.0, 0.25, 0.5, 1.0):
        locations = smooth(motion, radius=0.1, strength=strength).locations
        roughness.append(np.abs(np.diff(locations, 2, axis=0)).mean())
    assert roughness == sorted(roughness, reverse=True)
    assert roughness[-1] < 0.5 * roughness[0]


def test_other_joints_and_scalars_stay_bit_for_bit():
    motion = noisy()
    smoothed = smooth(motion, radius=0.2, joints=[False, True, False])
    for name in ("rotations", "locations", "scales"):
        changed = (getattr(smoothed, name) != getattr(motion, name)).any(axis=(0, 2))
        assert changed.tolist() == [False, True, False], name
    np.testing.assert_array_equal(smoothed.scalars, motion.scalars)


def test_held_channels_stay_bit_for_bit():
    motion = swinging_chain(joints=2, frames=90)
    locations = np.array(motion.locations)
    locations[30:, 0] = 1.0 / 3.0
    held = smooth(replace(motion, locations=locations), radius=0.1)
    np.testing.assert_array_equal(held.locations[34:, 0], locations[34:, 0])
    np.testing.assert_array_equal(held.locations[:, 1], 0.0)
    np.testing.assert_array_equal(held.scales, motion.scales)


def test_the_input_is_left_alone():
    motion = noisy()
    before = np.array(motion.rotations), np.array(motion.locations)
    smooth(motion, radius=0.2)
    np.testing.assert_array_equal(motion.rotations, before[0])
    np.testing.assert_array_equal(motion.locations, before[1])


@pytest.mark.parametrize("frames", [1, 2])
def test_nothing_lies_between_one_or_two_frames(frames):
    motion = swinging_chain(frames=frames)
    np.testing.assert_array_equal(smooth(motion, radius=1.0).rotations, motion.rotations)


@pytest.mark.parametrize("options", [{"radius": -0.1}, {"radius": np.nan}, {"radius": 0.1, "strength": 1.1}])
def test_wrong_options_are_refused(options):
    with pytest.raises(ValueError, match="radius must not be negative"):
        smooth(swinging_chain(), **options)


def test_rotations_across_a_flip_of_signs_average_the_short_way():
    rotations = smooth_rotations(40, 1)
    flipped = rotations * np.where(np.arange(40) % 7 < 3, -1.0, 1.0)[:, None, None]
    smoothed = [smooth(Motion.build(chain(1), each, rate=30.0), radius=0.1).rotations for each in (rotations, flipped)]
    assert quaternion.angle_between(*smoothed).max() < 1e-12
