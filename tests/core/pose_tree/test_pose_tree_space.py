"""Control spaces: what the blend owes to its targets."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, random_skeleton
from scipy.interpolate import RBFInterpolator

from core.motion.offsets.pose_rows import chosen, replaced
from core.numerics import quaternion
from core.pose_tree import ControlSpace, EmptySpaceError
from core.pose_tree.radial_basis import RadialBasis

JOINTS = 7


def made_poses(count: int, seed: int = 0, *, reach: float = 0.6, scalars: int = 2) -> Motion:
    """Poses around a random one, with locations, scales and scalars."""
    random = np.random.default_rng(seed)
    base = quaternion.normalize(random.normal(size=(JOINTS, 4)))
    turned = quaternion.multiply(base, quaternion.exp(reach * random.normal(size=(count, JOINTS, 3))))
    flipped = turned * random.choice([-1.0, 1.0], size=(count, JOINTS, 1))
    return Motion.build(
        random_skeleton(JOINTS, 3),
        flipped,
        rate=30.0,
        locations=random.normal(size=(count, JOINTS, 3)),
        scales=random.uniform(0.5, 1.5, size=(count, JOINTS, 3)),
        scalars=random.normal(size=(count, scalars)),
        scalar_names=tuple(f"key {number}" for number in range(scalars)),
    )


def places(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed + 100).normal(size=(count, 3))


def assert_same_pose(one: Motion, other: Motion, tolerance: float) -> None:
    assert quaternion.angle_between(one.rotations, other.rotations).max(initial=0.0) <= max(tolerance, 1e-15)
    for name in ("locations", "scales", "scalars"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=0, atol=tolerance)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 12, 40])
def test_at_a_target_the_blend_is_its_pose(count):
    poses, spots = made_poses(count), places(count)
    blended = ControlSpace.build(spots, poses).at(spots)
    assert_same_pose(blended, poses, 0.0)


def test_near_a_target_the_blend_is_near_its_pose():
    poses, spots = made_poses(12), places(12)
    assert_same_pose(ControlSpace.build(spots, poses).at(spots + 1e-9), poses, 1e-7)


def test_values_agree_with_the_oracle():
    values = np.random.default_rng(4).normal(size=(60, 5))
    asked = places(30, seed=9)
    oracle = RBFInterpolator(places(60), values, kernel="linear", degree=1)
    np.testing.assert_allclose(RadialBasis.fit(places(60), values)(asked), oracle(asked), atol=1e-10)


def test_affine_data_are_reproduced():
    spots, asked = places(20), 5.0 * places(15, seed=3)
    slope, offset = np.random.default_rng(5).normal(size=(3, 4)), np.arange(4.0)
    basis = RadialBasis.fit(spots, spots @ slope + offset)
    np.testing.assert_allclose(basis(asked), asked @ slope + offset, atol=1e-10)


def test_order_of_targets_does_not_matter():
    poses, spots, order = made_poses(15), places(15), np.random.default_rng(1).permutation(15)
    shuffled = chosen(poses, order)
    asked = places(10, seed=2)
    one, other = ControlSpace.build(spots, poses), ControlSpace.build(spots[order], shuffled)
    assert_same_pose(one.at(asked), other.at(asked), 1e-9)


def test_signs_of_quaternions_do_not_matter():
    poses, spots, asked = made_poses(9), places(9), places(10, seed=2)
    flips = np.random.default_rng(3).choice([-1.0, 1.0], size=(9, JOINTS, 1))
    other = Motion(
        poses.skeleton, poses.times, poses.rotations * flips, poses.locations, poses.scales, 30.0,
        poses.scalars, poses.scalar_names,
    )  # fmt: skip
    assert_same_pose(ControlSpace.build(spots, poses).at(asked), ControlSpace.build(spots, other).at(asked), 1e-9)


LAYOUTS = {
    "one": np.array([[1.0, 2.0, 3.0]]),
    "two": np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
    "row": np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [3.0, 3.0, 0.0], [4.0, 4.0, 0.0]]),
    "plane": np.array([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0], [1.0, 1.0, 5.0], [2.0, 0.5, 5.0]]),
}


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_degenerate_layouts_are_met_and_stay_between_their_targets(layout):
    spots = LAYOUTS[layout]
    poses = made_poses(len(spots), reach=0.2)
    space = ControlSpace.build(spots, poses)
    assert_same_pose(space.at(spots), poses, 0.0)
    middle = space.at(spots.mean(axis=0))
    span = poses.locations.max(axis=0) - poses.locations.min(axis=0)
    assert (middle.locations[0] <= poses.locations.max(axis=0) + 0.5 * span + 1e-9).all()
    assert (middle.locations[0] >= poses.locations.min(axis=0) - 0.5 * span - 1e-9).all()


def test_between_two_targets_is_half_of_each():
    poses = made_poses(2)
    middle = ControlSpace.build([[0, 0, 0], [2, 0, 0]], poses).at([1, 0, 0])
    expected = quaternion.slerp(poses.rotations[0], poses.rotations[1], 0.5)
    assert quaternion.angle_between(middle.rotations[0], expected).max() < 1e-9
    np.testing.assert_allclose(middle.locations[0], poses.locations.mean(axis=0), atol=1e-12)


def test_targets_at_one_place_are_merged_and_told():
    spots = places(5)
    spots[3] = spots[1]
    poses = made_poses(5)
    space = ControlSpace.build(spots, poses)
    assert space.merged == ((1, 3),)
    met = space.at(spots[1])
    np.testing.assert_allclose(met.locations[0], poses.locations[[1, 3]].mean(axis=0), atol=1e-9)
    assert_same_pose(space.at(spots[0]), poses.part(0, 1), 0.0)


def test_partial_poses_leave_what_they_do_not_hold_to_the_others():
    spots, poses = places(6), made_poses(6)
    held = np.ones((6, JOINTS), dtype=bool)
    held[2, 4:] = False
    whole = [0, 1, 3, 4, 5]
    space = ControlSpace.build(spots, poses, held=held)
    rest = ControlSpace.build(spots[whole], chosen(poses, whole))
    asked = places(8, seed=5)
    blended = space.at(asked)
    assert quaternion.angle_between(blended.rotations[:, 4:], rest.at(asked).rotations[:, 4:]).max() < 1e-7
    met = space.at(spots[2])
    assert quaternion.angle_between(met.rotations[0, :4], poses.rotations[2, :4]).max() < 1e-7


def test_joints_that_no_target_holds_are_told():
    held = np.ones((3, JOINTS), dtype=bool)
    held[:, 2] = False
    space = ControlSpace.build(places(3), made_poses(3), held=held)
    assert space.joints.tolist() == [joint != 2 for joint in range(JOINTS)]


def test_moving_targets_need_no_new_solution():
    spots, poses, others = places(10), made_poses(10), made_poses(10, seed=8)
    moved = chosen(others, [0, 1])
    space = ControlSpace.build(spots, poses, moving=(3, 7))
    again = ControlSpace.build(spots, replaced(poses, [3, 7], moved))
    asked = places(6, seed=4)
    held_still = [chosen(moved, [row] * len(asked)) for row in (0, 1)]
    blended = space.at(asked, moving_poses=held_still)
    # Rotations are compared at the targets: with another mean pose the way between them is another one.
    for name in ("locations", "scales", "scalars"):
        np.testing.assert_allclose(getattr(blended, name), getattr(again.at(asked), name), atol=1e-9)
    at_them = [chosen(moved, [row] * 2) for row in (0, 1)]
    assert_same_pose(space.at(spots[[3, 7]], moving_poses=at_them), moved, 1e-7)


def test_weights_are_those_of_the_blend():
    spots, poses, asked = places(9), made_poses(9), places(1, seed=6)[0]
    space = ControlSpace.build(spots, poses)
    weights = space.weights(asked)
    assert weights.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(weights @ poses.scalars, space.at(asked).scalars[0], atol=1e-9)


def test_an_empty_space_says_what_to_do():
    with pytest.raises(EmptySpaceError, match="add a pose"):
        ControlSpace.build(np.empty((0, 3)), made_poses(1).part(0, 0))


def test_weights_of_targets_of_a_limb_are_those_of_the_limb_and_take_nothing_from_the_others():
    spots, poses, asked = places(6), made_poses(6), places(1, seed=6)[0]
    held = np.ones((6, JOINTS), dtype=bool)
    held[5, :5] = False  # the last one holds two joints
    none = np.zeros((6, 2), dtype=bool)
    weights = ControlSpace.build(spots, poses, held=held, held_scalars=none).weights(asked)
    everywhere = ControlSpace.build(spots, poses).weights(asked)
    others = ControlSpace.build(spots[:5], chosen(poses, range(5))).weights(asked)
    assert weights[5] == pytest.approx(everywhere[5])
    np.testing.assert_allclose(weights[:5], (5 * others + 2 * everywhere[:5]) / JOINTS, atol=1e-12)


def test_on_a_limbs_target_the_limb_is_its_alone_and_the_body_the_others():
    spots, poses = places(6), made_poses(6)
    held = np.ones((6, JOINTS), dtype=bool)
    held[5, :5] = False
    space = ControlSpace.build(spots, poses, held=held, held_scalars=np.zeros((6, 2), dtype=bool))
    weights = space.weights(spots[5])
    assert weights[5] == pytest.approx(1.0)
    assert weights[:5].sum() == pytest.approx(5 / JOINTS)
