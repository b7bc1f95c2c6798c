"""Chains of any length whose ends meet targets."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, chain, random_rotations, smooth_curves, smooth_rotations
from scipy.spatial.transform import Rotation

from core.body import LimbKind, find_body
from core.files.bvh import read_bvh
from core.numerics import quaternion
from core.solve.chain_ik import Chain, reach_with_chain

FRAMES, JOINTS = 50, 7
WHOLE = Chain(tuple(range(1, JOINTS)))


def swinging(reach: float = 0.9, seed: int = 0) -> Motion:
    return Motion.build(chain(JOINTS), smooth_rotations(FRAMES, JOINTS, seed, reach=reach), rate=30.0)


def ends(motion: Motion) -> np.ndarray:
    return motion.poses.positions[:, JOINTS - 1]


def nearby(motion: Motion, size: float = 0.5) -> np.ndarray:
    """Targets about the ends, none beyond 90 % of the reach."""
    start = motion.poses.positions[:, 1]
    aim = ends(motion) + size * smooth_curves(FRAMES, 3, 9) - start
    length = np.linalg.norm(aim, axis=1, keepdims=True)
    return start + aim * np.minimum(1.0, 0.9 * (JOINTS - 2) / length)


def missed(motion: Motion, targets: np.ndarray) -> float:
    return float(np.linalg.norm(ends(motion) - targets, axis=1).max())


def slow_reach(motion: Motion, target: np.ndarray, frame: int, steps: int) -> np.ndarray:
    """One frame, joint by joint, with the oracle's rotations and a plain Jacobian: places of the joints."""
    places = motion.poses.positions[frame, 1:].copy()
    full = np.linalg.norm(np.diff(places, axis=0), axis=1).sum()
    for _ in range(steps):
        error = (target - places[-1]) / full
        columns = []
        for joint in range(len(places) - 1):
            bone = places[joint + 1] - places[joint]
            across = np.linalg.svd(bone[None])[2][1:]
            columns += [(joint, axis, np.cross(axis, places[-1] - places[joint]) / full) for axis in across]
        jacobian = np.array([column for _, _, column in columns]).T
        damped = jacobian @ jacobian.T + (0.5 * error @ error + 1e-12) * np.eye(3)
        sizes = jacobian.T @ np.linalg.solve(damped, error)
        turns = np.zeros((len(places) - 1, 3))
        for (joint, axis, _), size in zip(columns, sizes, strict=True):
            turns[joint] += size * axis
        bones, carried = np.diff(places, axis=0), Rotation.identity()
        for joint, bone in enumerate(bones):
            carried = carried * Rotation.from_rotvec(turns[joint])
            places[joint + 1] = places[joint] + carried.apply(bone)
    return places


def test_ends_sit_on_targets_within_reach():
    motion = swinging()
    targets = nearby(motion)
    assert missed(motion, targets) > 0.3
    assert missed(reach_with_chain(motion, WHOLE, targets), targets) < 1e-8


@pytest.mark.parametrize("steps", [1, 3, 12])
def test_agrees_with_the_plain_loop(steps):
    motion = swinging(reach=2.5)
    targets = nearby(motion)
    found = reach_with_chain(motion, WHOLE, targets, steps=steps).poses.positions
    # Chains that are far from straight, where the loop needs no first bend.
    bent = np.linalg.norm(ends(motion) - motion.poses.positions[:, 1], axis=1) < 0.75 * (JOINTS - 2)
    frames = np.flatnonzero(bent)[::6]
    assert len(frames) > 3
    for frame in frames:
        np.testing.assert_allclose(found[frame, 1:], slow_reach(motion, targets[frame], frame, steps), atol=1e-6)


def test_targets_that_are_met_leave_the_motion_bit_for_bit():
    motion = swinging()
    targets = ends(motion).copy()
    targets[10] += 0.2
    found = reach_with_chain(motion, WHOLE, targets)
    others = np.arange(FRAMES) != 10
    np.testing.assert_array_equal(found.rotations[others], motion.rotations[others])
    assert np.abs(found.rotations[10] - motion.rotations[10]).max() > 1e-3
    np.testing.assert_array_equal(found.rotations[:, 0], motion.rotations[:, 0])


def test_the_end_keeps_its_orientation_or_takes_the_given_one():
    motion = swinging()
    kept = reach_with_chain(motion, WHOLE, nearby(motion))
    assert quaternion.angle_between(kept.poses.rotations[:, -1], motion.poses.rotations[:, -1]).max() < 1e-7
    given = random_rotations(FRAMES)
    turned = reach_with_chain(motion, WHOLE, nearby(motion), end_rotations=given)
    assert quaternion.angle_between(turned.poses.rotations[:, -1], given).max() < 1e-7


def test_bones_are_not_twisted():
    """A joint's turn, seen in its own axes, is at right angles to its bone, which points up."""
    motion = swinging()
    found = reach_with_chain(motion, WHOLE, nearby(motion))
    turns = quaternion.multiply(quaternion.conjugate(motion.rotations), found.rotations)[:, 1:-1]
    assert np.abs(turns[..., 1:]).max() > 0.1
    np.testing.assert_allclose(turns[..., 2], 0.0, atol=1e-9)


