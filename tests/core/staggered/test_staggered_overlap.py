"""Overlap: bones in a row that are late."""

from __future__ import annotations

import numpy as np
from made_motion import chain

from core.editing import Take
from core.motion import Motion
from core.numerics import quaternion
from core.staggered import Overlap
from core.staggered.overlap.chains import chain_depths
from core.staggered.overlap.delay import delayed

RATE = 30.0


def swinging(frames: int = 181, period: int = 60) -> Motion:
    """Four bones that swing in step."""
    phase = 2.0 * np.pi * np.arange(frames) / period
    vectors = np.zeros((frames, 4, 3))
    vectors[:, :, 0] = 0.5 * np.sin(phase)[:, None]
    return Motion.build(chain(4), quaternion.exp(vectors), rate=RATE)


def test_depths_count_the_chosen_bones_above():
    skeleton = chain(5)
    assert chain_depths(skeleton, np.ones(5, dtype=bool)).tolist() == [0, 1, 2, 3, 4]
    assert chain_depths(skeleton, np.array([False, True, False, True, True])).tolist() == [0, 0, 0, 1, 2]


def test_each_bone_is_late_by_its_depth():
    motion = swinging()
    late = delayed(motion, np.array([0, 1, 2, 3]), 2.0 / RATE)
    np.testing.assert_array_equal(late.rotations[:, 0], motion.rotations[:, 0])
    for joint in (1, 2, 3):
        shown, known = late.rotations[30:-30, joint], motion.rotations[30 - 2 * joint : -30 - 2 * joint, joint]
        assert quaternion.angle_between(shown, known).max() < 1e-3
    assert quaternion.angle_between(late.rotations[[0, -1]], motion.rotations[[0, -1]]).max() < 1e-9


def test_a_loop_wraps_round():
    motion = swinging(61)
    late = delayed(motion, np.array([0, 1, 2, 3]), 2.0 / RATE, seam=0.0)
    expected = np.concatenate([motion.rotations[-5:-1, 2], motion.rotations[:-4, 2]])
    assert quaternion.angle_between(late.rotations[:, 2], expected).max() < 1e-6
    assert quaternion.angle_between(late.rotations[0], late.rotations[-1]).max() < 1e-6


def test_nothing_runs_much_faster_than_before():
    motion = swinging(61)
    for delay in (0.02, 0.1, 0.5, 5.0, -0.3):
        late = delayed(motion, np.array([0, 1, 2, 3]), delay)
        before, after = (
            quaternion.angle_between(each.rotations[1:], each.rotations[:-1]).max() for each in (motion, late)
        )
        assert after < 1.8 * before


def test_chosen_bones_alone_change():
    motion = swinging()
    chosen = np.array([False, True, True, True])
    changed = Overlap().apply(Take(motion, joints=chosen, is_picked=True)).motion
    different = (changed.rotations != motion.rotations).any(axis=(0, 2))
    assert different.tolist() == [False, False, True, True]
