"""One velocity on both sides of editing knots (section 3)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion import Indices
from ...numerics import Array
from ..algebra import ROTATION, Algebra
from ..layout import rows
from .rotation_limits import folds

# Splines that would go round the other way get this part of the velocity, again and again.
_SLOWER = 0.8
_MOST_TRIES = 12


@dataclass(frozen=True, eq=False)
class Splines:
    """Splines of N intervals, whose tangents are to be joined in place.

    Attributes:
        algebra: What the values are.
        left: (N,) knot at which every interval starts.
        values: (n, w) values of the knots.
        knot_times: (n,) seconds.
        leaving: (N, d) tangents at the starts.
        arriving: (N, d) tangents at the ends.
    """

    algebra: Algebra
    left: Indices
    values: Array
    knot_times: Array
    leaving: Array
    arriving: Array

    def fold(self, intervals: Indices, leaving: Array, arriving: Array) -> NDArray[np.bool_]:
        """The intervals' splines go round the other way with these tangents than with their own."""
        if self.algebra is not ROTATION:
            return np.zeros(len(intervals), dtype=np.bool_)
        ends = rows(self.values, self.left[intervals]), rows(self.values, self.left[intervals] + 1)
        fitted = np.concatenate([self.leaving[intervals].T, self.arriving[intervals].T])
        return folds(*ends, fitted, np.concatenate([leaving[intervals].T, arriving[intervals].T]))


def join_tangents(splines: Splines, editing: Indices, free: NDArray[np.bool_]) -> None:
    """Give the splines on both sides of editing knots one velocity, weighted by their length.

    Where a spline of rotations would thereby fold over and go round the other way, both sides are
    slower. A side that is kept from before decides alone; of two kept sides none is touched.

    Args:
        splines: Their tangents are changed.
        editing: Numbers of the knots to join at, each between two intervals.
        free: (N,) intervals whose tangents may change.
    """
    before, after = np.searchsorted(splines.left, editing - 1), np.searchsorted(splines.left, editing)
    third, spans = _common_velocity(splines, editing, before, after, free)
    both, beside = free[before] & free[after], np.union1d(before, after)
    for _ in range(_MOST_TRIES):
        leaving, arriving = np.array(splines.leaving), np.array(splines.arriving)
        arriving[before] = np.where(free[before][:, None], -third * spans[0], arriving[before])
        leaving[after] = np.where(free[after][:, None], third * spans[1], leaving[after])
        folded = np.zeros(len(free), dtype=np.bool_)
        folded[beside] = splines.fold(beside, leaving, arriving)
        slower = both & (folded[before] | folded[after])
        if not slower.any():
            break
        third[slower] *= _SLOWER
    splines.leaving[:], splines.arriving[:] = leaving, arriving


def _common_velocity(
    splines: Splines, editing: Indices, before: Indices, after: Indices, free: NDArray[np.bool_]
) -> tuple[Array, tuple[Array, Array]]:
    """(E, d) a third of the velocity at editing knots, and the lengths (E, 1) of the intervals beside."""
    times = splines.knot_times
    spans = (times[editing] - times[editing - 1])[:, None], (times[editing + 1] - times[editing])[:, None]
    weight_before = spans[0] * np.where(free[before] & ~free[after], 0.0, 1.0)[:, None]
    weight_after = spans[1] * np.where(free[after] & ~free[before], 0.0, 1.0)[:, None]
    # A tangent is a third of the velocity times the length of its interval.
    total = splines.leaving[after] / spans[1] * weight_after - splines.arriving[before] / spans[0] * weight_before
    return total / (weight_before + weight_after), spans
