"""Motions that repeat without a seam."""

from __future__ import annotations

import numpy as np
import pytest
from annotated_clips import annotated_clips
from made_motion import Motion, smooth_curves
from made_person import person

from core.analysis.ground_paths import ground_path
from core.blending import Travel, find_loop, loop
from core.body import Body, find_body
from core.errors import TooFewFramesError
from core.motion.ground_move import GroundMove
from core.numerics import quaternion

PERIOD, UP = 32, np.array([0.0, 1.0, 0.0])


def repeating(rounds: float = 3.0, *, turn: float = 0.0, noise: float = 0.0) -> tuple[Motion, Body]:
    """A person that swings with a period of 32 frames while it goes along z, or along a circle."""
    skeleton, _ = person()
    frames = round(rounds * PERIOD) + 1
    random = np.random.default_rng(4)
    phase = 2.0 * np.pi * np.arange(frames)[:, None, None] / PERIOD
    swing = 0.4 * random.normal(size=(len(skeleton), 3)) * np.sin(phase + random.uniform(0, 6, (len(skeleton), 3)))
    swing += noise * smooth_curves(frames, swing[0].size, 9).reshape(swing.shape)
    locations = np.zeros((frames, len(skeleton), 3))
    locations[:, 0, 2] = 0.3 * np.arange(frames)
    motion = Motion.build(skeleton, quaternion.exp(swing), rate=30.0, locations=locations)
    if turn:
        move = GroundMove.build(turn * np.arange(frames) / PERIOD, np.zeros(3), UP, frames=frames)
        motion = move.applied(motion)
    return motion, find_body(skeleton)


def steps(motion: Motion) -> list[np.ndarray]:
    """Rotation vectors and shifts of the first and of the last step."""
    turns = [
        quaternion.log(quaternion.multiply(quaternion.conjugate(motion.rotations[at]), motion.rotations[at + 1]))
        for at in (0, -2)
    ]
    return [*turns, *(motion.locations[at + 1] - motion.locations[at] for at in (0, -2))]


def assert_closed(motion: Motion) -> None:
    assert quaternion.angle_between(motion.rotations[0], motion.rotations[-1]).max() < 1e-6
    assert np.abs(motion.locations[0] - motion.locations[-1]).max() < 1e-6
    first, last, shift, last_shift = steps(motion)
    assert np.abs(first - last).max() * motion.rate < 1e-6
    assert np.abs(shift - last_shift).max() * motion.rate < 1e-6


def test_the_period_is_found():
    motion, body = repeating()
    found = find_loop(motion, body)
    assert (found.second - found.first) % PERIOD == 0
    assert found.distance < 1e-3


def test_a_clip_that_is_a_loop_already_is_taken_whole():
    motion, body = repeating(1.0)
    found = loop(motion, body, travel=Travel.CLOSE)
    assert (found.start, found.end) == (0, PERIOD)
    assert found.largest_turn < 0.03


@pytest.mark.parametrize("travel", [Travel.CLOSE, Travel.IN_PLACE])
@pytest.mark.parametrize("turn", [0.0, 0.8])
def test_first_and_last_frame_agree_in_pose_and_velocity(travel, turn):
    motion, body = repeating(3.0, turn=turn, noise=0.2)
    found = loop(motion, body, start=5, end=60, travel=travel)
    assert_closed(found.motion)
    assert found.largest_turn > 0.05
    assert not found.round_trip.angles.any()


@pytest.mark.parametrize("turn", [0.0, 0.8])
def test_a_kept_way_agrees_under_its_round_trip(turn):
    motion, body = repeating(3.0, turn=turn, noise=0.2)
    found = loop(motion, body, start=5, end=60, travel=Travel.KEEP)
    there = found.round_trip
    first, last = found.motion.poses.positions[0], found.motion.poses.positions[-1]
    carried = quaternion.rotate(there.rotations, first) + there.shifts
    assert np.abs(carried - last).max() < 1e-6
    turns_out, turns_in, shift_out, shift_in = steps(found.motion)
    assert np.abs(turns_out - turns_in).max() * motion.rate < 1e-6
    assert np.abs(quaternion.rotate(there.rotations, shift_out) - shift_in).max() * motion.rate < 1e-6
    # What that takes for the root hardly shows beside what closing the pose takes.
    still = loop(motion, body, start=5, end=60, travel=Travel.CLOSE).motion
    one, other = (np.diff(each.poses.positions, n=2, axis=0)[[0, -1]] for each in (found.motion, still))
    jolts = [np.linalg.norm(each, axis=-1).max(axis=1) for each in (one, other)]
    assert jolts[0] == pytest.approx(jolts[1], rel=0.2)
    assert np.linalg.norm(there.shifts) > 1.0


