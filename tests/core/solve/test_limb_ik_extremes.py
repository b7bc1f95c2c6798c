"""Limb IK where limbs are straight or folded, and where targets are out of reach."""

import numpy as np
import pytest
from made_leg import END, LIMB, LOWER, UPPER, bent_leg, limb_length

from core.motion.motion import Motion
from core.numerics import quaternion
from core.solve.limb_ik import Limb, reach_targets


def test_far_targets_are_approached_and_the_limb_points_at_them():
    motion = bent_leg()
    start = motion.poses.positions[:, UPPER]
    direction = quaternion.rotate(motion.poses.rotations[:, 0], np.array([0.3, -0.5, -0.8]))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    for softness, shortfall in ((0.0, 1e-9), (0.05, 1e-4)):
        found = reach_targets(motion, LIMB, start + 2.0 * direction, softness=softness)
        end = found.poses.positions[:, END] - start
        np.testing.assert_allclose(end, limb_length(motion) * direction, atol=shortfall)


def test_too_near_targets_fold_the_limb_as_far_as_it_goes():
    motion = bent_leg()
    start = motion.poses.positions[:, UPPER]
    found = reach_targets(motion, LIMB, start + np.array([0.001, 0.0, 0.0]))
    np.testing.assert_allclose(np.linalg.norm(found.poses.positions[:, END] - start, axis=1), 0.05, atol=1e-9)
    assert np.isfinite(reach_targets(motion, LIMB, start).rotations).all()


def knee_angles_while_stretching(softness):
    """Knee bend in radians while the target moves evenly out through full extension."""
    motion = bent_leg(frames=1, bend=0.8)
    motion = Motion.build(motion.skeleton, np.repeat(motion.rotations, 400, axis=0), rate=30)
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    direction = (end - start) / np.linalg.norm(end - start, axis=1, keepdims=True)
    distance = np.linspace(0.9, 1.1, 400) * limb_length(motion)
    found = reach_targets(motion, LIMB, start + direction * distance[:, None], softness=softness)
    first = found.poses.positions[:, LOWER] - found.poses.positions[:, UPPER]
    second = found.poses.positions[:, END] - found.poses.positions[:, LOWER]
    cosine = (first * second).sum(axis=1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def test_no_pop_at_full_extension():
    soft, hard = (np.abs(np.diff(knee_angles_while_stretching(s))) for s in (0.03, 0.0))
    assert soft.max() < 2.0 * soft[0]
    assert hard.max() > 5 * soft.max()


def test_soft_limit_grows_steadily_and_never_passes_the_full_length():
    motion = bent_leg(frames=200, bend=1.0, seed=1)
    start = motion.poses.positions[:, UPPER]
    distance = np.linspace(0.5, 3.0, 200) * limb_length(motion)
    end = reach_targets(motion, LIMB, start + distance[:, None] * [0, 0, -1], softness=0.1).poses.positions[:, END]
    reached = np.linalg.norm(end - start, axis=1) / limb_length(motion)
    met = distance <= 0.9 * limb_length(motion)
    np.testing.assert_allclose(reached[met] * limb_length(motion), distance[met], atol=1e-12)
    assert (np.diff(reached) > -1e-12).all()
    assert reached.max() <= 1.0 + 1e-12
    assert reached.max() > 0.9999


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_straight_limb_bends_about_the_given_hinge(side):
    motion = bent_leg(bend=0.0)
    rest = quaternion.conjugate(motion.skeleton.rest_rotations[LOWER])
    hinge = quaternion.rotate(rest, np.array([side, 0.0, 0.0]))
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    targets = start + 0.8 * (end - start)
    found = reach_targets(motion, Limb(UPPER, LOWER, END, hinge=tuple(hinge)), targets).poses.positions
    axis = quaternion.rotate(motion.poses.rotations[:, LOWER], hinge)
    normal = np.cross(found[:, LOWER] - start, found[:, END] - found[:, LOWER])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    np.testing.assert_allclose(normal, axis, atol=1e-7)
    assert np.abs(found[:, END] - targets).max() < 1e-9


def test_a_limb_straight_in_some_frames_bends_as_in_the_others():
    motion = bent_leg(bend=np.where(np.arange(40) % 2, 0.9, 0.0))
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    found = reach_targets(motion, LIMB, start + 0.8 * (end - start)).poses.positions
    shin_hinge = quaternion.rotate(
        motion.poses.rotations[:, LOWER],
        quaternion.rotate(quaternion.conjugate(motion.skeleton.rest_rotations[LOWER]), np.array([1.0, 0, 0])),
    )
    normal = np.cross(found[:, LOWER] - start, found[:, END] - found[:, LOWER])
    assert ((normal * shin_hinge).sum(axis=1) > 0.0).all()


def test_overstretched_knee_turns_over_without_missing_the_target():
    motion = bent_leg(bend=-0.02)
    rest = quaternion.conjugate(motion.skeleton.rest_rotations[LOWER])
    limb = Limb(UPPER, LOWER, END, hinge=tuple(quaternion.rotate(rest, np.array([1.0, 0, 0]))))
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    found = reach_targets(motion, limb, start + 0.7 * (end - start)).poses.positions
    hinge = quaternion.rotate(motion.poses.rotations[:, LOWER], np.array(limb.hinge))
    normal = np.cross(found[:, LOWER] - start, found[:, END] - found[:, LOWER])
    assert ((normal * hinge).sum(axis=1) > 0.0).all()
    np.testing.assert_allclose(found[:, END], start + 0.7 * (end - start), atol=1e-9)


def test_a_limb_folded_onto_itself_opens_to_its_target():
    motion = bent_leg(upper=0.4, lower=0.4, bend=np.pi)
    targets = motion.poses.positions[:, UPPER] + [0.2, 0.3, -0.1]
    found = reach_targets(motion, Limb(UPPER, LOWER, END, hinge=(1, 0, 0)), targets)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9


@pytest.mark.parametrize("lengths", [(0.0, 0.4), (0.4, 0.0), (0.0, 0.0)])
def test_bones_without_length_only_point(lengths):
    motion = bent_leg(upper=lengths[0], lower=lengths[1])
    start = motion.poses.positions[:, UPPER]
    end = reach_targets(motion, LIMB, start + np.array([0.0, 1.0, 0.0]), softness=0.0).poses.positions[:, END]
    np.testing.assert_allclose(end - start, np.tile([0.0, sum(lengths), 0.0], (len(motion), 1)), atol=1e-9)


def test_opposite_target_is_met():
    motion = bent_leg()
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    targets = start - 0.9 * (end - start)
    found = reach_targets(motion, LIMB, targets)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9
