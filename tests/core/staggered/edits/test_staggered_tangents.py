"""Scaling the tangents at a pose."""

import numpy as np
from knot_tangents import tangents
from made_motion import swinging_chain

from core.analysis.extremes.extraction import extract_poses
from core.body import find_body
from core.numerics import quaternion
from core.sample_motion import sample_motion
from core.staggered import evaluate, fit, with_shaped_tangents
from core.staggered.edits.detail_edits import with_scaled_tangents
from core.staggered.poses.pose_table import PoseTable


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


def test_flat_tangents_rest_in_the_pose_and_lengths_are_set_for_each_side():
    fitted = model()
    flat = with_shaped_tangents(fitted, "flat", poses=[1])
    assert not np.any(tangents(flat, 1, 2))
    half = with_shaped_tangents(fitted, "straight", arriving=None, leaving=0.5, poses=[1], joints=[2])
    arriving, leaving = tangents(half, 1, 2)
    np.testing.assert_array_equal(arriving, tangents(fitted, 1, 2)[0])
    here, there = (fitted.source.rotations[frame, 2] for frame in (20, 40))
    way = quaternion.log(quaternion.multiply(quaternion.conjugate(here), there))
    np.testing.assert_allclose(leaving, 0.5 * way / 3.0, atol=1e-12)
    np.testing.assert_array_equal(tangents(half, 1, 1)[1], tangents(fitted, 1, 1)[1])


def test_auto_tangents_pass_the_pose_with_one_velocity():
    motion = swinging_chain(joints=3, frames=60)
    fitted = with_shaped_tangents(fit(motion, motion.times[[0, 15, 40, 59]]), "auto")
    arriving, leaving = tangents(fitted, 1, 2)
    before, after = motion.times[15] - motion.times[0], motion.times[40] - motion.times[15]
    np.testing.assert_allclose(-arriving / before, leaving / after, atol=1e-12)
    assert np.abs(leaving).max() > 1e-3


def test_auto_tangents_follow_an_even_turn_exactly():
    even = np.linspace(0.0, 2.0, 60)[:, None, None] * np.array([0.3, 0.5, 0.1])
    motion = swinging_chain(joints=3, frames=60).with_rotations(quaternion.exp(np.repeat(even, 3, axis=1)))
    fitted = fit(motion, motion.times[[0, 13, 40, 59]])
    again = evaluate(with_shaped_tangents(fitted, "auto"))
    assert quaternion.angle_between(again.rotations, motion.rotations).max() < 1e-7


def test_splines_joined_at_editing_knots_do_not_go_round_the_other_way():
    motion = sample_motion(30.0)
    found = extract_poses(motion, find_body(motion.skeleton, motion=motion))
    fitted = PoseTable.of_candidates(found, share=0.4).fitted(motion)
    base = fitted.rotations
    assert np.linalg.norm(base.leaving, axis=1).max() > 3.1, "some spline must be at the limit"
    assert np.linalg.norm(base.detail.offsets, axis=1).max() < 2.6
