"""What happens in a motion is found where it happens, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from annotated_clips import annotated_clips

from core.analysis.events import EventKind, find_events, regular_beats
from core.body import find_body
from core.motion import Motion
from core.sample_motion import sample_events, sample_motion


def found(motion, body, kind, **options):
    return [event for event in find_events(motion, body, **options) if event.kind is kind]


@pytest.mark.parametrize("rate", [24.0, 30.0, 120.0])
def test_the_jump_of_the_sample_motion_is_its_only_flight(rate):
    motion = sample_motion(rate)
    (flight,) = found(motion, find_body(motion.skeleton, motion=motion), EventKind.FLIGHT)
    start, end = sample_events().flight
    assert flight.start == pytest.approx(start, abs=0.06)
    assert flight.end == pytest.approx(end, abs=0.06)


def test_all_punches_are_strikes():
    motion = sample_motion(60.0)
    strikes = found(motion, find_body(motion.skeleton, motion=motion), EventKind.STRIKE)
    for _side, time in sample_events().punches:
        assert any(strike.start <= time - 0.05 <= strike.end for strike in strikes)
    walking = 1.0, sample_events().flight[0] - 0.8
    assert not any(strike.start < walking[1] and strike.end > walking[0] for strike in strikes)


def test_stillness_is_where_nothing_moves():
    motion = sample_motion(30.0)
    body = find_body(motion.skeleton, motion=motion)
    still = np.tile(motion.rotations[:1], (60, 1, 1))
    paused = Motion.build(
        motion.skeleton,
        np.concatenate([still, motion.rotations[30:120]]),
        rate=30.0,
        locations=np.concatenate([np.tile(motion.locations[:1], (60, 1, 1)), motion.locations[30:120]]),
    )
    idle = found(paused, body, EventKind.IDLE)
    assert idle[0].start == 0.0
    assert idle[0].end == pytest.approx(59 / 30.0, abs=0.2)


@pytest.mark.parametrize("name", ["cmu_118_01_jump", "cmu_133_03_walk_jump", "fair1_jumping_zup"])
def test_annotated_jumps_are_found(clips_folder, name):
    clip = next(each for each in annotated_clips(clips_folder) if each.name == name)
    flights = found(clip.motion, clip.body, EventKind.FLIGHT)
    for jump in clip.notes["jumps"]["events"]:
        middle = float(clip.motion.times[(jump["takeoff"] + jump["landing"]) // 2 - clip.lead])
        assert any(flight.start <= middle <= flight.end for flight in flights)


@pytest.mark.parametrize("name", ["cmu_07_01_walk", "cmu_120_08_sneaky_walk", "cmu_75_19_sit_stand"])
def test_nobody_flies_who_walks_or_sits(clips_folder, name):
    clip = next(each for each in annotated_clips(clips_folder) if each.name == name)
    assert not found(clip.motion, clip.body, EventKind.FLIGHT)


def test_marching_is_a_repetition(clips_folder):
    clip = next(each for each in annotated_clips(clips_folder) if each.name == "cmu_138_01_march")
    (march,) = found(clip.motion, clip.body, EventKind.REPETITION)
    turns = np.diff(march.beats)
    assert len(turns) >= 3
    assert np.ptp(turns) < 0.2 * turns.mean()


def test_regular_beats_are_told_from_others():
    even = [1.0, 2.0, 3.05, 4.0, 5.0]
    assert regular_beats(even) == [tuple(even)]
    assert regular_beats([1.0, 1.6, 3.0, 3.3, 5.9]) == []
    assert regular_beats([0.0, 0.5, 1.0, 1.5, 2.0, 4.0, 6.0, 8.0, 10.0]) == [
        (0.0, 0.5, 1.0, 1.5, 2.0),
        (2.0, 4.0, 6.0, 8.0, 10.0),
    ]
    # A foot that touches down twice.
    assert regular_beats([1.0, 1.1, 2.0, 3.0, 3.1, 4.0]) == [(1.0, 2.0, 3.0, 4.0)]


def test_what_has_no_body_has_no_events():
    assert find_events(sample_motion(30.0), None) == ()
