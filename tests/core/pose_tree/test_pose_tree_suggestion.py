"""Places suggested for new poses."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, chain
from slow_pose_tree import swarm_place
from test_pose_tree_space import made_poses, places

from core.motion.offsets.pose_rows import chosen
from core.numerics import quaternion
from core.pose_tree import ControlSpace, suggest_place


def arm_poses(count: int, seed: int = 0) -> Motion:
    """A chain of six joints that bends smoothly with three hidden numbers."""
    random = np.random.default_rng(seed)
    turned = random.normal(size=(count, 3)) @ random.normal(size=(3, 18)) * 0.3
    return Motion.build(chain(6), quaternion.exp(turned.reshape(count, 6, 3)), rate=30.0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [2, 5, 30, 120])
def test_no_swarm_finds_a_better_place(count, seed):
    poses = arm_poses(count + 1, seed)
    space = ControlSpace.build(places(count, seed), chosen(poses, range(count)))
    new = chosen(poses, [count])
    found = suggest_place(space, new)
    assert found.distance <= swarm_place(space, new)[1] * (1.0 + 1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_no_swarm_finds_a_better_place_among_poses_that_have_nothing_in_common(seed):
    random = np.random.default_rng(seed)
    poses = Motion.build(chain(20), quaternion.exp(0.3 * random.normal(size=(81, 20, 3))), rate=30.0)
    space = ControlSpace.build(places(80, seed), chosen(poses, range(80)))
    new = chosen(poses, [80])
    assert suggest_place(space, new).distance <= swarm_place(space, new)[1] * (1.0 + 1e-3)


def test_a_pose_that_the_space_blends_is_found_where_it_is():
    space = ControlSpace.build(places(20), arm_poses(20))
    hidden = space.places[4] + [0.05, -0.04, 0.06]
    found = suggest_place(space, space.at(hidden))
    assert found.distance < 1e-5


def test_the_same_pose_gets_the_same_place():
    space, new = ControlSpace.build(places(20), arm_poses(20)), arm_poses(1, seed=5)
    np.testing.assert_array_equal(suggest_place(space, new).place, suggest_place(space, new).place)


def test_one_target_suggests_its_place():
    space = ControlSpace.build([[1.0, 2.0, 3.0]], made_poses(1))
    np.testing.assert_allclose(suggest_place(space, made_poses(1, seed=4)).place, [1.0, 2.0, 3.0])
