"""Curves of one kind: their knots, and the splines and displacement maps between them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Indices
from ..numerics import Array
from .algebra import Algebra
from .detail import Detail
from .layout import KnotLayout, rows

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Track:
    """C curves of one algebra: one spline and one displacement map for every interval.

    Attributes:
        algebra: What the values are.
        variable: (C,) control variable, whose timing each curve has.
        layout: Knots and intervals.
        values: (n, w) value of every knot.
        leaving: (N, d) spline tangent at the start of every interval, relative to its knot.
        arriving: (N, d) the one at its end.
        detail: Displacement maps.
        strength: (N,) how much of the displacement is applied: 0 none, 1 as measured, 2 double.
    """

    algebra: Algebra
    variable: Indices
    layout: KnotLayout
    values: Array
    leaving: Array
    arriving: Array
    detail: Detail
    strength: Array

    def changed(self, **fields: Any) -> "Track":
        """The same curves with some parts replaced."""
        return replace(self, **fields)

    def at(self, intervals: Indices, owner: Indices, time: Array) -> Array:
        """Evaluate some intervals: P normalised times, each owned by one of `intervals`."""
        algebra, left = self.algebra, self.layout.left
        first, last = rows(self.values, left[intervals]), rows(self.values, left[intervals] + 1)
        second = algebra.moved(first, rows(self.leaving, intervals))
        third = algebra.moved(last, rows(self.arriving, intervals))
        spline = algebra.spline(first, second, third, last, owner, time)
        offset = self.detail.at(algebra, intervals[owner], time)
        strength = np.take(self.strength, intervals[owner])
        return algebra.concatenate(spline, algebra.exp(offset * strength[:, None]))

    def restored(self, other: "Track", variables: Flags) -> "Track":
        """With the curves of some variables (V,) as they are in another track, which has the same knots."""
        curves = variables[self.variable]
        knots, intervals = curves[self.layout.curve], curves[self.layout.interval_curve]
        return replace(
            self,
            values=np.where(knots, other.values.T, self.values.T).T,
            leaving=np.where(intervals, other.leaving.T, self.leaving.T).T,
            arriving=np.where(intervals, other.arriving.T, self.arriving.T).T,
            strength=np.where(intervals, other.strength, self.strength),
        )

    def differs(self, other: "Track") -> Flags:
        """(N,) the interval is not the same in the other track, which has the same knots and displacement maps."""
        left = self.layout.left
        if self is other:
            return np.zeros(len(left), dtype=np.bool_)
        knot = _rows_differ(self.values, other.values)
        tangents = _rows_differ(self.leaving, other.leaving) | _rows_differ(self.arriving, other.arriving)
        strength: Flags = self.strength != other.strength
        return knot[left] | knot[left + 1] | tangents | strength


def joined(layout: KnotLayout, one: Track, other: Track, origin: Indices, chosen: Flags) -> Track:
    """Curves of two tracks in one.

    Args:
        layout: Knots of the result.
        one: Gives all curves that are not chosen.
        other: Gives the chosen ones; its curves are numbered as those of the result.
        origin: (C,) number that each curve has in `one`.
        chosen: (C,) curves that are taken from the other track.
    """
    if chosen.all():
        return other
    curve, slot = layout.curve, layout.slot
    own = one.layout.number[slot, np.where(chosen[curve], 0, origin[curve])]
    knots = np.where(chosen[curve], other.layout.number[slot, curve] + len(one.values), own)
    start = knots[layout.left]
    of_other = start >= len(one.values)
    mine = np.searchsorted(one.layout.left, np.where(of_other, 0, start))
    theirs = np.searchsorted(other.layout.left, np.where(of_other, start - len(one.values), 0))
    intervals = np.where(of_other, theirs + len(one.strength), mine)
    return Track(
        other.algebra,
        other.variable,
        layout,
        values=_chosen(one.values, other.values, knots),
        leaving=_chosen(one.leaving, other.leaving, intervals),
        arriving=_chosen(one.arriving, other.arriving, intervals),
        detail=one.detail.followed_by(other.detail).chosen(intervals),
        strength=np.concatenate([one.strength, other.strength])[intervals],
    )


def _chosen(one: Array, other: Array, numbers: Indices) -> Array:
    """Rows of two arrays, one after the other; components lie one after the other in memory."""
    return rows(np.concatenate([one.T, other.T], axis=1).T, numbers)


def _rows_differ(a: Array, b: Array) -> Flags:
    if a is b:
        return np.zeros(len(a), dtype=np.bool_)
    flags: Flags = (a != b).any(axis=1)
    return flags
