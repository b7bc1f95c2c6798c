"""Global poses against a plain loop, and the two ways of composing against each other."""

import numpy as np
import pytest
import slow_reference
from made_motion import chain, random_skeleton, smooth_curves, smooth_rotations

from core.motion.kinematics import bone_inheritance
from core.motion.kinematics.forward_kinematics import forward_kinematics, parent_steps
from core.motion.skeleton import InheritScale
from core.numerics import quaternion

JOINTS, FRAMES = 9, 12


def made_channels(seed=0, *, frames=FRAMES):
    rotations = smooth_rotations(frames, JOINTS, seed)
    locations = smooth_curves(frames, JOINTS * 3, seed + 1).reshape(frames, JOINTS, 3)
    uniform = np.exp(smooth_curves(frames, JOINTS, seed + 2))[..., None] * np.ones(3)
    uneven = np.exp(smooth_curves(frames, JOINTS * 3, seed + 3)).reshape(frames, JOINTS, 3)
    return rotations, locations, uniform, uneven


def mixed_flags(seed=0):
    random = np.random.default_rng(seed)
    return {"connected": random.random(JOINTS) < 0.3, "local_location": random.random(JOINTS) < 0.5}


def assert_poses_match(poses, matrices, skeleton, *, scaled=True):
    np.testing.assert_allclose(poses.positions, matrices[..., :3, 3], atol=1e-11)
    tips = matrices[..., :3, 3] + np.einsum("fjab,jb->fja", matrices[..., :3, :3], skeleton.tips)
    np.testing.assert_allclose(poses.tips, tips, atol=1e-11)
    if scaled:
        length = np.linalg.norm(matrices[..., :3, :3], axis=-2, keepdims=True)
        turns = quaternion.to_matrix(poses.rotations)
        np.testing.assert_allclose(turns, matrices[..., :3, :3] / length, atol=1e-11)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", ["one", "uniform", "uneven"])
def test_agrees_with_the_plain_loop(seed, size):
    skeleton = random_skeleton(JOINTS, seed, **mixed_flags(seed))
    rotations, locations, uniform, uneven = made_channels(seed)
    scales = {"one": np.ones_like(uniform), "uniform": uniform, "uneven": uneven}[size]
    poses = forward_kinematics(skeleton, rotations, locations, scales)
    matrices = slow_reference.forward_kinematics(skeleton, rotations, locations, scales)
    assert_poses_match(poses, matrices, skeleton, scaled=size != "uneven")


@pytest.mark.parametrize("with_scale", [False, True])
@pytest.mark.parametrize("with_location", [False, True])
def test_matrices_and_quaternions_agree(with_location, with_scale):
    skeleton = random_skeleton(JOINTS, 5, **mixed_flags(1))
    rotations, locations, uniform, _ = made_channels(5)
    scales = uniform if with_scale else None
    places = locations if with_location else None
    fast = forward_kinematics(skeleton, rotations, places, scales)
    plain = bone_inheritance.compose(skeleton, rotations, parent_steps(skeleton, places), scales)
    np.testing.assert_allclose(fast.positions, plain.positions, atol=1e-12)
    np.testing.assert_allclose(fast.tips, plain.tips, atol=1e-12)
    assert quaternion.angle_between(fast.rotations, plain.rotations).max() < 1e-11


def test_rest_channels_give_the_rest_pose():
    skeleton = random_skeleton(JOINTS, 3)
    poses = forward_kinematics(skeleton, quaternion.identity(2, JOINTS))
    np.testing.assert_allclose(poses.positions[1], skeleton.rest_positions, atol=1e-13)
    assert quaternion.angle_between(poses.rotations, skeleton.rest_rotations).max() < 1e-13


def test_what_is_not_given_is_at_rest():
    skeleton = random_skeleton(JOINTS, 3)
    rotations, locations, uniform, _ = made_channels(3)
    short = forward_kinematics(skeleton, rotations)
    full = forward_kinematics(skeleton, rotations, 0 * locations, np.ones_like(uniform))
    np.testing.assert_array_equal(short.positions, full.positions)
    np.testing.assert_array_equal(short.tips, full.tips)


