"""Frequency filters of whole motions."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, chain, noisy_curves, smooth_rotations
from scipy import signal

from core.filters import UnevenFramesError, equalized, filtered, low_passed, mean_pose, octaves, spectrum
from core.numerics import quaternion
from core.numerics.responses import binomial, butterworth, gaussian

FRAMES, JOINTS, RATE = 240, 5, 60.0


def made() -> Motion:
    """Swinging joints with noise on rotations and locations."""
    noise = 0.03 * np.random.default_rng(2).normal(size=(FRAMES, JOINTS, 3))
    rotations = quaternion.multiply(smooth_rotations(FRAMES, JOINTS, 1), quaternion.exp(noise))
    locations = noisy_curves(FRAMES, 3 * JOINTS, 3).reshape(FRAMES, JOINTS, 3)
    return Motion.build(chain(JOINTS), rotations, rate=RATE, locations=locations)


def turning(angles: np.ndarray) -> Motion:
    """One joint that turns about one axis: rotations are then numbers, which the oracle filters."""
    vectors = angles[:, None, None] * np.array([0.0, 0.6, 0.8])
    return Motion.build(chain(1), quaternion.exp(vectors), rate=RATE)


RESPONSES = {"gaussian": gaussian(0.1), "butterworth": butterworth(4.0), "binomial": binomial(RATE, passes=3)}


@pytest.mark.parametrize("response", RESPONSES.values(), ids=RESPONSES)
class TestEveryLowPass:
    def test_commutes_with_turning_the_character(self, response):
        motion = made()
        turn = quaternion.normalize([0.3, -0.5, 0.2, 0.7])
        turned = motion.with_rotations(quaternion.multiply(turn, motion.rotations))
        one = low_passed(turned, response).rotations
        other = quaternion.multiply(turn, low_passed(motion, response).rotations)
        assert quaternion.angle_between(one, other).max() < 1e-9

    def test_signs_of_quaternions_do_not_matter(self, response):
        motion = made()
        flipped = Motion.build(motion.skeleton, -motion.rotations, rate=RATE, locations=motion.locations)
        one, other = (low_passed(each, response).rotations for each in (motion, flipped))
        assert quaternion.angle_between(one, other).max() < 1e-12

    def test_ends_stay_bit_for_bit(self, response):
        motion = made()
        result = low_passed(motion, response)
        for name in ("rotations", "locations", "scales"):
            np.testing.assert_array_equal(getattr(result, name)[[0, -1]], getattr(motion, name)[[0, -1]])

    def test_steady_movement_stays(self, response):
        steady = turning(np.linspace(0.0, 2.0, FRAMES))
        result = low_passed(steady, response)
        assert quaternion.angle_between(result.rotations, steady.rotations).max() < 2e-3

    def test_noise_gets_less(self, response):
        motion = made()
        result = low_passed(motion, response)
        rough = [np.abs(np.diff(each.locations, 2, axis=0)).mean() for each in (motion, result)]
        assert rough[1] < 0.5 * rough[0]

    def test_only_chosen_joints_change(self, response):
        motion, joints = made(), np.arange(JOINTS) == 2
        result = low_passed(motion, response, joints=joints)
        np.testing.assert_array_equal(result.rotations[:, ~joints], motion.rotations[:, ~joints])
        assert (result.rotations[:, joints] != motion.rotations[:, joints]).any()


def test_butterworth_is_the_oracles_run_forward_and_backward():
    values = made().locations.reshape(FRAMES, -1)
    sections = signal.butter(2, 4.0, fs=RATE, output="sos")
    oracle = signal.sosfiltfilt(sections, values, axis=0, padtype="odd", padlen=FRAMES - 1)
    ours = low_passed(made(), butterworth(4.0)).locations.reshape(FRAMES, -1)
    # The oracle's response is warped towards half the sample rate; well below it both are the same.
    assert np.abs(ours - oracle).max() < 0.05 * np.abs(values - oracle).max()


def test_binomial_is_the_mean_of_neighbours():
    locations = made().locations
    mean = 0.25 * (locations[:-2] + 2.0 * locations[1:-1] + locations[2:])
    result = low_passed(made(), binomial(RATE)).locations[1:-1]
    np.testing.assert_allclose(result, mean, atol=1e-12)


def test_rotations_about_one_axis_are_filtered_like_numbers():
    angles = 0.4 * np.sin(2 * np.pi * 1.0 * np.arange(FRAMES) / RATE) + 0.05 * np.random.default_rng(1).normal(
        size=FRAMES
    )
    numbers = Motion.build(
        chain(1), quaternion.identity(FRAMES, 1), rate=RATE, locations=np.repeat(angles[:, None, None], 3, 2)
    )
    response = butterworth(5.0)
    expected = low_passed(numbers, response).locations[:, 0, 0]
    turned = low_passed(turning(angles), response)
    got = quaternion.log(turned.rotations)[:, 0] @ [0.0, 0.6, 0.8]
    np.testing.assert_allclose(got, expected, atol=3e-3)


def test_bands_part_a_slow_and_a_fast_wave():
    time = np.arange(FRAMES) / RATE
    slow, fast = 0.4 * np.sin(2 * np.pi * 0.5 * time), 0.1 * np.sin(2 * np.pi * 12.0 * time)
    motion = turning(slow + fast)
    axis = np.array([0.0, 0.6, 0.8])

    def angles(result: Motion) -> np.ndarray:
        return (quaternion.log(result.rotations)[:, 0] @ axis)[20:-20]

    below = filtered(motion, keep_below=butterworth(3.0))
    above = filtered(motion, keep_above=butterworth(3.0))
    np.testing.assert_allclose(angles(below), slow[20:-20], atol=0.01)
    np.testing.assert_allclose(angles(above) - angles(above).mean(), fast[20:-20], atol=0.01)


@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
def test_strength_mixes(strength):
    motion = made()
    whole = filtered(motion, keep_below=butterworth(4.0))
    part = filtered(motion, keep_below=butterworth(4.0), strength=strength)
    expected = quaternion.slerp(motion.rotations, whole.rotations, strength)
    assert quaternion.angle_between(part.rotations, expected).max() < 1e-9
    if strength == 0.0:
        assert part is motion


# Equalizer


def test_gains_of_one_change_nothing():
    motion = made()
    cutoffs = octaves(motion)
    assert equalized(motion, [1.0] * 6, cutoffs=cutoffs) is motion
    nearly = equalized(motion, [1.0, 1.0, 1.0 + 1e-12, 1.0, 1.0, 1.0], cutoffs=cutoffs)
    assert quaternion.angle_between(nearly.rotations, motion.rotations).max() < 1e-9
    np.testing.assert_allclose(nearly.locations, motion.locations, atol=1e-9)


def test_a_gain_scales_its_band():
    motion = made()
    cutoffs = octaves(motion, count=4)
    doubled = equalized(motion, [1.0, 1.0, 2.0, 1.0], cutoffs=cutoffs)
    before, after = (spectrum(each, cutoffs=cutoffs)[1] for each in (motion, doubled))
    assert (after[2] > 1.6 * before[2]).all()
    np.testing.assert_allclose(after[0], before[0], rtol=0.1)


def test_equalizer_commutes_with_turning_the_character():
    motion, turn = made(), quaternion.normalize([0.1, 0.5, -0.4, 0.3])
    gains, cutoffs = [0.2, 1.5, 0.7, 1.3], octaves(made(), count=4)
    turned = motion.with_rotations(quaternion.multiply(turn, motion.rotations))
    one = equalized(turned, gains, cutoffs=cutoffs).rotations
    other = quaternion.multiply(turn, equalized(motion, gains, cutoffs=cutoffs).rotations)
    assert quaternion.angle_between(one, other).max() < 1e-7


def test_a_gain_scales_the_turns_of_its_band():
    time = np.arange(4 * FRAMES) / RATE
    slow, fast = 0.5 * np.sin(2 * np.pi * 0.5 * time), 0.1 * np.sin(2 * np.pi * 5.0 * time)
    gains, cutoffs = [1.0, 3.0, 1.0], [10.0, 2.5]
    result = equalized(turning(slow + fast), gains, cutoffs=cutoffs)
    got = quaternion.log(result.rotations)[:, 0] @ [0.0, 0.6, 0.8]
    inside = slice(30, -30)  # The ends are held, whatever the gains.
    np.testing.assert_allclose(got[inside], (slow + 3.0 * fast)[inside], atol=0.02)


def test_one_gain_for_all_bands_scales_the_way_from_the_mean():
    motion = made()
    result = equalized(motion, [1.5, 1.5, 1.5], cutoffs=[8.0, 2.0])
    mean = mean_pose(motion)
    before, after = (
        quaternion.log(quaternion.multiply(quaternion.conjugate(mean.rotations), each.rotations))
        for each in (motion, result)
    )
    near = np.linalg.norm(before, axis=-1) < 2.0
    np.testing.assert_allclose(after[near], 1.5 * before[near], atol=1e-9)
    np.testing.assert_allclose(result.locations - mean.locations, 1.5 * (motion.locations - mean.locations), atol=1e-9)


def test_bands_of_a_spin_make_the_spin():
    spin = turning(np.linspace(0.0, 20.0, FRAMES) + 0.2 * np.sin(np.arange(FRAMES)))
    gains = [1.0, 1.0 + 1e-12, 1.0, 1.0 + 1e-12]
    result = equalized(spin, gains, cutoffs=octaves(spin, count=4))
    assert quaternion.angle_between(result.rotations, spin.rotations).max() < 1e-8


def test_a_joint_is_equalized_the_same_alone_and_among_many():
    motion, gains = made(), [0.2, 1.5, 0.7, 1.3]
    joints = np.arange(JOINTS) == 3
    cutoffs = octaves(motion, count=4)
    many, alone = (equalized(motion, gains, cutoffs=cutoffs, joints=which) for which in (None, joints))
    np.testing.assert_allclose(alone.rotations[:, joints], many.rotations[:, joints], atol=1e-14)
    for name in ("rotations", "locations", "scales"):
        np.testing.assert_array_equal(getattr(alone, name)[:, ~joints], getattr(motion, name)[:, ~joints])


def test_sizes_of_the_spectrum_are_those_of_the_waves():
    time = np.arange(10 * FRAMES) / RATE
    motion = turning(0.4 * np.sin(2 * np.pi * 0.25 * time) + 0.1 * np.sin(2 * np.pi * 5.0 * time))
    turns, moves = spectrum(motion, cutoffs=[10.0, 2.5, 1.0])
    np.testing.assert_allclose(turns[:, 0], [0.0, 0.1 / 2**0.5, 0.0, 0.4 / 2**0.5], atol=5e-3)
    np.testing.assert_array_equal(moves, 0.0)


def test_the_mean_pose_is_near_the_mean_of_angles_and_turns_with_the_character():
    motion, turn = made(), quaternion.normalize([0.1, 0.5, -0.4, 0.3])
    mean = mean_pose(motion).rotations[0]
    assert quaternion.angle_between(mean, quaternion.mean(motion.rotations)).max() < 0.1
    turned = mean_pose(motion.with_rotations(quaternion.multiply(turn, motion.rotations))).rotations[0]
    assert quaternion.angle_between(turned, quaternion.multiply(turn, mean)).max() < 1e-9


# Refusals


def test_joints_of_another_skeleton_are_refused():
    with pytest.raises(ValueError, match="joints must have shape"):
        low_passed(made(), butterworth(4.0), joints=[True])


def test_uneven_frames_are_refused():
    motion = made()
    uneven = Motion.build(
        motion.skeleton, motion.rotations, rate=RATE, times=motion.times + 0.004 * (np.arange(FRAMES) % 2)
    )
    with pytest.raises(UnevenFramesError, match="every frame"):
        low_passed(uneven, butterworth(4.0))


@pytest.mark.parametrize("frames", [1, 2])
def test_too_few_frames_stay(frames):
    short = made().part(0, frames)
    assert low_passed(short, butterworth(4.0)) is short


def test_gains_and_cutoffs_must_fit():
    with pytest.raises(ValueError, match="3 gains need 2 cutoffs"):
        equalized(made(), [1.0, 2.0, 1.0], cutoffs=[3.0])
