"""The knots of many curves in one row, curve after curve, and the intervals between them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Indices
from ..numerics import Array


@dataclass(frozen=True, eq=False)
class KnotLayout:
    """Which slots of C curves hold a knot; knots and intervals are numbered by curve, then by time.

    Attributes:
        used: (S, C) the slot holds a knot.
    """

    used: NDArray[np.bool_]

    @cached_property
    def curve(self) -> Indices:
        """(n,) curve of every knot."""
        return np.nonzero(self.used.T)[0]

    @cached_property
    def slot(self) -> Indices:
        """(n,) slot of every knot."""
        return np.nonzero(self.used.T)[1]

    @cached_property
    def number(self) -> Indices:
        """(S, C) number of the knot in every slot, -1 where there is none."""
        numbers = np.full(self.used.T.shape, -1, dtype=np.intp)
        numbers[self.used.T] = np.arange(len(self.curve))
        return numbers.T

    @cached_property
    def left(self) -> Indices:
        """(N,) knot at which every interval starts; it ends at the one after."""
        return np.flatnonzero(self.curve[1:] == self.curve[:-1])

    @cached_property
    def interval_curve(self) -> Indices:
        """(N,) curve of every interval."""
        return self.curve[self.left]

    @cached_property
    def is_first(self) -> NDArray[np.bool_]:
        """(N,) the interval is the first of its curve."""
        flags: NDArray[np.bool_] = np.diff(self.interval_curve, prepend=-1) != 0
        return flags

    @cached_property
    def interval_pose(self) -> Indices:
        """(N,) pose after which every interval follows; before the first pose it is 0."""
        return np.maximum((self.slot[self.left] - 1) // 2, 0)

    def times(self, slot_times: Array) -> Array:
        """(n,) time of every knot, from those of the (S, C) slots."""
        times: Array = slot_times.T[self.used.T]
        return times


def expanded(starts: Indices, counts: Indices) -> tuple[Indices, Indices]:
    """Runs of consecutive numbers, one after the other: the run that each belongs to, and the number."""
    owner = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owner, np.repeat(starts, counts) + within


def rows(array: Array, index: Any) -> Array:
    """array[index] for a component-first array, the result component-first as well."""
    chosen: Array = np.take(array.T, index, axis=-1).T
    return chosen
