"""Transitions between motions: cross-fades at the best place and interpolation over gaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from annotated_clips import annotated_clips
from made_motion import Motion, random_rotations, smooth_curves, smooth_rotations
from made_person import person
from scipy.interpolate import CubicHermiteSpline

from core.analysis.pose_features import feature_joints, horizontal_alignment
from core.blending import BlendError, Moments, bridge, find_transition, transition
from core.blending.similar_moments import closest
from core.body import Body, find_body
from core.errors import TooFewFramesError
from core.motion.ground_move import GroundMove
from core.numerics import quaternion
from core.numerics.hermite import rotation_curve, vector_curve

FRAMES, UP = 80, np.array([0.0, 1.0, 0.0])


def walker(seed: int = 0, *, frames: int = FRAMES) -> tuple[Motion, Body]:
    """A person that goes along z while it swings."""
    skeleton, _ = person()
    locations = np.zeros((frames, len(skeleton), 3))
    locations[:, 0] = 0.3 * smooth_curves(frames, 3, seed + 5)
    locations[:, 0, 2] += 10.0 * np.linspace(0.0, 2.0, frames)
    rotations = smooth_rotations(frames, len(skeleton), seed, reach=0.6)
    return Motion.build(skeleton, rotations, rate=30.0, locations=locations), find_body(skeleton)


def elsewhere(motion: Motion) -> Motion:
    return GroundMove.build(2.0, [30.0, 0.0, -10.0], UP, frames=len(motion)).applied(motion)


class TestCrossFade:
    def test_the_same_moment_of_a_motion_is_found(self):
        motion, body = walker()
        later = elsewhere(motion.part(45, FRAMES))
        found = find_transition(motion, later, body)
        assert found.first - found.second == 45
        assert found.distance < 1e-3

    def test_into_itself_gives_the_motion_back(self):
        motion, body = walker()
        led = transition(motion, elsewhere(motion.part(45, FRAMES)), body)
        assert len(led.motion) == FRAMES
        assert np.abs(led.motion.poses.positions - motion.poses.positions).max() < 1e-6

    def test_before_and_after_are_the_motions_themselves(self):
        (one, body), (two, _) = walker(1), walker(2)
        led = transition(one, two, body)
        for name in ("times", "rotations", "locations", "scales"):
            before = getattr(led.motion, name)[: led.start + 1]
            assert np.array_equal(before, getattr(one, name)[: led.start + 1]), name
        after = led.moments.second + (led.end - led.start)
        moved = led.move.applied(two)
        assert quaternion.angle_between(led.motion.rotations[led.end :], moved.rotations[after:]).max() < 1e-9
        assert np.abs(led.motion.locations[led.end :] - moved.locations[after:]).max() < 1e-9
        assert np.allclose(np.diff(led.motion.times), 1.0 / 30.0)

    def test_the_best_place_agrees_with_comparing_all(self):
        (one, body), (two, _) = walker(1), walker(2)
        found = find_transition(one, two, body, length=0.2, leave=(50, 70), enter=(0, 20))
        rows = [
            (slow_distance(one, two, body, first, second, 7), first, second)
            for first in range(50, 65)
            for second in range(15)
        ]
        assert found.distance == pytest.approx(min(rows)[0], rel=1e-3)
        assert (found.first, found.second) == min(rows)[1:]

    def test_coarse_search_comes_to_the_same_place(self):
        one, two = (walker(seed, frames=160)[0].poses.positions / 17.0 for seed in (1, 1))
        other = two[40:] + np.array([3.0, 0.0, 2.0])
        assert closest(one, other, UP, window=12, stride=1).distance < 1e-3
        found = closest(one, other, UP, window=12, stride=4)
        assert found.distance < 1e-3
        assert found.first - found.second == 40

    def test_a_given_place_is_taken(self):
        (one, body), (two, _) = walker(1), walker(2)
        led = transition(one, two, body, moments=Moments(20, 5, 0.0))
        assert (led.start, led.end) == (20, 29)
        assert len(led.motion) == 20 + FRAMES - 5
        with pytest.raises(BlendError, match="leaves the motion"):
            transition(one, two, body, moments=Moments(78, 0, 0.0))

    def test_another_rate_is_no_matter(self):
        (one, body), (two, _) = walker(1), walker(2)
        finer = replace(two.at(np.arange(2 * FRAMES - 1) / 60.0), rate=60.0)
        wanted, got = (transition(one, each, body).motion for each in (two, finer))
        assert np.abs(wanted.poses.positions - got.poses.positions).max() < 1e-6

    def test_too_little_motion_is_refused(self):
        motion, body = walker()
        with pytest.raises(TooFewFramesError, match="needs 31 frames, the second motion has 20"):
            find_transition(motion, motion.part(0, 20), body, length=1.0)


def slow_distance(one: Motion, two: Motion, body: Body, first: int, second: int, window: int) -> float:
    """Root mean square distance of two windows, one laid onto the other."""
    joints = list(feature_joints(body))
    onto = one.poses.positions[first : first + window, joints].reshape(-1, 3) / body.height
    points = two.poses.positions[second : second + window, joints].reshape(-1, 3) / body.height
    angle, shift = horizontal_alignment(points, onto, UP)
    laid = quaternion.rotate(quaternion.from_axis_angle(UP, angle), points) + shift
    return float(np.sqrt(((laid - onto) ** 2).sum(axis=1).mean()))


class TestBridge:
    def test_poses_and_velocities_are_met_at_both_ends(self):
        start, end = random_rotations(2, 6, seed=1)
        leave, arrive = 0.7 * np.random.default_rng(2).normal(size=(2, 6, 3))
        tiny = 1e-6
        curve = rotation_curve(start, end, leave, arrive, np.array([0.0, tiny, 1.0 - tiny, 1.0]))
        assert quaternion.angle_between(curve[[0, -1]], np.stack([start, end])).max() < 1e-12
        steps = quaternion.log(quaternion.multiply(quaternion.conjugate(curve[[0, 2]]), curve[[1, 3]])) / tiny
        assert np.abs(steps - np.stack([leave, arrive])).max() < 1e-4

    def test_numbers_agree_with_scipy(self):
        start, end, leave, arrive = np.random.default_rng(3).normal(size=(4, 5, 3))
        shares = np.linspace(0.0, 1.0, 11)
        wanted = CubicHermiteSpline([0.0, 1.0], [start, end], [leave, arrive])(shares)
        assert np.abs(vector_curve(start, end, leave, arrive, shares) - wanted).max() < 1e-12

    def test_unlike_motions_are_joined_without_a_jump(self):
        (one, body), (two, _) = walker(1), walker(7)
        led = bridge(one, elsewhere(two), body, gap=0.6)
        assert len(led.motion) == 2 * FRAMES + 17
        assert np.array_equal(led.motion.rotations[:FRAMES], one.rotations)
        seam = slice(led.start - 3, led.end + 4)
        steps = np.linalg.norm(np.diff(led.motion.poses.positions, axis=0), axis=-1)
        own = np.linalg.norm(np.diff(one.poses.positions, axis=0), axis=-1).max()
        assert steps[seam].max() < 1.5 * own
        jolts = np.linalg.norm(np.diff(led.motion.poses.positions[seam], n=2, axis=0), axis=-1)
        assert jolts.max() < 0.25 * own

    def test_the_character_walks_on(self):
        motion, body = walker()
        led = bridge(motion, elsewhere(motion), body, gap=1.0)
        root = led.motion.poses.positions[:, body.root]
        speed = np.linalg.norm(root[FRAMES - 1] - root[FRAMES - 2])
        travelled = np.linalg.norm((root[led.end] - root[led.start])[[0, 2]])
        assert travelled == pytest.approx(30 * speed, rel=0.4)

    def test_a_gap_without_frames_beside_it_is_refused(self):
        motion, body = walker()
        with pytest.raises(TooFewFramesError, match="2 frames before it"):
            bridge(motion, motion.part(0, 1), body)


@pytest.mark.clips
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("cmu_07_01_walk", "cmu_09_01_run"),
        ("cmu_138_01_march", "cmu_07_01_walk"),
        ("cmu_13_18_boxing_aggressive", "cmu_02_05_punches_weak"),
        ("cmu_75_19_sit_stand", "cmu_118_01_jump"),
    ],
)
def test_clips_lead_into_each_other(clips_folder, first, second):
    clips = {clip.name: clip for clip in annotated_clips(clips_folder)}
    one, two = clips[first], clips[second]
    led = transition(one.motion, two.motion, one.body)
    assert led.moments.distance < 0.2
    root = led.motion.poses.positions[:, one.body.root]
    steps = np.linalg.norm(np.diff(root, axis=0), axis=1)
    other = two.motion.poses.positions[:, two.body.root]
    fastest = [np.linalg.norm(np.diff(place, axis=0), axis=1).max() for place in (root[: led.start], other)]
    rate = max(1.0, two.motion.rate / one.motion.rate)
    assert steps[led.start : led.end].max() < 1.2 * rate * max(fastest)
