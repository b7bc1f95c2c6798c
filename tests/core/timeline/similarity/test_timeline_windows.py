"""From an operation window to its propagation windows, and how overlaps are taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, Score, annotated_clips

from core.body import find_body
from core.editing import PropagationWindow
from core.sample_motion import sample_events, sample_motion
from core.timeline import (
    EmptyWindowError,
    MatchWeb,
    match_web,
    propagation_windows,
    without_overlaps,
)

RATE = 30.0
# A found event may be this far from the one that people saw, in seconds.
NEAR = 0.15
# Both feet down for this many seconds is standing, also where the clip's end cuts it short.
STANDING = 1.0


def window(start: float, end: float, distance: float = 0.05) -> PropagationWindow:
    """A window with straight correspondence."""
    return PropagationWindow(start, end, np.array([0.0, 10.0]), np.array([start, end]), distance)


OPERATION = window(0.0, 10.0, 0.0)


def spans(windows: list[PropagationWindow]) -> list[tuple[float, float]]:
    return [(found.start, found.end) for found in windows]


@pytest.fixture(scope="module")
def web() -> MatchWeb:
    motion = sample_motion(RATE)
    return match_web(motion, find_body(motion.skeleton, motion=motion))


def test_windows_apart_stay_as_they_are() -> None:
    assert spans(without_overlaps([window(50, 60), window(20, 30)], OPERATION)) == [(20, 30), (50, 60)]


def test_more_than_eighty_percent_is_one_window() -> None:
    found = without_overlaps([window(20, 30, 0.06), window(21, 31, 0.04), window(20.5, 33, 0.07)], OPERATION)
    assert spans(found) == [(21, 31)]


def test_less_than_twenty_percent_is_cut_in_the_middle() -> None:
    found = without_overlaps([window(20, 30), window(29, 40)], OPERATION)
    assert spans(found) == [(20, 29.5), (29.5, 40)]
    # Each still knows its own correspondence.
    assert found[1].own_at(0.0) == 29.0


def test_a_window_between_two_that_leave_less_than_half_is_removed() -> None:
    loose = [window(20, 30, 0.05), window(29, 37, 0.04), window(36, 46, 0.05)]
    assert spans(without_overlaps(loose, OPERATION)) == [(20, 29.5), (29.5, 36.5), (36.5, 46)]
    tighter = [window(20, 31, 0.05), window(28, 36, 0.04), window(33.9, 44, 0.05)]
    assert spans(without_overlaps(tighter, OPERATION)) == [(20, 31), (33.9, 44)]


def test_between_the_rules_the_more_similar_stays() -> None:
    assert spans(without_overlaps([window(20, 30, 0.05), window(25, 35, 0.04)], OPERATION)) == [(25, 35)]


def test_the_operation_window_is_never_touched() -> None:
    assert without_overlaps([window(1, 11, 0.0)], OPERATION) == []
    assert without_overlaps([window(5, 15, 0.0)], OPERATION) == []
    assert spans(without_overlaps([window(9, 19)], OPERATION)) == [(10, 19)]


@pytest.mark.parametrize("seed", range(20))
def test_no_overlap_is_ever_left(seed: int) -> None:
    random = np.random.default_rng(seed)
    starts = random.uniform(-40, 100, 30)
    made = [window(start, start + random.uniform(5, 20), random.uniform(0.01, 0.1)) for start in starts]
    found = without_overlaps(made, OPERATION)
    borders = sorted([*spans(found), (0.0, 10.0)])
    assert found
    assert all(one[1] <= other[0] + 1e-9 for one, other in pairwise(borders))
    assert all(start < end for start, end in borders)


@pytest.mark.parametrize("rate", [24.0, 25.0, 30.0, 60.0])
def test_every_punch_of_the_sample_finds_those_of_its_side_and_nothing_else(rate: float) -> None:
    motion, punches = sample_motion(rate), sample_events().punches
    woven = match_web(motion, find_body(motion.skeleton, motion=motion))
    for half in (0.2, 0.25, 0.3):
        for side, time in punches:
            found = propagation_windows(woven, (time - half) * rate, (time + half) * rate)
            seen = sorted(float(part.own_at(time * rate)) / rate for part in found if part.ticked)
            assert seen == pytest.approx([at for arm, at in punches if arm == side and at != time], abs=0.07)


def test_correspondence_rises_and_can_be_taken_back(web: MatchWeb) -> None:
    time = sample_events().punches[0][1]
    found = propagation_windows(web, (time - 0.25) * RATE, (time + 0.25) * RATE)
    assert found
    for part in found:
        assert (np.diff(part.own_frames) > 0).all()
        frames = np.linspace(part.operation_frames[0], part.operation_frames[-1], 50)
        assert part.operation_at(part.own_at(frames)) == pytest.approx(frames)
        assert part.start >= 0.0
        assert part.end <= web.frames - 1


def test_two_steps_find_no_less_than_one(web: MatchWeb) -> None:
    for _, time in sample_events().steps[1:-1]:
        once, twice = (
            [
                part
                for part in propagation_windows(web, (time - 0.3) * RATE, (time + 0.3) * RATE, steps=steps)
                if part.ticked
            ]
            for steps in (1, 2)
        )
        assert len(twice) >= len(once)


def test_only_what_is_alike_is_ticked(web: MatchWeb) -> None:
    time = sample_events().punches[1][1]
    start, end = (time - 0.25) * RATE, (time + 0.25) * RATE
    distances = sorted({part.distance for part in propagation_windows(web, start, end, steps=1, shown=0.2)})
    assert len(distances) > 1
    limit = 0.5 * (distances[0] + distances[1])
    found = propagation_windows(web, start, end, steps=1, ticked=limit, shown=0.2)
    assert {part.ticked for part in found} == {True, False}
    assert all(part.ticked == (part.distance <= limit) for part in found)


def test_frames_in_an_error_can_be_counted_otherwise(web: MatchWeb) -> None:
    with pytest.raises(EmptyWindowError, match="Frames -3 to 5 are no part of the motion's frames 0 to") as refused:
        propagation_windows(web, -3.0, 5.0)
    told = refused.value.counted(lambda frames: np.asarray(frames) + 101.0)
    assert isinstance(told, EmptyWindowError)
    assert f"Frames 98 to 106 are no part of the motion's frames 101 to {web.frames + 100}" in str(told)
    assert told.counted(lambda frames: np.asarray(frames) + 1.0) is told, "once is enough"


@pytest.mark.parametrize(("start", "end"), [(5.0, 5.0), (-3.0, 5.0), (5.0, 9999.0)])
def test_windows_outside_the_motion_are_refused(web: MatchWeb, start: float, end: float) -> None:
    with pytest.raises(EmptyWindowError, match="no part of the motion's frames"):
        propagation_windows(web, start, end)


# The annotated clips: all repetitions are found and nothing else is ticked.

Query = tuple[float, float, float, list[int], list[int]]


def punch_queries(clip: AnnotatedClip) -> Iterator[Query]:
    rate = clip.motion.rate
    events = [row - clip.lead for row in clip.notes.get("punches", {}).get("rows_of_full_extension", [])]
    yield from ((event, event - 0.4 * rate, event + 0.4 * rate, events, events) for event in events)


def hop_queries(clip: AnnotatedClip) -> Iterator[Query]:
    rate = clip.motion.rate
    for group in clip.notes.get("jumps", {}).get("groups", []):
        events = [row - clip.lead for row in group["apex"]]
        if group["kind"].startswith("hop"):
            yield from ((event, event - 0.25 * rate, event + 0.25 * rate, events, events) for event in events)


def step_queries(clip: AnnotatedClip) -> Iterator[Query]:
    """Steps of one foot from lifting to setting down; those out of or into standing differ from the rest."""
    rate = clip.motion.rate
    flights = [jump["apex"] for jump in clip.notes.get("jumps", {}).get("events", [])]
    for side, opposite in (("left", "right"), ("right", "left")):
        contacts = np.array(clip.notes.get("foot_contacts", {}).get(side, [[0, 0]]))
        standing = np.diff(contacts)[:, 0] > 1.5 * np.median(np.diff(contacts))
        standing |= both_down(contacts, clip.notes.get("foot_contacts", {}).get(opposite, [])) > STANDING * rate
        pairs = [
            (int(before[1]) - clip.lead, int(after[0]) - clip.lead, bool(stood or stands))
            for before, after, stood, stands in zip(contacts, contacts[1:], standing, standing[1:], strict=False)
            if not any(before[1] <= apex <= after[0] for apex in flights)
        ]
        every, regular = [pair[1] for pair in pairs], [pair[1] for pair in pairs if not pair[2]]
        for lifted, down, stands in pairs:
            if not stands:
                yield down, lifted - 0.1 * rate, down + 0.1 * rate, every, regular


def both_down(contacts: Any, others: Any) -> Any:
    """(N,) longest time, in rows, that the other foot is down at once with each contact of a foot."""
    return np.array(
        [max((min(last, end) - max(first, start) for start, end in others), default=0) for first, last in contacts]
    )


def score_of(folder: Path, queries: Any) -> Score:
    score = Score()
    for clip in annotated_clips(folder):
        asked = list(queries(clip))
        if not asked:
            continue
        rate, woven = clip.motion.rate, match_web(clip.motion, clip.body)
        for event, start, end, right, wanted in asked:
            if not 0.0 <= start < end <= len(clip.motion) - 1:
                continue
            found = [float(part.own_at(event)) for part in propagation_windows(woven, start, end) if part.ticked]
            one, other = Score(), Score()
            one.add_times(np.array(found) / rate, np.array([row for row in right if row != event]) / rate, NEAR)
            other.add_times(np.array(found) / rate, np.array([row for row in wanted if row != event]) / rate, NEAR)
            score.hits, score.found = score.hits + one.hits, score.found + one.found
            score.met, score.wanted = score.met + other.met, score.wanted + other.wanted
    return score


@pytest.mark.clips
@pytest.mark.parametrize(
    ("queries", "precision", "recall"),
    [(punch_queries, 0.95, 0.95), (hop_queries, 0.9, 0.95), (step_queries, 0.9, 0.9)],
)
def test_repetitions_in_the_clips(clips_folder: Path, queries: Any, precision: float, recall: float) -> None:
    score = score_of(clips_folder, queries)
    print(f"{queries.__name__}: precision {score.precision:.2f}, recall {score.recall:.2f} of {score.wanted}")
    assert score.wanted > 10
    assert score.precision >= precision
    assert score.recall >= recall