def test_far_targets_are_approached_without_a_pop():
    motion = Motion.build(chain(JOINTS), smooth_rotations(1, JOINTS, 3, reach=0.9).repeat(200, axis=0), rate=30.0)
    away = np.array([0.6, 0.0, 0.8])
    distance = np.linspace(3.0, 8.0, 200)
    targets = motion.poses.positions[:, 1] + distance[:, None] * away
    found = reach_with_chain(motion, WHOLE, targets, softness=0.05, steps=100)
    reached = np.linalg.norm(ends(found) - found.poses.positions[:, 1], axis=1)
    near = distance < 0.95 * 5.0
    np.testing.assert_allclose(reached[near], distance[near], atol=1e-6)
    assert reached.max() < 5.0
    assert (np.diff(reached) > -1e-6).all()
    # Joints never turn much faster than while the chain is still bent: no jump at full reach.
    speed = np.linalg.norm(np.diff(found.poses.positions, axis=0), axis=2).max(axis=1)
    assert speed[~near[1:]].max() < 3.0 * speed[near[1:]].max()


def test_a_straight_chain_bends_to_a_nearer_target():
    motion = Motion.build(chain(JOINTS), quaternion.identity(5, JOINTS), rate=30.0)
    targets = motion.poses.positions[:, 1] + np.linspace(4.9, 2.0, 5)[:, None] * np.array([0.0, 1.0, 0.0])
    assert missed(reach_with_chain(motion, WHOLE, targets), targets) < 1e-7


def test_no_bone_bends_further_than_it_may():
    motion = swinging(reach=0.3)
    # Half of the reach, to the side: without limits some bones bend by much more.
    targets = motion.poses.positions[:, 1] + np.array([2.2, 1.2, 0.3])
    limit = np.deg2rad(50.0)

    def bends(found: Motion) -> np.ndarray:
        up = np.array([0.0, 1.0, 0.0])
        return np.arccos(np.clip(quaternion.rotate(found.rotations[:, 1:-1], up)[..., 1], -1.0, 1.0))

    free = reach_with_chain(motion, WHOLE, targets)
    held = reach_with_chain(motion, Chain(WHOLE.joints, (limit,) * 5), targets, steps=200)
    assert bends(free).max() > limit + 0.2
    assert bends(held).max() < limit + 1e-6
    assert missed(held, targets) < 1e-4


def test_the_input_is_left_alone():
    motion = swinging()
    before = motion.rotations.copy()
    reach_with_chain(motion, WHOLE, nearby(motion))
    np.testing.assert_array_equal(motion.rotations, before)


@pytest.mark.parametrize(
    ("joints", "options", "reason"),
    [
        (Chain((1, 3)), {}, "each the parent of the next, not 'joint 1', 'joint 3'"),
        (Chain((2,)), {}, "each the parent of the next"),
        (WHOLE, {"targets": np.zeros((2, 3))}, r"targets must be finite numbers of shape \(50, 3\)"),
        (Chain((1, 2, 3), (0.5,)), {}, "A chain of 2 bones needs as many largest bends, not 1"),
        (WHOLE, {"softness": -0.1}, "softness must be at least 0"),
    ],
)
def test_refusals(joints, options, reason):
    motion = swinging()
    targets = options.pop("targets", ends(motion))
    with pytest.raises(ValueError, match=reason):
        reach_with_chain(motion, joints, targets, **options)


def test_names_find_the_chain():
    skeleton = chain(4)
    assert Chain.between(skeleton, skeleton.names[1], skeleton.names[3]).joints == (1, 2, 3)
    with pytest.raises(ValueError, match="does not hang on"):
        Chain.between(skeleton, skeleton.names[3], skeleton.names[1])


@pytest.mark.parametrize("clip", ["cmu_09_01_run", "rokoko_jesse_dance_fingers"])
def test_arms_of_captured_clips_reach_from_the_spine(clips_folder, clip):
    motion = read_bvh(clips_folder / "dev" / f"{clip}.bvh").to_motion()
    motion = motion.part(0, min(len(motion), 200))
    skeleton = motion.skeleton
    body = find_body(skeleton)
    wrist = next(limb for limb in body.limbs if limb.kind is LimbKind.ARM).end
    joints = Chain((*reversed(skeleton.ancestors(wrist)[:5]), wrist))
    targets = motion.poses.positions[:, wrist] + 0.05 * body.height * smooth_curves(len(motion), 3, 1)
    start = motion.poses.positions[:, joints.joints[0]]
    reach = np.linalg.norm(np.diff(motion.poses.positions[:, joints.joints], axis=1), axis=2).sum(axis=1)
    within = np.linalg.norm(targets - start, axis=1) < 0.98 * reach
    found = reach_with_chain(motion, joints, targets)
    assert within.mean() > 0.5
    gap = np.linalg.norm(found.poses.positions[:, wrist] - targets, axis=1)
    assert gap[within].max() < 1e-4 * body.height
