"""Poses seen from the body: laws of the torso frame, filter and alignment."""

import numpy as np
import pytest
from made_motion import swinging_chain

from core.analysis.pose_features import (
    feature_joints,
    horizontal_alignment,
    horizontal_frame,
    low_passed,
    rigid_features,
    torso_positions,
)
from core.body import Body, find_body
from core.errors import MissingRoleError
from core.motion.motion import Motion
from core.numerics import quaternion
from core.sample_motion import sample_motion


@pytest.fixture(scope="module")
def sample():
    motion = sample_motion(30.0)
    return motion, find_body(motion.skeleton, motion=motion)


def moved_along_the_ground(points, angle, shift):
    turn = quaternion.exp([0.0, 0.0, angle])
    return quaternion.rotate(turn, points) + np.array([*shift, 0.0])


def test_place_and_heading_do_not_matter(sample):
    motion, body = sample
    points = motion.poses.positions
    elsewhere = moved_along_the_ground(points, 2.1, (5.0, -3.0))
    assert torso_positions(elsewhere, body) == pytest.approx(torso_positions(points, body), abs=1e-9)


def test_a_turn_and_a_shift_of_every_frame_do_not_matter(sample):
    motion, body = sample
    points = motion.poses.positions
    angles = np.linspace(0.0, 9.0, len(points))[:, None]
    turns = quaternion.exp(angles[..., None] * np.array([0.0, 0.0, 1.0]))
    spinning = quaternion.rotate(turns, points) + angles[..., None] * np.array([1.0, 2.0, 0.0])
    assert torso_positions(spinning, body) == pytest.approx(torso_positions(points, body), abs=1e-9)


def test_height_stays_and_is_told_in_body_heights(sample):
    motion, body = sample
    points = motion.poses.positions
    seen = torso_positions(points, body, joints=[body.head])[:, 0, 2]
    assert np.diff(seen) * body.height == pytest.approx(np.diff(points[:, body.head, 2]), abs=1e-9)
    assert 0.8 < np.median(seen) < 1.0


def test_axes_point_right_forward_and_up(sample):
    motion, body = sample
    frame = horizontal_frame(motion.poses.positions, body)
    left, right = (limb.chain[0] for limb in sorted(body.legs, key=lambda limb: limb.side.value))
    across = motion.poses.positions[:, right] - motion.poses.positions[:, left]
    assert (np.einsum("fc,fc->f", across, frame.axes[:, 0]) > 0.0).all()
    assert np.median(frame.axes[:30, 1] @ body.forward.vector) > 0.9
    identity = np.einsum("fij,fkj->fik", frame.axes, frame.axes)
    assert identity == pytest.approx(np.broadcast_to(np.eye(3), identity.shape), abs=1e-12)
    assert np.linalg.det(frame.axes) == pytest.approx(np.ones(len(motion)))


def test_a_tumbling_torso_keeps_a_steady_heading(sample):
    """In a cartwheel the shoulders pass over the vertical; a heading from them alone would flip there."""
    motion, body = sample
    standing = np.repeat(motion.poses.positions[:1], 120, axis=0)
    forward = body.forward.vector
    tilts = quaternion.exp(np.linspace(0.0, 2.9, 120)[:, None, None] * forward)
    heading = horizontal_frame(quaternion.rotate(tilts, standing), body).axes[:, 1]
    assert (np.einsum("fc,fc->f", heading[1:], heading[:-1]) > 0.99).all()


def test_a_body_without_sides_is_only_shifted():
    motion = swinging_chain(4, 20)
    body = Body(motion.skeleton, root=0, torso=(0,)).with_role("up axis", "+Y")
    frame = horizontal_frame(motion.poses.positions, body)
    assert (frame.axes == frame.axes[0]).all()
    assert feature_joints(body) == (0, 1, 2, 3)


def test_an_unknown_up_axis_is_refused():
    motion = swinging_chain(4, 20)
    with pytest.raises(MissingRoleError, match="up axis"):
        torso_positions(motion.poses.positions, Body(motion.skeleton, root=0))


