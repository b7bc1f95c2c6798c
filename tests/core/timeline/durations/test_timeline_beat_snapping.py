"""Events on beats: the best assignment, exactly met, without time running backward."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from hypothesis import given, settings
from hypothesis import strategies as st
from made_motion import swinging_chain

from core.analysis.contacts import detect_contacts
from core.body import find_body
from core.errors import MotionEditError
from core.sample_motion import sample_motion
from core.timeline import NoBeatNearError, assign_beats, snap_map
from core.timeline.durations.composite_timing import seconds_at

RATE = 30.0
MOTION = swinging_chain(frames=301, rate=RATE)
MOMENTS = st.lists(st.integers(0, 40), max_size=5, unique=True).map(lambda places: np.array(sorted(places)) / 10.0)


def all_assignments(events: int, beats: int):
    """Every way to give some of the events beats in order."""
    for count in range(min(events, beats) + 1):
        for chosen, taken in product(combinations(range(events), count), combinations(range(beats), count)):
            assigned = np.full(events, -1)
            assigned[list(chosen)] = taken
            yield assigned


def cost(events, beats, assigned, farthest) -> float:
    """Sum of squared ways; the farthest way for events without a beat."""
    has = assigned >= 0
    ways = np.abs(events[has] - beats[assigned[has]])
    return np.inf if (ways > farthest).any() else float((ways**2).sum() + (~has).sum() * farthest**2)


@settings(max_examples=60, deadline=None)
@given(MOMENTS, MOMENTS, st.sampled_from([0.15, 0.5, 2.0]))
def test_no_other_assignment_in_order_is_better(events, beats, farthest):
    found = assign_beats(events, beats, farthest=farthest)
    taken = found[found >= 0]
    assert (np.diff(taken) > 0).all()
    least = min(cost(events, beats, assigned, farthest) for assigned in all_assignments(len(events), len(beats)))
    assert cost(events, beats, found, farthest) == pytest.approx(least)


def test_two_events_at_one_beat_take_two_beats():
    assert assign_beats([0.9, 1.1], [0.5, 1.0, 2.0], farthest=0.6).tolist() == [0, 1]


def test_of_two_events_at_a_lonely_beat_the_nearer_one_takes_it():
    assert assign_beats([0.8, 1.1], [1.0], farthest=0.6).tolist() == [-1, 0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 300), min_size=1, max_size=12, unique=True),
    st.lists(st.integers(-40, 640).map(lambda half: half / 2), min_size=1, max_size=20, unique=True),
    st.sampled_from([0.07, 0.31, 0.77, 1.01]),
)
def test_every_assigned_event_is_shown_on_its_beat_and_nothing_runs_backward(events, beats, farthest):
    # The same rounding as in the map: of two beats that are equally far either may be taken.
    moments, places = seconds_at(MOTION, np.sort(events)), seconds_at(MOTION, np.sort(beats))
    assigned = assign_beats(moments, places, farthest=farthest)
    moved = assigned >= 0
    if not moved.any():
        with pytest.raises(NoBeatNearError):
            snap_map(MOTION, events, beats, farthest=farthest)
        return
    time_map = snap_map(MOTION, events, beats, farthest=farthest)
    assert time_map.map_key_times(moments[moved]) == pytest.approx(places[assigned[moved]], abs=1e-9)
    seen = np.linspace(time_map.new_times[0] - 0.2, time_map.new_times[-1] + 0.2, 10_001)
    assert (np.diff(time_map(seen)) > 0.0).all()


def test_events_without_a_beat_stay_unless_they_are_in_between():
    events, beats = [50, 100, 130, 160, 250], [97, 166]
    time_map = snap_map(MOTION, events, beats, farthest=0.3)
    shown = time_map.map_key_times(np.array(events) / RATE) * RATE
    assert shown[[0, 1, 3, 4]] == pytest.approx([50, 97, 166, 250])
    assert 97 < shown[2] < 166
    assert abs(shown[2] - 130) > 0.1
    untouched = MOTION.times[np.r_[0:51, 250:301]]
    assert np.array_equal(time_map(untouched), untouched)


def test_an_event_on_the_first_frame_takes_the_start_along():
    time_map = snap_map(MOTION, [0, 60], [6, 60], farthest=0.3)
    assert time_map.new_times[0] == pytest.approx(6 / RATE)
    assert time_map(np.array([6, 60, 300]) / RATE) == pytest.approx(np.array([0, 60, 300]) / RATE)


def test_a_beat_before_the_start_pushes_the_start_away():
    time_map = snap_map(MOTION, [3, 60], [-2, 60], farthest=0.3)
    assert time_map(np.array([-5, -2, 60]) / RATE) == pytest.approx(np.array([0, 3, 60]) / RATE)


def test_a_beat_just_after_the_start_does_not_crush_what_lies_before_it():
    time_map = snap_map(MOTION, [6, 60], [1e-9, 60], farthest=0.3)
    assert time_map(np.array([-6, 0, 60]) / RATE) == pytest.approx(np.array([0, 6, 60]) / RATE, abs=1e-6)


def test_beats_at_the_same_moment_are_one():
    assert snap_map(MOTION, [50, 60], [50, 50.1, 62], farthest=0.5)(62 / RATE) == pytest.approx(60 / RATE)


def test_starts_and_ends_of_windows_that_touch_are_one_event():
    windows = np.array([[20.0, 50.0], [50.2, 80.0]])
    time_map = snap_map(MOTION, windows.ravel(), [22, 48, 52, 83], farthest=0.3)
    assert time_map(np.array([22, 48, 83]) / RATE) == pytest.approx(np.array([20, 50, 80]) / RATE)


def test_refusals_tell_the_fix():
    with pytest.raises(NoBeatNearError, match=r"None of 2 events lies within 0\.1 s of a beat; allow longer"):
        snap_map(MOTION, [50, 100], [75], farthest=0.1)
    with pytest.raises(NoBeatNearError, match="None of 0 events"):
        snap_map(MOTION, [], [75])
    with pytest.raises(MotionEditError, match="event at frame 301 lies outside frames 0 to 300; leave it out"):
        snap_map(MOTION, [100, 301], [75])
    with pytest.raises(ValueError, match="Frames must be finite"):
        snap_map(MOTION, [100], [75, np.nan])
    with pytest.raises(ValueError, match="farthest must be above zero"):
        snap_map(MOTION, [100], [75], farthest=0.0)


def strikes(motion, body) -> np.ndarray:
    """Frames at which a foot comes down, found in the motion itself."""
    contacts = detect_contacts(motion, body, joints=body.feet)
    spans = [start for joint in contacts.joints for start, _ in contacts.of(joint)]
    return np.unique(spans)[1:] * motion.rate


def test_a_walk_steps_on_the_beat():
    motion = sample_motion(60.0).part(0, 225)
    body = find_body(motion.skeleton, motion=motion)
    steps = strikes(motion, body)
    beats = np.arange(20.0, 220.0, 27.0)
    nearest = np.abs(steps[:, None] - beats).min(axis=1)
    assert nearest.max() > 3.0
    snapped = snap_map(motion, steps, beats, farthest=0.3).apply(motion)
    found = strikes(snapped, body)
    assert len(found) == len(steps)
    assert np.abs(found[:, None] - beats).min(axis=1).max() <= 1.0


@pytest.mark.clips
def test_steps_of_walks_in_the_clips_come_within_a_frame_of_a_beat(clips_folder: Path) -> None:
    walks = 0
    for clip in annotated_clips(clips_folder):
        spans = clip.notes.get("foot_contacts", {})
        frames = np.unique([start - clip.lead for side in ("left", "right") for start, _ in spans.get(side, [])])
        frames = frames[frames > 0]
        if "walk" not in clip.name or len(frames) < 4:
            continue
        spacing = np.median(np.diff(frames)) * 1.04
        beats = np.arange(frames[0], frames[-1] + len(frames) * spacing, spacing)
        time_map = snap_map(clip.motion, frames, beats, farthest=10.0)
        shown = (time_map.map_key_times(clip.motion.times[frames]) - clip.motion.times[0]) * clip.motion.rate
        assert np.abs(shown[:, None] - beats).min(axis=1).max() <= 1.0
        assert time_map.direction == 1
        walks += 1
    assert walks >= 4
