"""Other rest axes describe the same motion."""

import numpy as np
import pytest

from core.motion.motion import Motion
from core.motion.rest_axes import turned, with_rest_rotations
from core.motion.skeleton import Skeleton
from core.numerics import quaternion


def made_motion() -> Motion:
    random = np.random.default_rng(4)
    skeleton = Skeleton.build(
        "abcd",
        [-1, 0, 1, 1],
        random.normal(size=(4, 3)),
        rest_rotations=random.normal(size=(4, 4)),
        tips=random.normal(size=(4, 3)),
        local_location=[True, True, False, True],
    )
    rotations = quaternion.normalize(random.normal(size=(6, 4, 4)))
    return Motion.build(skeleton, rotations, rate=24.0, locations=random.normal(size=(6, 4, 3)))


def test_joints_and_tips_stay_where_they_are():
    motion = made_motion()
    changed = with_rest_rotations(motion, np.random.default_rng(5).normal(size=(4, 4)))
    np.testing.assert_allclose(changed.poses.positions, motion.poses.positions, atol=1e-12)
    np.testing.assert_allclose(changed.poses.tips, motion.poses.tips, atol=1e-12)


def test_going_back_gives_the_motion_again():
    motion = made_motion()
    there = with_rest_rotations(motion, np.random.default_rng(5).normal(size=(4, 4)))
    again = with_rest_rotations(there, motion.skeleton.rest_rotations)
    assert quaternion.angle_between(again.rotations, motion.rotations).max() < 1e-12
    np.testing.assert_allclose(again.locations, motion.locations, atol=1e-12)


def test_uneven_scales_are_refused():
    motion = made_motion()
    with pytest.raises(ValueError, match="uneven"):
        with_rest_rotations(motion.with_scales(motion.scales * [1.0, 2.0, 1.0]), motion.skeleton.rest_rotations)


def test_turning_moves_every_joint_rigidly():
    motion = made_motion()
    rotation = quaternion.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2)
    expected = quaternion.rotate(rotation, motion.poses.tips) * 2.0
    np.testing.assert_allclose(turned(motion, rotation, scale=2.0).poses.tips, expected, atol=1e-12)
