"""Keeping the knots of one variable in order and apart."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array


def in_order(times: Array, present: NDArray[np.bool_], margin: float) -> Array:
    """Move knots that cross by as little as keeps them `margin` apart; leave all others bit for bit.

    The result is the nearest one in the sense of least squares: knots that crossed end up around
    their common mean.

    Args:
        times: (K, V) wanted time of every knot, in seconds.
        present: (K, V) which knots there are.
        margin: Least distance of two knots of one variable, in seconds.
    """
    result = np.array(times)
    held = np.maximum.accumulate(np.where(present, times, -np.inf), axis=0)
    # A hair less than the margin: knots that were put exactly at it are not touched again.
    crossing = present[1:] & (times[1:] - held[:-1] < margin * (1.0 - 1e-9))
    for variable in np.flatnonzero(crossing.any(axis=0)):
        rows = np.flatnonzero(present[:, variable])
        steps = margin * np.arange(len(rows))
        result[rows, variable] = _pooled(times[rows, variable] - steps) + steps
        still = result[rows, variable] - times[rows, variable]
        result[rows, variable] = np.where(np.abs(still) < 1e-12, times[rows, variable], result[rows, variable])
    return result


def kept_apart(times: Array, moved: NDArray[np.bool_], gaps: Array) -> Array:
    """Knots (N, M) of M variables, those that were moved put back as far as keeps all at least `gaps` (N - 1, M) apart.

    Knots that were not moved stay bit for bit, and so do all that are far enough from each other.
    """
    result = np.array(times)
    for column in np.flatnonzero((np.diff(times, axis=0) < gaps * (1.0 - 1e-9)).any(axis=0)):
        steps = np.concatenate([[0.0], np.cumsum(_with_room(times[:, column], moved[:, column], gaps[:, column]))])
        wanted = times[:, column] - steps
        spread = np.array(wanted)
        for run in _runs(moved[:, column]):
            low = wanted[run.start - 1] if run.start > 0 else -np.inf
            high = wanted[run.stop] if run.stop < len(wanted) else np.inf
            # Between bounds the nearest increasing sequence is the nearest one of all, cut off at them.
            spread[run] = np.clip(_pooled(wanted[run]), low, high)
        result[:, column] = np.where(np.abs(spread - wanted) < 1e-12, times[:, column], spread + steps)
    return result


def _with_room(times: Array, moved: NDArray[np.bool_], gaps: Array) -> Array:
    """Gaps (N - 1,), smaller between two knots that stay and have no room for them."""
    result = np.array(gaps)
    for first, last in pairwise(np.flatnonzero(~moved)):
        needed, room = result[first:last].sum(), times[last] - times[first]
        if needed > room:
            result[first:last] *= max(room, 0.0) / needed
    return result


def _runs(flags: NDArray[np.bool_]) -> list[slice]:
    """Where flags that follow each other are set."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]])))
    return [slice(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def _pooled(values: Any) -> Array:
    """The nearest sequence that never falls: neighbours that violate the order are pooled."""
    blocks: list[tuple[float, int]] = []
    for value in values:
        mean, count = float(value), 1
        while blocks and blocks[-1][0] > mean:
            other, size = blocks.pop()
            mean, count = (mean * count + other * size) / (count + size), count + size
        blocks.append((mean, count))
    return np.repeat([mean for mean, _ in blocks], [count for _, count in blocks])
