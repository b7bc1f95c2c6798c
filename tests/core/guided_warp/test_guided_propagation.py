"""Propagating a timing made by hand: what is alike follows, what is unlike stays as it is."""

import numpy as np
import pytest
from made_walks import CYCLES, PERIOD, made_walk
from retimed_parts import retimed_part

from core.body import find_body
from core.guided_warp import GuidedWarpOptions, guided_warp
from core.motion.motion import Motion
from core.motion.time_maps.time_map import TimeMap
from core.sample_motion import sample_events, sample_motion

FREE = GuidedWarpOptions(free_length=True)


def propagated(motion, part, factor, *, keep_unlike=True):
    """Let a part last longer by hand, then all that is like it; gives how much longer a part lasts now."""
    end, longer = float(motion.times[-1]), (part[1] - part[0]) * (factor - 1.0)
    by_hand = TimeMap.through(
        [-1.0, part[0], part[1] + longer, end + longer + 1.0], [-1.0, *part, end + 1.0], smooth=False
    )
    edited = retimed_part(motion, by_hand, start=0.0, end=np.floor((end + longer) * 30.0) / 30.0)
    reference = retimed_part(motion, by_hand, start=part[0], end=part[1] + longer)
    body, last = find_body(motion.skeleton, motion=motion), float(edited.times[-1])
    keytimes = [(0.0, 0.0), (last, last)]
    time_map = guided_warp(edited, body, keytimes, options=FREE, reference=reference, keep_unlike=keep_unlike).time_map

    def lasts(start, stop):
        new = time_map.map_key_times(by_hand.map_key_times([start, stop]))
        return float(new[1] - new[0]) / (stop - start)

    return lasts


@pytest.mark.parametrize("keep_unlike", [True, False])
@pytest.mark.parametrize("factor", [1.5, 2.0, 0.7])
def test_all_steps_of_a_walk_follow_the_one_that_was_retimed(factor, keep_unlike):
    lasts = propagated(made_walk(), (0.0, PERIOD), factor, keep_unlike=keep_unlike)
    steps = [lasts(cycle * PERIOD, (cycle + 1) * PERIOD) for cycle in range(1, CYCLES)]
    assert steps == pytest.approx([factor] * len(steps), rel=0.1)
    assert lasts(0.0, PERIOD) == pytest.approx(factor, rel=0.1)  # The example itself is right already.


@pytest.mark.parametrize("factor", [1.5, 2.0])
def test_a_jump_and_punches_stay_as_they_are_when_steps_are_slowed(factor):
    lasts = propagated(sample_motion(30.0), (0.5, 2.1), factor)
    steps = dict.fromkeys(time for _, time in sample_events().steps)
    first, second = (time for time in steps if 5.0 < time < 6.5)  # The walk goes on after the jump.
    assert lasts(first, second) == pytest.approx(factor, rel=0.15)
    for unlike in (sample_events().flight, (3.5, 4.9), (7.3, 9.9), (10.9, 11.7)):
        assert lasts(*unlike) == pytest.approx(1.0, abs=0.05)


def test_without_the_choice_a_jump_finds_no_guide_among_steps():
    lasts = propagated(sample_motion(30.0), (0.5, 2.1), 1.5, keep_unlike=False)
    assert abs(lasts(*sample_events().flight) - 1.0) > 0.5


def test_standing_still_does_not_get_longer_when_the_length_is_free():
    """Played twice as fast and given its old self as reference, a motion finds back; standing keeps its length."""
    motion = sample_motion(30.0)
    body, end = find_body(motion.skeleton, motion=motion), float(motion.times[-1])
    quick = retimed_part(motion, TimeMap.scale(2.0), start=0.0, end=0.5 * end)
    options = GuidedWarpOptions(free_length=True)
    found = guided_warp(quick, body, [(0.0, 0.0), (0.5 * end, 1.0)], options=options, reference=motion).time_map
    standing, walking = (np.diff(found.map_key_times(part))[0] for part in ((0.0, 0.25), (0.3, 1.5)))
    assert 0.2 < standing < 0.6
    assert walking == pytest.approx(2.4, rel=0.1)


def test_a_still_motion_and_a_still_reference_are_borne():
    motion = sample_motion(30.0)
    body = find_body(motion.skeleton, motion=motion)
    still = Motion.build(motion.skeleton, np.tile(motion.rotations[:1], (60, 1, 1)), rate=30.0)
    time_map = guided_warp(still, body, [(0.0, 0.0), (1.9, 1.5)], reference=still.part(0, 20)).time_map
    assert time_map.map_key_times([0.95]) == pytest.approx([0.75], abs=0.01)
