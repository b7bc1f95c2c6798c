"""Limb IK: laws, a slow reference, refusals, captured legs."""

import numpy as np
import pytest
from made_leg import END, LIMB, LOWER, TOE, TWIST, UPPER, bent_leg, leg_skeleton, nearby_targets
from scipy.spatial.transform import Rotation

from core.files.bvh import read_bvh
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.solve.limb_ik import Limb, reach_targets


def slow_reach(motion, target, frame):
    """One frame by Euler's rule: bend about the plane's normal by the law of cosines, then swing."""
    upper, lower, end = (motion.poses.positions[frame, joint] for joint in (UPPER, LOWER, END))
    first, second, span = (np.linalg.norm(v) for v in (lower - upper, end - lower, end - upper))
    normal = np.cross(lower - upper, end - lower)
    normal /= np.linalg.norm(normal)
    wanted = np.linalg.norm(target - upper)

    def hip_angle(length):
        return np.arccos((first**2 + length**2 - second**2) / (2 * first * length))

    def knee_angle(length):
        return np.arccos((first**2 + second**2 - length**2) / (2 * first * second))

    hip_turn = Rotation.from_rotvec(normal * (hip_angle(span) - hip_angle(wanted)))
    knee_turn = Rotation.from_rotvec(normal * (knee_angle(span) - knee_angle(wanted)))
    start, goal = (end - upper) / span, (target - upper) / wanted
    axis = np.cross(start, goal)
    swing = Rotation.from_rotvec(axis / np.linalg.norm(axis) * np.arctan2(np.linalg.norm(axis), start @ goal))
    global_rotations = motion.poses.rotations[frame][:, [1, 2, 3, 0]]
    thigh = swing * hip_turn * Rotation.from_quat(global_rotations[UPPER])
    shin = swing * hip_turn * knee_turn * Rotation.from_quat(global_rotations[LOWER])
    return thigh, shin


def assert_rotations(found, wanted, tolerance):
    assert quaternion.angle_between(found, wanted).max() < tolerance


def test_the_end_sits_on_every_target_within_reach():
    motion = bent_leg()
    targets = nearby_targets(motion)
    found = reach_targets(motion, LIMB, targets)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9
    assert np.abs(found.poses.positions[:, UPPER] - motion.poses.positions[:, UPPER]).max() < 1e-12


@pytest.mark.parametrize("lengths", [(0.45, 0.4), (0.3, 0.5), (0.4, 0.4)])
def test_bones_of_any_length_reach(lengths):
    motion = bent_leg(upper=lengths[0], lower=lengths[1])
    targets = nearby_targets(motion, spread=0.2, limit=0.99)
    found = reach_targets(motion, LIMB, targets)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9


def test_an_unchanged_target_gives_back_the_motion():
    motion = bent_leg()
    found = reach_targets(motion, LIMB, motion.poses.positions[:, END])
    assert_rotations(found.rotations, motion.rotations, 1e-12)


@pytest.mark.parametrize("bend", [0.0, 1e-9, 1e-5, 0.01, -0.01, 0.04])
def test_an_unchanged_target_gives_back_a_straight_limb(bend):
    motion = bent_leg(bend=bend)
    found = reach_targets(motion, Limb(UPPER, LOWER, END, hinge=(0, 1, 0)), motion.poses.positions[:, END])
    assert_rotations(found.rotations, motion.rotations, 1e-9)


def test_agrees_with_the_law_of_cosines_frame_by_frame():
    motion = bent_leg()
    targets = nearby_targets(motion)
    found = reach_targets(motion, LIMB, targets).poses.rotations
    for frame, target in enumerate(targets):
        for joint, wanted in zip((UPPER, LOWER), slow_reach(motion, target, frame), strict=True):
            difference = Rotation.from_quat(found[frame, joint][[1, 2, 3, 0]]) * wanted.inv()
            assert difference.magnitude() < 1e-7


def test_the_end_keeps_its_orientation_and_what_hangs_on_it_its_own():
    motion = bent_leg()
    found = reach_targets(motion, LIMB, nearby_targets(motion))
    assert_rotations(found.poses.rotations[:, END:], motion.poses.rotations[:, END:], 1e-9)
    untouched = [0, TWIST, TOE]
    np.testing.assert_array_equal(found.rotations[:, untouched], motion.rotations[:, untouched])


def test_a_given_end_orientation_is_met():
    motion = bent_leg()
    wanted = quaternion.exp(np.random.default_rng(8).normal(size=(len(motion), 3)))
    targets = nearby_targets(motion)
    found = reach_targets(motion, LIMB, targets, end_rotations=wanted)
    assert_rotations(found.poses.rotations[:, END], wanted, 1e-9)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9


def test_moving_along_the_limb_keeps_the_plane():
    motion = bent_leg()
    positions = motion.poses.positions
    start = positions[:, UPPER]
    targets = start + 0.9 * (positions[:, END] - start)
    after = reach_targets(motion, LIMB, targets).poses.positions
    normal = np.cross(positions[:, LOWER] - start, positions[:, END] - start)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    moved_knee = after[:, LOWER] - start
    assert np.abs((normal * moved_knee).sum(axis=1)).max() < 1e-12
    same_side = np.cross(moved_knee, positions[:, END] - start)
    assert ((same_side * normal).sum(axis=1) > 0).all()


