"""The part of a motion that happens most often, for edits that nobody is there to choose a window for."""

from collections.abc import Iterator

import numpy as np

from ...errors import MotionEditError
from ...numerics import Array
from .lookup import propagation_windows
from .match_web import MatchWeb

# Seconds that a part may last: a step, a punch, a stride, a jump.
_LENGTHS = (0.4, 0.7, 1.1)
# Parts of each length that are looked at, at most, unless that would leave gaps between them.
_MOST = 48


class NothingRepeatedError(MotionEditError):
    """No part of a motion happens twice."""


def most_repeated_part(web: MatchWeb, *, rate: float, ticked: float = 0.09) -> tuple[float, float]:
    """First and last frame of the part whose repetitions hold most of the movement.

    What counts is the movement in the other parts that are like it, so that a long part that happens
    twice is not preferred to a short one that happens ten times, and standing still counts for nothing.

    Args:
        rate: Frames a second of the motion.
        ticked: Largest distance of parts that are alike, as `unlikeness` tells it.

    Raises:
        NothingRepeatedError: There is no such part.
    """
    way = _way(web)
    best, chosen = 0.0, None
    for start, end in _candidates(web, rate):
        found = propagation_windows(web, start, end, steps=1, ticked=ticked, shown=ticked)
        moved = sum(_moved(way, web, window.start, window.end) for window in found)
        if moved > best:
            best, chosen = moved, (start, end)
    if chosen is None:
        raise NothingRepeatedError(
            "No part of this motion is repeated; give the Start and End of a window, or a larger Enable Up To"
        )
    return chosen


def _candidates(web: MatchWeb, rate: float) -> Iterator[tuple[float, float]]:
    """Parts that overlap by half, or less in long motions."""
    for seconds in _LENGTHS:
        length, last = seconds * rate, web.frames - 1.0
        if 2.0 * length > last:
            return
        count = int(np.ceil((last - length) / np.clip((last - length) / _MOST, 0.5 * length, length)))
        for start in np.linspace(0.0, last - length, count + 1).round().tolist():
            yield start, min(last, start + round(length))


def _way(web: MatchWeb) -> Array:
    """(N,) how far joints have moved about the body's middle up to each compared moment, in body heights."""
    about = web.positions - web.positions.mean(axis=1, keepdims=True)
    steps = np.linalg.norm(np.diff(about, axis=0), axis=-1).mean(axis=-1)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _moved(way: Array, web: MatchWeb, start: float, end: float) -> float:
    first, last = np.interp([start / web.stride, end / web.stride], np.arange(len(way)), way)
    return float(last - first)
