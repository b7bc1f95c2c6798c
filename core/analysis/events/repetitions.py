"""Repetitions: steps, hops and other turns that take the same time again and again."""

from collections.abc import Iterable, Sequence

import numpy as np

from ...numerics import Array
from ..contacts import ContactSpans
from .event import Event, EventKind

# Turns in a row that make a rhythm, and the share by which each may differ from their median.
FEWEST_TURNS, _UNEVEN = 3, 0.2
# Seconds that a turn takes; quicker ones are a foot that touches down twice.
_SHORTEST, _LONGEST = 0.25, 3.0
# Share of a turn by which the rhythm is taken to go on before its first beat and after its last.
_BEYOND = 0.5
# Poses of one turn and the next, at so many shares of it, are this many times as near as those half a turn apart.
_PHASES, _LIKE = 6, 0.75


def find_repetitions(
    times: Array, poses: Array, contacts: ContactSpans, landings: Sequence[float], *, fewest: int = FEWEST_TURNS
) -> list[Event]:
    """Rhythms that do not overlap, the longest first choice; in order of time.

    Args:
        times: (F,) seconds of the frames.
        poses: (F, D) what is to be the same in every turn.
        contacts: Of feet.
        landings: Seconds at which flights end.
        fewest: Turns in a row that make a rhythm.
    """
    ends = float(times[0]), float(times[-1])
    # A foot that stands in the first frame came down before.
    rows = [sorted(start for start, _ in contacts.of(joint) if start > ends[0]) for joint in contacts.joints]
    rows.append(sorted(landings))
    found = [beats for row in rows for beats in regular_beats(row, fewest) if _is_repeated(times, poses, beats)]
    kept: list[tuple[float, ...]] = []
    for beats in sorted(found, key=lambda each: each[0] - each[-1]):
        if all(beats[-1] <= other[0] or other[-1] <= beats[0] for other in kept):
            kept.append(beats)
    return _events(sorted(kept), ends)


def regular_beats(times: Iterable[float], fewest: int = FEWEST_TURNS) -> list[tuple[float, ...]]:
    """Longest rows of beats whose distances are about the same; times nearer than a turn can be count once."""
    beats: list[float] = []
    for time in times:
        if not beats or time - beats[-1] >= _SHORTEST:
            beats.append(time)
    rows, first = [], 0
    while first + fewest < len(beats):
        last = first + 1
        while last + 1 < len(beats) and _is_even(beats[first : last + 2]):
            last += 1
        if last - first >= fewest:
            rows.append(tuple(beats[first : last + 1]))
        first = last if last - first >= fewest else first + 1
    return rows


def _is_even(beats: Sequence[float]) -> bool:
    turns = np.diff(beats)
    middle = float(np.median(turns))
    return middle <= _LONGEST and bool((np.abs(turns - middle) <= _UNEVEN * middle).all())


def _is_repeated(times: Array, poses: Array, beats: Sequence[float]) -> bool:
    """Whether one turn shows what the next does; other things may happen to a steady beat. One turn alone is one."""
    if len(beats) < 3:
        return True
    phases = np.arange(2 * _PHASES * (len(beats) - 1)) / (2 * _PHASES)
    moments = np.interp(phases, np.arange(len(beats)), beats)
    rows = poses[np.clip(np.searchsorted(times, moments), 0, len(times) - 1)]

    def apart(shift: int) -> float:
        return float(np.linalg.norm(rows[shift:] - rows[:-shift], axis=1).mean())

    return apart(2 * _PHASES) < _LIKE * apart(_PHASES)


def _events(rows: Sequence[tuple[float, ...]], ends: tuple[float, float]) -> list[Event]:
    """Rhythms with the part of a turn before and after that is surely of them, none of which overlap."""
    events = []
    for place, beats in enumerate(rows):
        turn = _BEYOND * float(np.median(np.diff(beats)))
        first = rows[place - 1][-1] if place else ends[0]
        last = rows[place + 1][0] if place + 1 < len(rows) else ends[1]
        # What lies between two rhythms is shared by both.
        before = 0.5 * (beats[0] - first) if place else beats[0] - first
        after = 0.5 * (last - beats[-1]) if place + 1 < len(rows) else last - beats[-1]
        start, end = beats[0] - min(turn, before), beats[-1] + min(turn, after)
        events.append(Event(EventKind.REPETITION, start, end, beats))
    return events