def test_connected_joint_ignores_its_location():
    skeleton = random_skeleton(JOINTS, 2, connected=np.ones(JOINTS, dtype=bool))
    rotations, locations, *_ = made_channels(2)
    np.testing.assert_array_equal(
        forward_kinematics(skeleton, rotations, locations).positions,
        forward_kinematics(skeleton, rotations).positions,
    )


def test_location_acts_in_own_rest_axes_or_in_the_parents():
    quarter = quaternion.exp([0.0, 0.0, np.pi / 2])
    locations = np.zeros((1, 2, 3))
    locations[0, 1] = [1.0, 0.0, 0.0]
    for local, expected in ((True, [0.0, 2.0, 0.0]), (False, [1.0, 1.0, 0.0])):
        skeleton = chain(2, rest_rotations=[quaternion.IDENTITY, quarter], local_location=[True, local])
        poses = forward_kinematics(skeleton, quaternion.identity(1, 2), locations)
        np.testing.assert_allclose(poses.positions[0, 1], expected, atol=1e-14)


@pytest.mark.parametrize("mode", list(InheritScale))
def test_every_way_of_inheriting_scale_is_the_same_without_scale(mode):
    plain = random_skeleton(JOINTS, 6)
    changed = random_skeleton(JOINTS, 6, inherit_scale=np.full(JOINTS, mode))
    rotations, locations, *_ = made_channels(6)
    expected = forward_kinematics(plain, rotations, locations)
    poses = forward_kinematics(changed, rotations, locations)
    np.testing.assert_allclose(poses.positions, expected.positions, atol=1e-12)
    assert quaternion.angle_between(poses.rotations, expected.rotations).max() < 1e-11


def test_joint_without_inherited_rotation_keeps_its_own():
    skeleton = chain(3, inherits_rotation=[True, True, False])
    rotations = smooth_rotations(FRAMES, 3)
    poses = forward_kinematics(skeleton, rotations)
    assert quaternion.angle_between(poses.rotations[:, 2], rotations[:, 2]).max() < 1e-12
    np.testing.assert_allclose(
        poses.positions[:, 2], poses.positions[:, 1] + quaternion.rotate(poses.rotations[:, 1], [0, 1, 0])
    )


@pytest.mark.parametrize("inherits", [True, False])
def test_placement_carries_the_whole_skeleton_past_every_switch(inherits):
    """What places the skeleton moves the result of the joints below as one rigid body."""
    flags = {"inherits_rotation": [True, inherits, inherits], "inherit_scale": [0, 4, 4]}
    skeleton = chain(3, has_placement=True, **flags)
    rotations = smooth_rotations(FRAMES, 3, 4)
    locations = smooth_curves(FRAMES, 9, 4).reshape(FRAMES, 3, 3)
    moved = forward_kinematics(skeleton, rotations, locations)
    still_rotations, still_locations = rotations.copy(), locations.copy()
    still_rotations[:, 0], still_locations[:, 0] = quaternion.IDENTITY, 0.0
    still = forward_kinematics(skeleton, still_rotations, still_locations)
    turn = rotations[:, :1]
    expected = quaternion.rotate(turn, still.positions) + locations[:, :1]
    np.testing.assert_allclose(moved.positions, expected, atol=1e-12)
    assert quaternion.angle_between(moved.rotations, quaternion.multiply(turn, still.rotations)).max() < 1e-11


def test_global_rotations_have_no_sign_jumps():
    rotations, locations, uniform, uneven = made_channels(8, frames=200)
    for scales in (None, uniform, uneven):
        turns = forward_kinematics(random_skeleton(JOINTS, 8), rotations, locations, scales).rotations
        assert quaternion.dot(turns[1:], turns[:-1]).min() > 0.0


def test_inputs_are_left_alone():
    channels = made_channels(9)
    copies = [channel.copy() for channel in channels]
    for scales in channels[2:]:
        forward_kinematics(random_skeleton(JOINTS, 9), channels[0], channels[1], scales)
    for channel, copy in zip(channels, copies, strict=True):
        np.testing.assert_array_equal(channel, copy)
