"""Limb IK: laws, the straight and folded cases, and a slow reference."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from core import quaternion
from core.bvh import read_bvh
from core.limb_ik import Limb, reach_targets
from core.motion import Motion
from core.skeleton import Skeleton

UPPER, TWIST, LOWER, END, TOE = 1, 2, 3, 4, 5
LIMB = Limb(UPPER, LOWER, END)


def leg_skeleton(upper=0.45, lower=0.4):
    """A leg below a hip, with a joint between knee and hip and tilted rest axes."""
    rest = Rotation.from_euler("xyz", np.arange(18).reshape(6, 3) * 0.3).as_quat()[:, [3, 0, 1, 2]]
    knee = [0.1, 0.0, 1.0 - upper]
    return Skeleton.build(
        ("hip", "thigh", "thigh_twist", "shin", "foot", "toe"),
        [-1, 0, 1, 2, 3, 4],
        [[0, 0, 1], [0.1, 0, 1], [0.1, 0, 1 - upper / 2], knee, [0.1, 0, 1 - upper - lower], [0.1, -0.2, 0]],
        rest_rotations=rest,
    )


def about(skeleton, joint, axis, angles):
    """Rotations about an axis of the scene, in the joint's own rest axes."""
    rest = skeleton.rest_rotations[joint]
    local = quaternion.rotate(quaternion.conjugate(rest), np.asarray(axis, dtype=float))
    return quaternion.from_axis_angle(local, angles)


def bent_leg(frames=40, *, seed=3, bend=None, **lengths):
    """A leg that swings at random, its knee bent about the x axis by `bend` radians."""
    generator = np.random.default_rng(seed)
    skeleton = leg_skeleton(**lengths)
    swing = np.cumsum(generator.normal(scale=0.05, size=(frames, 6, 3)), axis=0)
    rotations = quaternion.exp(swing)
    bend = generator.uniform(0.3, 1.8, frames) if bend is None else np.broadcast_to(bend, frames)
    rotations[:, TWIST] = quaternion.IDENTITY
    rotations[:, LOWER] = about(skeleton, LOWER, [1, 0, 0], bend)
    locations = np.zeros((frames, 6, 3))
    locations[:, 0] = generator.normal(size=(frames, 3))
    return Motion.build(skeleton, rotations, rate=30, locations=locations)


def nearby_targets(motion, *, spread=0.1, limit=0.97, seed=5):
    """Targets around the end, all within reach."""
    generator = np.random.default_rng(seed)
    positions = motion.poses.positions
    offset = positions[:, END] + generator.normal(scale=spread, size=(len(motion), 3)) - positions[:, UPPER]
    distance = np.linalg.norm(offset, axis=1, keepdims=True)
    return positions[:, UPPER] + offset / distance * np.clip(distance, 0.2, limit * limb_length(motion))


def limb_length(motion):
    first, second, third = (motion.poses.positions[0, joint] for joint in (UPPER, LOWER, END))
    return np.linalg.norm(second - first) + np.linalg.norm(third - second)


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


def test_far_targets_are_approached_and_the_limb_points_at_them():
    motion = bent_leg()
    start = motion.poses.positions[:, UPPER]
    direction = quaternion.rotate(motion.poses.rotations[:, 0], np.array([0.3, -0.5, -0.8]))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    for softness, shortfall in ((0.0, 1e-9), (0.05, 1e-4)):
        found = reach_targets(motion, LIMB, start + 2.0 * direction, softness=softness)
        end = found.poses.positions[:, END] - start
        np.testing.assert_allclose(end, limb_length(motion) * direction, atol=shortfall)


def test_too_near_targets_fold_the_limb_as_far_as_it_goes():
    motion = bent_leg()
    start = motion.poses.positions[:, UPPER]
    found = reach_targets(motion, LIMB, start + np.array([0.001, 0.0, 0.0]))
    np.testing.assert_allclose(np.linalg.norm(found.poses.positions[:, END] - start, axis=1), 0.05, atol=1e-9)
    assert np.isfinite(reach_targets(motion, LIMB, start).rotations).all()


