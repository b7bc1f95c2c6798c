"""Propagating a timing made by hand: what is alike follows, what is unlike stays as it is."""

import numpy as np
import pytest
import slow_guided
from retimed_parts import retimed_part

from core.body import find_body
from core.guided_warp import GuidedWarpOptions, guided_warp
from core.guided_warp.likeness import unlikeness, with_own_timing
from core.guided_warp.objective import score_triples
from core.motion.motion import Motion
from core.motion.time_maps.time_map import TimeMap
from core.sample_motion import sample_events, sample_motion, sample_skeleton

PERIOD, CYCLES = 1.1, 6
PROPAGATED = GuidedWarpOptions(free_length=True, keep_unlike=True)


def turned_about_x(angles):
    zero = np.zeros_like(angles)
    return np.stack([np.cos(0.5 * angles), np.sin(0.5 * angles), zero, zero], axis=-1)


def made_walk(rate=30.0):
    """Steps on the spot, one like the other."""
    skeleton = sample_skeleton()
    phase = 2.0 * np.pi / PERIOD * np.arange(round((CYCLES + 1) * PERIOD * rate) + 1) / rate
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(phase), len(skeleton), 1))
    for side, own in (("L", phase), ("R", phase + np.pi)):
        angles = {
            "thigh": 0.45 * np.sin(own),
            "shin": 0.36 * (1.0 + np.sin(own + 1.2)),
            "upper_arm": -0.4 * np.sin(own),
        }
        for name, turns in angles.items():
            rotations[:, skeleton.index[f"{name}.{side}"]] = turned_about_x(turns)
    return Motion.build(skeleton, rotations, rate=rate)


def propagated(motion, part, factor, options=PROPAGATED):
    """Let a part last longer by hand, then all that is like it; gives how much longer a part lasts now."""
    end, longer = float(motion.times[-1]), (part[1] - part[0]) * (factor - 1.0)
    by_hand = TimeMap.through(
        [-1.0, part[0], part[1] + longer, end + longer + 1.0], [-1.0, *part, end + 1.0], smooth=False
    )
    edited = retimed_part(motion, by_hand, start=0.0, end=np.floor((end + longer) * 30.0) / 30.0)
    reference = retimed_part(motion, by_hand, start=part[0], end=part[1] + longer)
    body, last = find_body(motion.skeleton, motion=motion), float(edited.times[-1])
    time_map = guided_warp(edited, body, [(0.0, 0.0), (last, last)], options=options, reference=reference).time_map

    def lasts(start, stop):
        new = time_map.map_key_times(by_hand.map_key_times([start, stop]))
        return float(new[1] - new[0]) / (stop - start)

    return lasts


@pytest.mark.parametrize("keep_unlike", [True, False])
@pytest.mark.parametrize("factor", [1.5, 2.0, 0.7])
def test_all_steps_of_a_walk_follow_the_one_that_was_retimed(factor, keep_unlike):
    options = GuidedWarpOptions(free_length=True, keep_unlike=keep_unlike)
    lasts = propagated(made_walk(), (0.0, PERIOD), factor, options)
    steps = [lasts(cycle * PERIOD, (cycle + 1) * PERIOD) for cycle in range(1, CYCLES)]
    assert steps == pytest.approx([factor] * len(steps), rel=0.1)
    assert lasts(0.0, PERIOD) == pytest.approx(factor, rel=0.02)  # The example itself is right already.


@pytest.mark.parametrize("factor", [1.5, 2.0])
def test_a_jump_and_punches_stay_as_they_are_when_steps_are_slowed(factor):
    lasts = propagated(sample_motion(30.0), (0.5, 2.1), factor)
    steps = dict.fromkeys(time for _, time in sample_events().steps)
    first, second = (time for time in steps if 5.0 < time < 6.5)  # The walk goes on after the jump.
    assert lasts(first, second) == pytest.approx(factor, rel=0.15)
    for unlike in (sample_events().flight, (3.5, 4.9), (7.3, 9.9), (10.9, 11.7)):
        assert lasts(*unlike) == pytest.approx(1.0, abs=0.05)


def test_without_the_choice_a_jump_finds_no_guide_among_steps():
    lasts = propagated(sample_motion(30.0), (0.5, 2.1), 1.5, GuidedWarpOptions(free_length=True))
    assert abs(lasts(*sample_events().flight) - 1.0) > 0.5


def test_the_choice_means_nothing_to_a_motion_that_guides_itself():
    motion = sample_motion(30.0)
    body, end = find_body(motion.skeleton, motion=motion), float(motion.times[-1])
    times = np.linspace(0.0, 0.8 * end, 100)
    with_it, without = (
        guided_warp(motion, body, [(0.0, 0.0), (end, 0.8 * end)], options=GuidedWarpOptions(keep_unlike=choice))
        for choice in (True, False)
    )
    assert (with_it.time_map(times) == without.time_map(times)).all()


def test_the_reference_is_like_itself_and_unlike_what_is_far_away():
    reference = np.stack([np.sin(np.arange(40) / 5.0), np.cos(np.arange(40) / 5.0)], axis=1)
    itself = unlikeness(score_triples(reference, reference, 2), reference)
    elsewhere = unlikeness(score_triples(reference + 5.0, reference, 2), reference)
    assert itself.max() < 0.05
    assert elsewhere.min() > 0.95


def test_what_is_unlike_costs_its_distance_to_the_old_speed():
    """On a straight way the distance between features is exact; here every sample is unlike."""
    samples = np.arange(60)[:, None] * np.array([0.02, -0.01, 0.03]) + 50.0
    reference = np.sin(np.arange(30)[:, None] / 4.0 + np.arange(3))
    scores = score_triples(samples, reference, 6)
    scores = with_own_timing(scores, samples, 4, unlike=unlikeness(scores, reference))
    own = slow_guided.feature(samples[26], samples[30], samples[34])
    for before, after in ((1, 1), (4, 4), (2, 6), (6, 3)):
        feature = slow_guided.feature(samples[30 - before], samples[30], samples[30 + after])
        assert scores[before - 1, after - 1, 30] == pytest.approx(np.linalg.norm(feature - own), abs=0.02)


def test_standing_still_does_not_get_longer_when_the_length_is_free():
    """Played twice as fast and given its old self as reference, a motion finds back; standing keeps its length."""
    motion = sample_motion(30.0)
    body, end = find_body(motion.skeleton, motion=motion), float(motion.times[-1])
    quick = retimed_part(motion, TimeMap.scale(2.0), start=0.0, end=0.5 * end)
    options = GuidedWarpOptions(free_length=True)
    found = guided_warp(quick, body, [(0.0, 0.0), (0.5 * end, 1.0)], options=options, reference=motion).time_map
    standing, walking = (np.diff(found.map_key_times(part))[0] for part in ((0.0, 0.25), (0.3, 1.5)))
    assert 0.2 < standing < 0.6
    assert walking == pytest.approx(2.4, rel=0.05)


def test_a_still_motion_and_a_still_reference_are_borne():
    still = np.ones((20, 3))
    scores = score_triples(still, still[:5], 2)
    scores = with_own_timing(scores, still, 1, unlike=unlikeness(scores, still[:5]))
    assert (scores[:, :, 2:-2] == 0.0).all()