def test_positions_are_left_alone(sample):
    motion, body = sample
    points = np.array(motion.poses.positions)
    before = points.copy()
    torso_positions(points, body)
    assert (points == before).all()


def test_a_camera_is_seen_by_place_and_rotation():
    rotations = quaternion.exp(np.linspace(0, 3, 40)[:, None, None] * np.array([0.3, 0.5, 0.8]))
    locations = np.linspace(0, 7, 40)[:, None, None] * np.array([1.0, 0.0, 2.0])
    motion = Motion.build(swinging_chain(1, 40).skeleton, rotations, rate=30.0, locations=locations)
    features = rigid_features(motion)[:, 0]
    axes = [quaternion.rotate(motion.poses.rotations[:, 0], np.eye(3)[axis]) for axis in (0, 1)]
    assert features[:, 3:] == pytest.approx(np.concatenate(axes, axis=1), abs=1e-12)
    assert features[:, :3].var(axis=0).sum() == pytest.approx(1.0)  # In multiples of its spread.


def test_a_camera_that_only_turns_has_features_too():
    rotations = quaternion.exp(np.linspace(0, 3, 40)[:, None, None] * np.array([0.0, 0.0, 1.0]))
    features = rigid_features(Motion.build(swinging_chain(1, 40).skeleton, rotations, rate=30.0))
    assert np.isfinite(features).all()
    assert np.ptp(features[..., 3:]) > 1.0


def test_the_filter_keeps_straight_lines_and_ends():
    times = np.sort(np.random.default_rng(0).uniform(0.0, 2.0, 60))
    at = np.linspace(times[0], times[-1], 45)
    lines = np.stack([3.0 * times, 1.0 - times], axis=-1)
    assert low_passed(times, lines, at, radius=0.2) == pytest.approx(np.stack([3.0 * at, 1.0 - at], axis=-1))


def test_the_filter_takes_out_vibration_and_keeps_slow_waves():
    times = np.arange(240) / 120.0
    at = np.linspace(0.3, 1.6, 40)
    shake, sway = np.sin(2 * np.pi * 25.0 * times), np.sin(2 * np.pi * 1.0 * times)
    assert np.abs(low_passed(times, shake, at, radius=1 / 15)).max() < 0.1
    assert low_passed(times, sway, at, radius=1 / 15) == pytest.approx(np.sin(2 * np.pi * at), abs=0.04)
    assert low_passed(times, shake, times[[3]], radius=0.0) == pytest.approx(shake[[3]])


@pytest.mark.parametrize("up", [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
def test_alignment_undoes_a_turn_and_a_shift(up):
    random = np.random.default_rng(3)
    points, up = random.normal(size=(20, 3)), np.array(up)
    shift = np.cross(up, random.normal(size=3))
    onto = quaternion.rotate(quaternion.exp(0.8 * up), points) + shift
    angle, found = horizontal_alignment(points, onto, up, weights=random.uniform(0.1, 1.0, 20))
    assert angle == pytest.approx(0.8)
    assert found == pytest.approx(shift, abs=1e-9)


def test_no_other_turn_or_shift_lies_nearer():
    random = np.random.default_rng(4)
    points, onto, up = random.normal(size=(12, 3)), random.normal(size=(12, 3)), np.array([0.0, 0.0, 1.0])
    weights = random.uniform(0.1, 1.0, 12)

    def distance(angle, shift):
        moved = quaternion.rotate(quaternion.exp(angle * up), points) + shift
        return weights @ ((moved - onto) ** 2).sum(axis=-1)

    angle, shift = horizontal_alignment(points, onto, up, weights=weights)
    for _ in range(50):
        aside = np.array([*random.normal(size=2), 0.0])
        assert distance(angle, shift) <= distance(angle + 0.2 * random.normal(), shift + 0.2 * aside) + 1e-12
