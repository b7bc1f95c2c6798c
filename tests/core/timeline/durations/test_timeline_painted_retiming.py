"""Painted joints with their own timing, and a hand or foot that keeps its path."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from core.body import find_body
from core.errors import MotionEditError
from core.motion.motion import Motion
from core.numerics import quaternion
from core.sample_motion import sample_motion
from core.solve.limb_ik import Limb
from core.timeline import ChangedDurationError, move_pose_map, retime_effector, retime_joints, stretch_map

MOTION = sample_motion(30.0)
BODY = find_body(MOTION.skeleton, motion=MOTION)
# The right punch reaches out at 7.55 s.
TIMING = move_pose_map(MOTION, [(212.0, 226.5, 240.0)], 1.25)
ARM = Limb(*BODY.get("right arm").chain)
LEG = Limb(*BODY.get("right leg").chain)
CHEST = BODY.torso[-1]


def painted(*joints: int) -> np.ndarray:
    return np.isin(np.arange(len(MOTION.skeleton)), joints)


def assert_only_changed(found: Motion, joints: list[int]) -> None:
    """All other joints, and the painted ones outside the window, are as they were bit for bit."""
    others = ~painted(*joints)
    outside = np.r_[0:213, 240 : len(MOTION)]
    for name in ("rotations", "locations", "scales"):
        before, after = getattr(MOTION, name), getattr(found, name)
        assert np.array_equal(before[:, others], after[:, others])
        assert np.array_equal(before[outside], after[outside])
    assert np.array_equal(found.times, MOTION.times)
    assert not np.array_equal(found.rotations, MOTION.rotations)


def assert_on_path(found: Motion, limb: Limb, wanted: np.ndarray) -> None:
    """The end is where it should be wherever it can be, and else as near as the limb's length allows."""
    places = found.poses.positions
    length = np.linalg.norm(np.diff(places[0, [limb.upper, limb.lower, limb.end]], axis=0), axis=1).sum()
    missed = np.linalg.norm(places[:, limb.end] - wanted, axis=1)
    distance = np.linalg.norm(wanted - places[:, limb.upper], axis=1)
    near = distance <= 0.99 * length
    assert near[212:240].sum() >= 10
    assert missed[near].max() < 1e-9
    assert (missed <= np.maximum(distance - length, 0.0) + 0.0038 * length).all()


def test_painted_joints_alone_follow_the_timing():
    joints = [ARM.upper, ARM.lower]
    found = retime_joints(MOTION, TIMING, painted(*joints))
    assert_only_changed(found, joints)
    whole = TIMING.apply(MOTION, MOTION.times)
    assert np.array_equal(found.rotations[:, joints], whole.rotations[:, joints])


def test_the_input_is_left_alone():
    before = np.array(MOTION.rotations)
    retime_joints(MOTION, TIMING, painted(ARM.upper))
    retime_effector(MOTION, TIMING, ARM)
    assert np.array_equal(MOTION.rotations, before)


def test_locations_and_scales_follow_too():
    wave = np.sin(MOTION.times)[:, None, None] * np.ones((1, len(MOTION.skeleton), 3))
    motion = MOTION.with_locations(MOTION.locations + wave).with_scales(2.0 + wave)
    found = retime_joints(motion, TIMING, painted(3))
    old = TIMING(motion.times)
    assert found.scales[:, 3, 0] == pytest.approx(2.0 + np.interp(old, motion.times, np.sin(motion.times)))
    assert found.locations[:, 3] == pytest.approx(TIMING.apply(motion, motion.times).locations[:, 3])


@pytest.mark.parametrize("limb", [ARM, LEG], ids=["arm", "leg"])
def test_the_end_goes_along_its_path_in_the_scene_at_the_new_moments(limb):
    found = retime_effector(MOTION, TIMING, limb)
    assert_only_changed(found, [limb.upper, limb.lower, limb.end])
    old, places = TIMING(MOTION.times), MOTION.poses.positions
    wanted = np.stack([np.interp(old, MOTION.times, axis) for axis in places[:, limb.end].T], axis=-1)
    assert_on_path(found, limb, wanted)
    xyzw = MOTION.poses.rotations[:, limb.end][:, [1, 2, 3, 0]]
    turned = Slerp(MOTION.times, Rotation.from_quat(xyzw))(np.clip(old, 0.0, MOTION.times[-1])).as_quat()[
        :, [3, 0, 1, 2]
    ]
    assert quaternion.angle_between(found.poses.rotations[:, limb.end], turned).max() < 1e-7


def test_the_path_may_be_kept_as_seen_from_the_chest():
    found = retime_effector(MOTION, TIMING, ARM, seen_from=CHEST)
    assert_only_changed(found, [ARM.upper, ARM.lower, ARM.end])

    def seen(motion: Motion) -> np.ndarray:
        poses = motion.poses
        offset = poses.positions[:, ARM.end] - poses.positions[:, CHEST]
        return quaternion.rotate(quaternion.conjugate(poses.rotations[:, CHEST]), offset)

    wanted = np.stack([np.interp(TIMING(MOTION.times), MOTION.times, axis) for axis in seen(MOTION).T], axis=-1)
    poses = MOTION.poses
    path = poses.positions[:, CHEST] + quaternion.rotate(poses.rotations[:, CHEST], wanted)
    assert_on_path(found, ARM, path)


def test_rotations_keep_their_signs_along_time():
    rotations = retime_effector(MOTION, TIMING, ARM).rotations
    assert (quaternion.dot(rotations[1:], rotations[:-1]) >= 0.0).all()


def test_a_foot_that_stands_stays_on_its_place():
    # The right foot stands from 4.64 s to 5.26 s; a pose of the swing after it is moved.
    timing = move_pose_map(MOTION, [(5.3 * 30, 5.6 * 30, 6.0 * 30)], 0.8)
    found = retime_effector(MOTION, timing, LEG)
    standing = slice(140, 158)
    before, after = (motion.poses.positions[standing, LEG.end] for motion in (MOTION, found))
    assert np.array_equal(before, after)


def test_a_timing_that_changes_the_duration_is_refused_with_the_fix():
    stretched = stretch_map(MOTION, [(212.0, 240.0)], 1.5)
    for edit in (lambda: retime_joints(MOTION, stretched, painted(3)), lambda: retime_effector(MOTION, stretched, ARM)):
        with pytest.raises(ChangedDurationError, match=r"end 0\.467 s away from the rest; move a pose"):
            edit()


def test_without_painted_joints_the_edit_is_refused():
    with pytest.raises(MotionEditError, match="No bone is painted; paint the bones"):
        retime_joints(MOTION, TIMING, painted())


def test_joints_that_are_no_limb_are_a_mistake():
    with pytest.raises(ValueError, match="A limb needs three joints"):
        retime_effector(MOTION, TIMING, Limb(ARM.end, ARM.lower, ARM.upper))


def test_joint_numbers_instead_of_a_mask_are_a_mistake():
    with pytest.raises(ValueError, match="true or false for each of 24 joints"):
        retime_joints(MOTION, TIMING, [3, 4])
