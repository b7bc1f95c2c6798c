"""Keytimes from events: what is matched, in which order, and what happens outside."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.contacts import ContactSpans
from core.errors import MotionEditError
from core.guided_warp import GuidedWarpOptions, contact_events, guided_warp, keytimes_from_events
from core.sample_motion import sample_events, sample_motion


def match(own, other, **options):
    return keytimes_from_events(own, other, start=0.0, end=10.0, **options)[1:-1]


def test_as_many_events_are_matched_one_to_one():
    assert match([1.0, 2.0, 3.0], [1.5, 2.6, 3.1]) == [(1.0, 1.5), (2.0, 2.6), (3.0, 3.1)]


def test_time_runs_as_before_outside_the_matched_events():
    keytimes = keytimes_from_events([2.0, 4.0], [3.0, 6.0], start=0.5, end=10.0)
    assert keytimes == [(0.5, 1.5), (2.0, 3.0), (4.0, 6.0), (10.0, 12.0)]


def test_a_slower_march_is_followed_step_by_step():
    own, other = np.arange(1, 10) * 0.5, 0.3 + np.arange(1, 7) * 0.7
    pairs = match(own.tolist(), other.tolist())
    assert len(pairs) == 6
    assert np.diff([old for old, _ in pairs]) == pytest.approx(np.full(5, 0.5))


def test_an_event_too_many_is_left_out():
    assert match([1.0, 2.0, 3.0, 4.0], [1.0, 1.1, 2.0, 3.0, 4.0]) == [(time, time) for time in (1.0, 2.0, 3.0, 4.0)]


def test_only_like_names_are_matched():
    own = [("left", 1.0), ("right", 2.0), ("left", 3.0), ("right", 4.0)]
    other = [("right", 1.0), ("left", 2.0), ("right", 3.0), ("left", 4.0)]
    pairs = match(own, other)
    assert len(pairs) == 3
    names = {time: name for name, time in own}, {time: name for name, time in other}
    assert all(names[0][old] == names[1][new] for old, new in pairs)


times = st.lists(st.integers(1, 99), min_size=1, max_size=6, unique=True).map(
    lambda found: sorted(t / 10 for t in found)
)


@given(times, times)
@settings(deadline=None, max_examples=150)
def test_no_other_matching_has_more_pairs_or_changes_speed_less(own, other):
    pairs = match(own, other)

    def cost(chosen):
        paces = [np.log((b - a) / (d - c)) for (a, c), (b, d) in pairwise(chosen)]
        return sum(pace**2 for pace in paces) if all(abs(pace) <= np.log(4.0) for pace in paces) else np.inf

    def near(chosen):
        return cost(chosen) + 1e-3 * abs(chosen[0][0] - chosen[0][1])

    assert np.isfinite(cost(pairs))
    for size in range(len(pairs), min(len(own), len(other)) + 1):
        for mine in combinations(own, size):
            for theirs in combinations(other, size):
                chosen = list(zip(mine, theirs, strict=True))
                assert cost(chosen) == np.inf if size > len(pairs) else near(pairs) <= near(chosen) + 1e-9


def test_nothing_to_match_is_refused():
    with pytest.raises(MotionEditError, match="No events could be matched"):
        match([], [1.0])
    with pytest.raises(MotionEditError, match="No events could be matched"):
        match([("left", 1.0)], [("right", 1.0)])
    with pytest.raises(MotionEditError, match="No events could be matched"):
        match([11.0], [1.0])  # Outside the motion.


def test_footfalls_are_the_starts_of_contacts():
    contacts = ContactSpans({"left": ((1.0, 2.0), (3.0, 4.0)), "right": ((1.5, 2.5),)})
    assert contact_events(contacts) == [("left", 1.0), ("right", 1.5), ("left", 3.0)]
    assert contact_events(contacts, named=False) == [1.0, 1.5, 3.0]


def test_two_characters_march_in_step():
    """Steps of the sample motion land on the beats of another, and stay whole."""
    motion = sample_motion(30.0)
    steps = [time for _, time in sample_events().steps[:5]]
    beats = [1.2 + 0.6 * number for number in range(5)]
    end = float(motion.times[-1])
    keytimes = keytimes_from_events(steps, beats, start=0.0, end=end)
    time_map = guided_warp(motion, None, keytimes, options=GuidedWarpOptions()).time_map
    assert time_map(beats) == pytest.approx(steps, abs=1e-12)
    assert len(keytimes) == 7
