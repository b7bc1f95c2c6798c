"""Timings that show keys, or what keeps its time, on whole frames again."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..motion import TimeMap
from ..numerics import Array, PiecewiseCubic
from .options import SpanFate
from .spans import SpanKind

# Frames by which a key may lie off a whole frame because of rounding.
_ROUNDING = 1e-3
# Seconds by which two moments differ at least.
_MOMENT = 1e-6
# By this share the time between two spans may change to have both on whole frames.
_YIELDING = 0.25


def on_whole_frames(time_map: TimeMap, key_times: Any, rate: float) -> TimeMap:
    """The timing that shows every key at the whole frame next to where it would be, even between two keys.

    Between keys a curve can be stretched and nothing else; so this is what keys alone can show. A stretch that keeps
    its time keeps its number of frames. Keys that would come to lie on one frame with the key before them are left
    out.

    Args:
        time_map: From new to old seconds, always forward or always backward.
        key_times: (K,) old seconds of keys.
        rate: Frames a second.
    """
    first, last = sorted(time_map.old_times[[0, -1]].tolist())
    keys = np.unique(np.asarray(key_times, dtype=np.float64))
    old = np.unique(np.concatenate([keys[(keys > first) & (keys < last)], [first, last]]))
    new = time_map.map_key_times(old) * rate
    if new[0] > new[-1]:
        old, new = old[::-1], new[::-1]
    chosen = _apart(np.floor(new + 0.5 + _ROUNDING))
    frames = np.floor(new[chosen] + 0.5 + _ROUNDING)
    # The ends stay where they are: they may have been asked for between frames.
    frames[[0, -1]] = new[[0, -1]]
    return TimeMap.from_samples(frames / rate, old[chosen], ends=time_map.ends)


def _apart(frames: Array) -> Any:
    """Places of frames (K,) that lie behind all before them; the first and the last are among them."""
    rising = np.append(True, frames[1:] > np.maximum.accumulate(frames)[:-1])
    rising[-1] = True
    chosen = np.flatnonzero(rising)
    return np.append(chosen[:-1][frames[chosen[:-1]] < frames[-1]], chosen[-1])


def with_kept_frames(time_map: TimeMap, fates: Iterable[SpanFate], fixed: Any, rate: float) -> TimeMap:
    """The timing in which protected spans that keep their time show the very frames that they had.

    Half a frame later every pose of a strike would be one between two poses, and its peak none of them.

    Args:
        time_map: From new to old seconds, always forward or always backward.
        fates: What becomes of spans; those between two frames move by half a frame at most.
        fixed: (K,) old seconds that stay where they are shown.
        rate: Frames a second.
    """
    ends = time_map.old_times[[0, -1]]
    still = time_map.map_key_times(np.unique(np.clip([*ends, *fixed], min(ends), max(ends))))
    laid = [(float(time), float(time), 0.0) for time in still]
    for fate in fates:
        if fate.span.kind is SpanKind.PROTECTED and not fate.lost(_ROUNDING / rate):
            start, end = np.sort(time_map.map_key_times([fate.span.start, fate.span.end]))
            apart = (start - time_map.direction * float(time_map(start))) * rate
            _lay(laid, (float(start), float(end), (round(apart) - apart) / rate))
    times, curve = _knots(laid), time_map.curve
    # Softly from one span to the next: no speed at a keytime or at an end changes.
    moved = PiecewiseCubic(times[:, 0], times[:, 1], np.ones((len(times) - 1, 2)))
    rates = moved.slope(curve.knots)
    slopes = curve.slopes / np.stack([rates[:-1], rates[1:]], axis=-1)
    return TimeMap(PiecewiseCubic(moved.value(curve.knots), curve.values, slopes), time_map.ends)


def _lay(laid: list[tuple[float, float, float]], span: tuple[float, float, float]) -> None:
    """Add a span that moves unless what lies between it and another had to yield too much."""
    start, end, by = span
    gaps = [(max(start - last, first - end), abs(by - other)) for first, last, other in laid]
    if all(change <= max(_YIELDING * gap, 0.0) + 1e-9 for gap, change in gaps):
        laid.append(span)


def _knots(laid: list[tuple[float, float, float]]) -> Array:
    """(K, 2) new times before and after, in order; of those that are the same the first."""
    knots: list[tuple[float, float]] = []
    for first, last, by in laid:
        for end in (first, last):
            if all(abs(end - other) > _MOMENT for other, _after in knots):
                knots.append((end, end + by))
    return np.array(sorted(knots))