def knee_angles_while_stretching(softness):
    """Knee bend in radians while the target moves evenly out through full extension."""
    motion = bent_leg(frames=1, bend=0.8)
    motion = Motion.build(motion.skeleton, np.repeat(motion.rotations, 400, axis=0), rate=30)
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    direction = (end - start) / np.linalg.norm(end - start, axis=1, keepdims=True)
    distance = np.linspace(0.9, 1.1, 400) * limb_length(motion)
    found = reach_targets(motion, LIMB, start + direction * distance[:, None], softness=softness)
    first = found.poses.positions[:, LOWER] - found.poses.positions[:, UPPER]
    second = found.poses.positions[:, END] - found.poses.positions[:, LOWER]
    cosine = (first * second).sum(axis=1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def test_no_pop_at_full_extension():
    soft, hard = (np.abs(np.diff(knee_angles_while_stretching(s))) for s in (0.03, 0.0))
    assert soft.max() < 2.0 * soft[0]
    assert hard.max() > 5 * soft.max()


def test_soft_limit_grows_steadily_and_never_passes_the_full_length():
    motion = bent_leg(frames=200, bend=1.0, seed=1)
    start = motion.poses.positions[:, UPPER]
    distance = np.linspace(0.5, 3.0, 200) * limb_length(motion)
    end = reach_targets(motion, LIMB, start + distance[:, None] * [0, 0, -1], softness=0.1).poses.positions[:, END]
    reached = np.linalg.norm(end - start, axis=1) / limb_length(motion)
    met = distance <= 0.9 * limb_length(motion)
    np.testing.assert_allclose(reached[met] * limb_length(motion), distance[met], atol=1e-12)
    assert (np.diff(reached) > -1e-12).all()
    assert reached.max() <= 1.0 + 1e-12
    assert reached.max() > 0.9999


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_straight_limb_bends_about_the_given_hinge(side):
    motion = bent_leg(bend=0.0)
    rest = quaternion.conjugate(motion.skeleton.rest_rotations[LOWER])
    hinge = quaternion.rotate(rest, np.array([side, 0.0, 0.0]))
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    targets = start + 0.8 * (end - start)
    found = reach_targets(motion, Limb(UPPER, LOWER, END, hinge=tuple(hinge)), targets).poses.positions
    axis = quaternion.rotate(motion.poses.rotations[:, LOWER], hinge)
    normal = np.cross(found[:, LOWER] - start, found[:, END] - found[:, LOWER])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    np.testing.assert_allclose(normal, axis, atol=1e-7)
    assert np.abs(found[:, END] - targets).max() < 1e-9


def test_a_limb_straight_in_some_frames_bends_as_in_the_others():
    motion = bent_leg(bend=np.where(np.arange(40) % 2, 0.9, 0.0))
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    found = reach_targets(motion, LIMB, start + 0.8 * (end - start)).poses.positions
    shin_hinge = quaternion.rotate(
        motion.poses.rotations[:, LOWER],
        quaternion.rotate(quaternion.conjugate(motion.skeleton.rest_rotations[LOWER]), np.array([1.0, 0, 0])),
    )
    normal = np.cross(found[:, LOWER] - start, found[:, END] - found[:, LOWER])
    assert ((normal * shin_hinge).sum(axis=1) > 0.0).all()


def test_overstretched_knee_turns_over_without_missing_the_target():
    motion = bent_leg(bend=-0.02)
    rest = quaternion.conjugate(motion.skeleton.rest_rotations[LOWER])
    limb = Limb(UPPER, LOWER, END, hinge=tuple(quaternion.rotate(rest, np.array([1.0, 0, 0]))))
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    found = reach_targets(motion, limb, start + 0.7 * (end - start)).poses.positions
    hinge = quaternion.rotate(motion.poses.rotations[:, LOWER], np.array(limb.hinge))
    normal = np.cross(found[:, LOWER] - start, found[:, END] - found[:, LOWER])
    assert ((normal * hinge).sum(axis=1) > 0.0).all()
    np.testing.assert_allclose(found[:, END], start + 0.7 * (end - start), atol=1e-9)


def test_a_limb_folded_onto_itself_opens_to_its_target():
    motion = bent_leg(upper=0.4, lower=0.4, bend=np.pi)
    targets = motion.poses.positions[:, UPPER] + [0.2, 0.3, -0.1]
    found = reach_targets(motion, Limb(UPPER, LOWER, END, hinge=(1, 0, 0)), targets)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9


@pytest.mark.parametrize("lengths", [(0.0, 0.4), (0.4, 0.0), (0.0, 0.0)])
def test_bones_without_length_only_point(lengths):
    motion = bent_leg(upper=lengths[0], lower=lengths[1])
    start = motion.poses.positions[:, UPPER]
    end = reach_targets(motion, LIMB, start + np.array([0.0, 1.0, 0.0]), softness=0.0).poses.positions[:, END]
    np.testing.assert_allclose(end - start, np.tile([0.0, sum(lengths), 0.0], (len(motion), 1)), atol=1e-9)


def test_opposite_target_is_met():
    motion = bent_leg()
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    targets = start - 0.9 * (end - start)
    found = reach_targets(motion, LIMB, targets)
    assert np.abs(found.poses.positions[:, END] - targets).max() < 1e-9


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