def test_a_way_round_is_closed_without_sliding_off():
    motion, body = repeating(3.0, turn=0.8)
    found = loop(motion, body, start=0, end=PERIOD, travel=Travel.CLOSE)
    places = ground_path(found.motion, body).places
    assert np.linalg.norm(places - places[0], axis=1).max() < 0.4 * PERIOD * 0.3


def test_far_from_the_ends_nothing_changes_within_a_short_reach():
    motion, body = repeating(3.0, noise=0.2)
    found = loop(motion, body, start=0, end=90, travel=Travel.KEEP, reach=0.3)
    inner = slice(12, 78)
    assert quaternion.angle_between(found.motion.rotations[inner, 1:], motion.rotations[inner, 1:]).max() < 1e-9


def test_a_noisy_step_is_not_blown_up():
    motion, body = repeating(2.0)
    rotations = np.array(motion.rotations)
    rotations[1, 7] = quaternion.multiply(rotations[1, 7], quaternion.exp([0.3, 0.0, 0.0]))
    popping = motion.with_rotations(rotations)
    found = loop(popping, body, start=0, end=2 * PERIOD, travel=Travel.CLOSE)
    assert found.largest_turn < 0.35
    assert_closed(found.motion)


def test_one_known_end_is_kept():
    motion, body = repeating()
    assert find_loop(motion, body, start=10).first == 10
    assert (find_loop(motion, body, start=10).second - 10) % PERIOD == 0
    assert find_loop(motion, body, end=80).second == 80
    assert find_loop(motion, body, start=3, longest=1.2).second == 3 + PERIOD


def test_the_original_is_left_alone():
    motion, body = repeating()
    before = np.array(motion.rotations)
    loop(motion, body)
    assert np.array_equal(before, motion.rotations)


def test_too_little_motion_is_refused():
    motion, body = repeating()
    with pytest.raises(TooFewFramesError, match="shortest loop lasts 90 frames, the motion has 50"):
        loop(motion.part(0, 50), body, shortest=3.0)
    with pytest.raises(TooFewFramesError, match="not frames 5 to 8"):
        loop(motion, body, start=5, end=8)


@pytest.mark.clips
def test_every_clip_closes(clips_folder):
    for clip in annotated_clips(clips_folder):
        found = loop(clip.motion, clip.body, travel=Travel.CLOSE)
        assert_closed(found.motion)
        assert found.largest_move < 0.15 * clip.body.height, clip.name


@pytest.mark.clips
@pytest.mark.parametrize(("name", "seconds"), [("cmu_07_01_walk", 1.09), ("cmu_09_01_run", 0.73)])
def test_a_cycle_of_walking_and_running_is_found(clips_folder, name, seconds):
    clip = next(clip for clip in annotated_clips(clips_folder) if clip.name == name)
    found = loop(clip.motion, clip.body)
    assert (found.end - found.start) / clip.motion.rate == pytest.approx(seconds, abs=0.05)
    assert found.largest_turn < np.radians(15.0)


def test_smooth_rotations_that_spin_close_too():
    motion, body = repeating(2.0)
    spinning = np.array(motion.rotations)
    turns = np.linspace(0.0, 4.0 * np.pi, len(motion))[:, None] * [0.0, 1.0, 0.0]
    spinning[:, 4] = quaternion.exp(turns)
    found = loop(motion.with_rotations(spinning), body, start=0, end=2 * PERIOD, travel=Travel.CLOSE)
    assert_closed(found.motion)
