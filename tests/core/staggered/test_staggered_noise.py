"""Noise that staggering uncovers (section 6)."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain, smooth_curves, swinging_chain

from core.errors import TooFewFramesError
from core.motion.motion import Motion
from core.numerics import quaternion
from core.staggered import added_noise, evaluate, fit, high_frequency_energy, smooth_chain, succession


def cancelling_motion(frames: int = 240) -> Motion:
    """Two joints whose noise cancels out at the third, as a captured spine's does."""
    noise = 0.02 * np.random.default_rng(0).normal(size=frames)
    angles = np.zeros((frames, 4, 3))
    angles[:, :, 0] = 0.3 * smooth_curves(frames, 4, 2)
    angles[:, 1, 0] += noise
    angles[:, 2, 0] -= noise
    return Motion.build(chain(4), quaternion.exp(angles), rate=60.0)


def staggered(motion: Motion) -> Motion:
    return evaluate(succession(fit(motion, np.arange(0.0, 3.99, 0.5)), 0, 0.05))


def test_staggering_uncovers_noise_at_descendants():
    motion = cancelling_motion()
    noise, there = added_noise(motion, staggered(motion)), high_frequency_energy(motion)
    assert noise[3] > 0.3 * there[3]
    assert noise[0] == pytest.approx(0.0, abs=1e-15)


def test_smoothing_the_chain_first_avoids_it():
    motion = cancelling_motion()
    smooth = smooth_chain(motion, [1, 2], radius=3)
    assert added_noise(motion, staggered(smooth))[3] < 0.1 * added_noise(motion, staggered(motion))[3]
    assert quaternion.angle_between(smooth.rotations, motion.rotations).max() < 0.1


def test_smooth_motion_has_next_to_no_energy():
    motion = swinging_chain(joints=3, frames=200)
    shaken = motion.with_locations(motion.locations + 0.1 * np.random.default_rng(1).normal(size=(200, 3, 3)))
    assert high_frequency_energy(motion)[2] < 1e-4 * high_frequency_energy(shaken)[2]


def test_other_joints_and_both_ends_stay_bit_for_bit():
    motion = cancelling_motion()
    smooth = smooth_chain(motion, [1])
    np.testing.assert_array_equal(smooth.rotations[:, [0, 2, 3]], motion.rotations[:, [0, 2, 3]])
    np.testing.assert_array_equal(smooth.rotations[[0, -1]], motion.rotations[[0, -1]])
    mean = quaternion.normalize(motion.rotations[8:13, 1].sum(axis=0))
    np.testing.assert_allclose(smooth.rotations[10, 1], mean, atol=1e-12)


def test_short_motion_is_refused_with_a_reason():
    with pytest.raises(TooFewFramesError, match="needs 5 frames, the motion has 4"):
        high_frequency_energy(swinging_chain(frames=4))
