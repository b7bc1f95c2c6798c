"""Limits of poses: hinges that bend one way, and the range that a motion uses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.body import find_body
from core.numerics import quaternion
from core.sample_motion import sample_motion
from core.staggered import exaggerate, fit, hinges_of, locked, non_staggered_pose, within_range
from core.staggered.ranges.own_range import own_ranges, soft_limit


@pytest.fixture(scope="module")
def sample():
    motion = sample_motion(30.0)
    return motion, find_body(motion.skeleton, motion=motion)


def test_knees_and_elbows_are_hinges_and_nothing_else_is(sample):
    motion, body = sample
    hinges = hinges_of(body, motion)
    names = {motion.skeleton.names[hinge.joint] for hinge in hinges}
    assert {"shin.L", "shin.R", "forearm.L", "forearm.R"} <= names
    for hinge in hinges:
        assert hinge.bends(motion.rotations[:, hinge.joint]).max() > np.radians(20.0)
        assert hinge.least > -np.radians(15.0)


def test_a_bend_is_the_angle_between_the_bones(sample):
    motion, body = sample
    for hinge in hinges_of(body, motion):
        upper = int(motion.skeleton.parents[hinge.joint])
        end = next(
            c
            for limb in body.limbs
            for a, b, c in zip((*limb.chain, limb.end), limb.chain[1:], (*limb.chain[2:], limb.end), strict=False)
            if b == hinge.joint
        )
        places = motion.poses.positions
        one, other = places[:, hinge.joint] - places[:, upper], places[:, end] - places[:, hinge.joint]
        cosine = (one * other).sum(1) / (np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1))
        seen = np.arccos(np.clip(cosine, -1.0, 1.0))
        bends = np.abs(hinge.bends(motion.rotations[:, hinge.joint]))
        # What leaves the plane of the hinge is no bend.
        assert np.median(np.abs(seen - bends)) < np.radians(6.0)


def test_what_bends_the_other_way_is_put_back_to_straight(sample):
    motion, body = sample
    hinge = next(each for each in hinges_of(body, motion) if motion.skeleton.names[each.joint] == "shin.L")
    rotations = np.array(motion.rotations)
    rotations[10:20, hinge.joint] = hinge.turned(rotations[10:20, hinge.joint], np.full(10, -2.5))
    bent = replace(motion, rotations=rotations)
    assert hinge.bends(bent.rotations[:, hinge.joint]).min() < -0.5
    mended = locked(bent, [hinge], like=motion)
    np.testing.assert_allclose(hinge.bends(mended.rotations[10:20, hinge.joint]), hinge.least, atol=1e-9)
    others = np.delete(np.arange(len(motion)), np.arange(10, 20))
    np.testing.assert_array_equal(mended.rotations[others], motion.rotations[others])
    assert locked(motion, [hinge]) is motion


def test_soft_limits_keep_what_is_within_and_never_go_far_beyond():
    values = np.linspace(0.0, 20.0, 2001)
    limited = soft_limit(values, np.full(2001, 2.0), 0.5)
    np.testing.assert_allclose(limited[values <= 2.0], values[values <= 2.0])
    assert limited.max() <= 2.5
    assert (np.diff(limited) >= 0.0).all()
    assert np.abs(np.diff(limited, n=2)).max() < 3e-4


def test_exaggerated_poses_stay_near_the_range_of_the_motion(sample):
    motion, body = sample
    model = fit(motion, motion.times[[0, 40, 90, 150, 200, len(motion) - 1]])
    hinges = hinges_of(body, motion)
    free = exaggerate(model, 3.0)
    kept = exaggerate(model, 3.0, limit=lambda poses: within_range(poses, motion, hinges))
    middles, reaches = own_ranges(motion)
    for result, limit in ((free, np.inf), (kept, np.radians(25.1))):
        poses = non_staggered_pose(result, range(len(result)))
        beyond = (quaternion.angle_between(poses.rotations, middles) - reaches).max()
        assert beyond < limit
        if result is free:
            assert beyond > np.radians(40.0)
    poses = non_staggered_pose(kept, range(len(kept)))
    for hinge in hinges:
        assert hinge.bends(poses.rotations[:, hinge.joint]).min() > hinge.least - 1e-6


def test_poses_within_the_range_are_left_alone(sample):
    motion, body = sample
    poses = motion.part(50, 53)
    np.testing.assert_allclose(
        within_range(poses, motion, hinges_of(body, motion)).rotations, poses.rotations, atol=1e-12
    )
