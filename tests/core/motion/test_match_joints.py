"""Motions of which joints are missing, and motions made of poses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from contact_edits import WALK
from made_motion import Motion, chain, smooth_curves, smooth_rotations

from core.motion import matched, motion_from_poses, with_joints_held, with_joints_of
from core.motion.skeleton import Skeleton
from core.numerics import quaternion


def without_arm() -> Motion:
    """The walk without all below the left shoulder."""
    skeleton = WALK.skeleton
    shoulder = skeleton.index["shoulder.L"]
    kept = [joint for joint in range(len(skeleton)) if shoulder not in (joint, *skeleton.ancestors(joint))]
    number = {joint: place for place, joint in enumerate(kept)}
    part = Skeleton.build(
        [skeleton.names[joint] for joint in kept],
        [number.get(int(skeleton.parents[joint]), -1) for joint in kept],
        skeleton.rest_positions[kept],
        rest_rotations=skeleton.rest_rotations[kept],
        tips=skeleton.tips[kept],
    )
    arrays = {name: getattr(WALK, name)[:, kept] for name in ("rotations", "locations", "scales")}
    return replace(WALK, skeleton=part, **arrays)


def test_joints_that_are_missing_are_added_at_rest():
    part = without_arm()
    whole = matched(with_joints_of(part, WALK), WALK)
    assert whole.skeleton is WALK.skeleton
    lacking = np.array([name not in part.skeleton.index for name in WALK.skeleton.names])
    assert 3 < lacking.sum() < 8
    np.testing.assert_array_equal(whole.rotations[:, ~lacking], WALK.rotations[:, ~lacking])
    np.testing.assert_array_equal(whole.rotations[:, lacking, 0], 1.0)
    assert with_joints_of(WALK, WALK) is WALK


def test_joints_are_held_as_in_the_last_frame_of_another_motion():
    held = np.zeros(len(WALK.skeleton), dtype=bool)
    held[[3, 5]] = True
    found = with_joints_held(WALK.part(0, 20), WALK, held)
    np.testing.assert_array_equal(
        found.rotations[:, held], np.broadcast_to(WALK.rotations[-1, held], found.rotations[:, held].shape)
    )
    np.testing.assert_array_equal(found.rotations[:, ~held], WALK.rotations[:20, ~held])


def test_a_motion_made_of_poses_has_these_poses():
    frames, joints = 12, 5
    skeleton = replace(chain(joints), has_placement=True)
    like = Motion.build(skeleton, smooth_rotations(frames, joints, 1), rate=30.0)
    places = smooth_curves(frames, 3 * joints, 2).reshape(frames, joints, 3)
    turns = quaternion.normalize(smooth_rotations(frames, joints, 3))
    places[:, 0], turns[:, 0] = skeleton.rest_positions[0], skeleton.rest_rotations[0]
    poses = motion_from_poses(like, skeleton, places, turns).poses
    np.testing.assert_allclose(poses.positions, places, atol=1e-9)
    np.testing.assert_allclose(quaternion.angle_between(poses.rotations, turns), 0.0, atol=1e-6)
