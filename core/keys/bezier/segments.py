"""Pieces of curves of different lengths, laid end to end so that all are computed at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from .corridor import Corridor
from .keyed_curves import Indices


@dataclass(frozen=True, eq=False)
class Segments:
    """Grid points strictly inside the pieces.

    Attributes:
        first: (S,) place of each piece's first point in the arrays below.
        count: (S,) points of each piece.
        elapsed: (P,) time since the piece's start.
        place: (P,) place of the points in the corridor's flattened arrays.
    """

    first: Indices
    count: Indices
    elapsed: Array
    place: Indices

    def spread(self, per_segment: Array) -> Array:
        """Repeat a number of each piece for all its points."""
        return np.repeat(per_segment, self.count)

    def total(self, per_point: Array) -> Array:
        """Sum over the points of each piece."""
        return np.add.reduceat(per_point, self.first)


def lay_out(corridor: Corridor, curves: Indices, starts: Indices, ends: Indices) -> Segments:
    """Pieces from sample starts to sample ends of the given curves."""
    count = 2 * (ends - starts) - 1
    first = np.cumsum(count) - count
    grid = np.arange(count.sum()) + np.repeat(2 * starts + 1 - first, count)
    elapsed = corridor.times[grid] - np.repeat(corridor.times[2 * starts], count)
    place = grid + np.repeat(curves * len(corridor.times), count)
    return Segments(first, count, elapsed, place)


def inside(corridor: Corridor, segments: Segments, fitted: Array) -> NDArray[np.bool_]:
    """Tell for each piece whether all its fitted values (P,), which are overwritten, lie in the corridor."""
    below = corridor.low.reshape(-1)[segments.place] - fitted
    above = np.subtract(fitted, corridor.high.reshape(-1)[segments.place], out=fitted)
    stray = np.maximum(below, above, out=below)
    within: NDArray[np.bool_] = np.maximum.reduceat(stray, segments.first) <= 0.0
    return within
