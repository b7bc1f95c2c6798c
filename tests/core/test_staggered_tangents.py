"""Scaling the tangents at a pose."""

import numpy as np
from made_motion import swinging_chain

from core.staggered import evaluate, fit, tangents
from core.staggered.detail_edits import with_scaled_tangents


def model():
    motion = swinging_chain(joints=3, frames=60)
    return fit(motion, motion.times[[0, 20, 40, 59]])


def test_factors_of_one_change_nothing():
    fitted = model()
    np.testing.assert_array_equal(evaluate(with_scaled_tangents(fitted)).rotations, fitted.source.rotations)


def test_tangents_are_scaled_at_the_pose_and_nowhere_else():
    fitted = model()
    eased = with_scaled_tangents(fitted, arriving=0.5, leaving=0.25, poses=[1], joints=[2])
    for pose in range(4):
        for joint in range(3):
            old, new = tangents(fitted, pose, joint), tangents(eased, pose, joint)
            factors = (0.5, 0.25) if (pose, joint) == (1, 2) else (1.0, 1.0)
            for before, after, factor in zip(old, new, factors, strict=True):
                np.testing.assert_allclose(after, before * factor)


def test_only_the_intervals_beside_the_pose_move():
    fitted = model()
    moved = evaluate(with_scaled_tangents(fitted, arriving=0.0, leaving=0.0, poses=[1])).rotations
    changed = np.flatnonzero((moved != fitted.source.rotations).any(axis=(1, 2)))
    assert changed.min() > 0
    assert changed.max() < 40
    assert len(changed) > 20