def test_the_knee_turns_about_its_hinge_alone():
    motion = bent_leg()
    found = reach_targets(motion, LIMB, nearby_targets(motion))
    rest = quaternion.conjugate(motion.skeleton.rest_rotations[LOWER])
    hinge = quaternion.rotate(rest, np.array([1.0, 0.0, 0.0]))
    change = quaternion.multiply(quaternion.conjugate(motion.rotations[:, LOWER]), found.rotations[:, LOWER])
    turn = quaternion.log(change)
    assert np.linalg.norm(turn, axis=1).min() > 1e-3
    np.testing.assert_allclose(turn, (turn @ hinge)[:, None] * hinge, atol=1e-9)


def test_swinging_the_target_about_the_limb_start_does_not_twist_the_limb():
    motion = bent_leg()
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    axis = np.cross(end - start, [0.3, 1.0, 0.2])
    turn = quaternion.from_axis_angle(axis, 0.4)
    found = reach_targets(motion, LIMB, start + quaternion.rotate(turn, end - start))
    assert_rotations(found.poses.rotations[:, UPPER], quaternion.multiply(turn, motion.poses.rotations[:, UPPER]), 1e-9)
    assert_rotations(found.rotations[:, LOWER], motion.rotations[:, LOWER], 1e-9)


def test_scaled_and_free_bones_reach():
    motion = bent_leg()
    motion = motion.with_scales(np.full(motion.scales.shape, 1.1))
    targets = nearby_targets(motion, spread=0.05)
    found = reach_targets(motion, LIMB, targets)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9


@pytest.mark.parametrize("free", [LOWER, END])
def test_joints_that_do_not_turn_with_their_parent_reach_too(free):
    base = bent_leg()
    inherits = np.arange(6) != free
    parts = vars(base.skeleton)
    skeleton = Skeleton.build(
        parts["names"],
        parts["parents"],
        parts["rest_positions"],
        rest_rotations=parts["rest_rotations"],
        inherits_rotation=inherits,
    )
    motion = Motion.build(skeleton, base.rotations, rate=30, locations=base.locations)
    targets = nearby_targets(motion, spread=0.05)
    found = reach_targets(motion, LIMB, targets)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9
    assert_rotations(found.poses.rotations[:, END], motion.poses.rotations[:, END], 1e-9)


def test_signs_stay_continuous_and_the_input_is_left_alone():
    motion = bent_leg(frames=300)
    before = motion.rotations.copy()
    found = reach_targets(motion, LIMB, nearby_targets(motion))
    assert (quaternion.dot(found.rotations[1:], found.rotations[:-1]) >= 0.0).all()
    np.testing.assert_array_equal(motion.rotations, before)
    np.testing.assert_array_equal(found.locations, motion.locations)


@pytest.mark.parametrize(
    ("limb", "options", "reason"),
    [
        (Limb(LOWER, UPPER, END), {}, "each below the one before, not 'shin', 'thigh', 'foot'"),
        (Limb(UPPER, LOWER, LOWER), {}, "each below the one before"),
        (LIMB, {"targets": np.zeros((2, 3))}, r"targets must have shape \(40, 3\)"),
        (LIMB, {"targets": np.full((40, 3), np.nan)}, "targets must be finite"),
        (LIMB, {"end_rotations": np.zeros((40, 3))}, r"end_rotations must have shape \(40, 4\)"),
        (LIMB, {"softness": 1.0}, "softness must be at least 0 and below 1"),
    ],
)
def test_refusals(limb, options, reason):
    motion = bent_leg()
    targets = options.pop("targets", motion.poses.positions[:, END])
    with pytest.raises(ValueError, match=reason):
        reach_targets(motion, limb, targets, **options)


def test_names_find_the_limb():
    assert Limb.named(leg_skeleton(), "thigh", "shin", "foot") == LIMB


@pytest.mark.parametrize("clip", ["cmu_09_01_run", "cmu_118_01_jump", "rokoko_jesse_dance_fingers"])
def test_legs_of_captured_clips(clips_folder, clip):
    motion = read_bvh(clips_folder / "dev" / f"{clip}.bvh").to_motion()
    names = motion.skeleton.names
    thigh, shin, foot = (
        next(n for n in names if n in choices)
        for choices in (("LeftUpLeg", "LeftThigh"), ("LeftLeg", "LeftShin"), ("LeftFoot",))
    )
    limb = Limb.named(motion.skeleton, thigh, shin, foot)
    end = motion.poses.positions[:, limb.end]
    same = reach_targets(motion, limb, end)
    assert_rotations(same.rotations, motion.rotations, 1e-7)
    start = motion.poses.positions[:, limb.upper]
    targets = start + 0.93 * (end - start)
    found = reach_targets(motion, limb, targets)
    size = np.linalg.norm(end - start, axis=1).max()
    assert np.abs(found.poses.positions[:, limb.end] - targets).max() < 1e-9 * size
    # Raising the hip a little must not make any knee jump to another side.
    knees = [each.poses.positions[:, limb.lower] - start for each in (motion, found)]
    assert np.linalg.norm(knees[1] - knees[0], axis=1).max() < 0.35 * size
