"""Motions without the object that carries them."""

from dataclasses import replace

import numpy as np
import pytest

from core.motion.motion import Motion
from core.motion.placement import without_placement
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.sample_motion import sample_motion


def carried(motion: Motion) -> Motion:
    """The motion below an object that stands still at the origin."""
    old = motion.skeleton
    skeleton = Skeleton.build(
        ["", *old.names],
        [-1, *(old.parents + 1)],
        [(0, 0, 0), *old.rest_positions],
        rest_rotations=[quaternion.IDENTITY, *old.rest_rotations],
        tips=[(0, 0, 0), *old.tips],
        has_placement=True,
    )
    still = np.zeros((len(motion), 1, 3))
    return replace(
        motion,
        skeleton=skeleton,
        rotations=np.concatenate([quaternion.identity(len(motion), 1), motion.rotations], axis=1),
        locations=np.concatenate([still, motion.locations], axis=1),
        scales=np.concatenate([still + 1.0, motion.scales], axis=1),
    )


def test_an_object_that_does_nothing_goes_and_every_joint_stays_in_place():
    motion = sample_motion(rate=15.0)
    result = without_placement(carried(motion))
    assert result.skeleton.names == motion.skeleton.names
    assert list(result.skeleton.parents) == list(motion.skeleton.parents)
    np.testing.assert_allclose(result.poses.positions, motion.poses.positions, atol=1e-12)


@pytest.mark.parametrize("channel", ["locations", "rotations", "scales"])
def test_an_object_that_moves_stays(channel):
    motion = carried(sample_motion(rate=15.0))
    values = getattr(motion, channel).copy()
    values[3, 0] = [0.8, 0.6, 0.0, 0.0] if channel == "rotations" else [1.0, 2.0, 3.0]
    moved = replace(motion, **{channel: values})
    assert without_placement(moved) is moved


def test_a_motion_without_object_is_given_back():
    motion = sample_motion(rate=15.0)
    assert without_placement(motion) is motion
