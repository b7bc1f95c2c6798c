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


@dataclass(frozen=True, eq=False)
class Layer:
    """One spline and one displacement map for every interval.

    Attributes:
        values: (n, w) value of every knot.
        leaving: (N, d) spline tangent at the start of every interval, relative to its knot.
        arriving: (N, d) the one at its end.
        detail: Displacement maps.
        strength: (N,) how much of the displacement is applied: 0 none, 1 as measured, 2 double.
    """

    values: Array
    leaving: Array
    arriving: Array
    detail: Detail
    strength: Array

    def at(self, algebra: Algebra, left: Indices, intervals: Indices, owner: Indices, time: Array) -> Array:
        """Evaluate some intervals: P normalised times, each owned by one of `intervals`."""
        first, last = rows(self.values, left[intervals]), rows(self.values, left[intervals] + 1)
        second = algebra.moved(first, rows(self.leaving, intervals))
        third = algebra.moved(last, rows(self.arriving, intervals))
        spline = algebra.spline(first, second, third, last, owner, time)
        offset = self.detail.at(algebra, intervals[owner], time)
        strength = np.take(self.strength, intervals[owner])
        return algebra.concatenate(spline, algebra.exp(offset * strength[:, None]))

    def differs(self, other: "Layer", left: Indices) -> NDArray[np.bool_]:
        """(N,) the interval is not the same in the other layer, which has the same displacement maps."""
        knot = _rows_differ(self.values, other.values)
        tangents = _rows_differ(self.leaving, other.leaving) | _rows_differ(self.arriving, other.arriving)
        strength: NDArray[np.bool_] = self.strength != other.strength
        return knot[left] | knot[left + 1] | tangents | strength

    def acts(self, algebra: Algebra, left: Indices) -> NDArray[np.bool_]:
        """(N,) the layer, laid on top of others, changes something in the interval."""
        knot = (self.values != algebra.identity).any(axis=1)
        tangents = (self.leaving != 0.0).any(axis=1) | (self.arriving != 0.0).any(axis=1)
        offsets = np.add.reduceat(np.abs(self.detail.offsets).sum(axis=1), self.detail.starts[:-1])
        flags: NDArray[np.bool_] = knot[left] | knot[left + 1] | tangents | (offsets * self.strength != 0.0)
        return flags


def _rows_differ(a: Array, b: Array) -> NDArray[np.bool_]:
    if a is b:
        return np.zeros(len(a), dtype=np.bool_)
    flags: NDArray[np.bool_] = (a != b).any(axis=1)
    return flags


@dataclass(frozen=True, eq=False)
class Track:
    """C curves of one algebra.

    Attributes:
        algebra: What the values are.
        variable: (C,) control variable, whose timing each curve has.
        layout: Knots and intervals.
        layers: Splines and displacement maps in the order in which they are composed.
    """

    algebra: Algebra
    variable: Indices
    layout: KnotLayout
    layers: tuple[Layer, ...]

    @property
    def values(self) -> Array:
        """(n, w) knots of the lowest layer: what a pose edit changes."""
        return self.layers[0].values

    def with_base(self, **fields: Any) -> "Track":
        """The same curves with parts of the lowest layer replaced."""
        return replace(self, layers=(replace(self.layers[0], **fields), *self.layers[1:]))

    def at(self, intervals: Indices, owner: Indices, time: Array) -> Array:
        """Evaluate some intervals, all layers composed in order."""
        left = self.layout.left
        result = self.layers[0].at(self.algebra, left, intervals, owner, time)
        for layer in self.layers[1:]:
            result = self.algebra.concatenate(result, layer.at(self.algebra, left, intervals, owner, time))
        return result

    def differs(self, other: "Track") -> NDArray[np.bool_]:
        """(N,) the interval is not the same in the other track, which has the same layout."""
        left = self.layout.left
        different = np.zeros(len(left), dtype=np.bool_)
        for mine, theirs in zip(self.layers, other.layers, strict=False):
            if mine is not theirs:
                different |= mine.differs(theirs, left)
        for extra in (*self.layers[len(other.layers) :], *other.layers[len(self.layers) :]):
            different |= extra.acts(self.algebra, left)
        return different
