"""Displacement maps: what a spline leaves over, on the normalised time of its interval."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..motion import Indices
from ..numerics import Array
from .algebra import Algebra
from .layout import expanded, rows


@dataclass(frozen=True, eq=False)
class Detail:
    """Offsets from the splines of N intervals at the samples they were measured from.

    Every interval's samples begin at time 0 and end at time 1, both with offset 0.

    Attributes:
        starts: (N + 1,) first sample of every interval, and the number of all.
        times: (M,) normalised, 0 to 1.
        offsets: (M, d) rotation vectors in radians, or numbers.
    """

    starts: Indices
    times: Array
    offsets: Array

    @classmethod
    def none(cls, intervals: int, width: int) -> "Detail":
        """No detail at all."""
        return cls(
            starts=2 * np.arange(intervals + 1),
            times=np.tile([0.0, 1.0], intervals),
            offsets=np.zeros((width, 2 * intervals)).T,
        )

    @cached_property
    def _order(self) -> Array:
        """(M,) interval number plus time: increasing over all samples."""
        order: Array = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts)) + self.times
        return order

    def at(self, algebra: Algebra, interval: Indices, time: Array) -> Array:
        """(P, d) offsets at normalised times of given intervals."""
        found = np.searchsorted(self._order, interval + time, side="right") - 1
        found = np.clip(found, self.starts[interval], self.starts[interval + 1] - 2)
        step = self.times[found + 1] - self.times[found]
        way = time - self.times[found]
        weight = np.clip(way / np.where(step > 0.0, step, 1.0), 0.0, 1.0)
        first = rows(self.offsets, found)
        if not weight.any():
            return first
        return algebra.mix_offsets(first, rows(self.offsets, found + 1), weight)

    def chosen(self, intervals: Indices) -> "Detail":
        """The detail of some intervals, in the order given."""
        counts = np.diff(self.starts)[intervals]
        _, sample = expanded(self.starts[intervals], counts)
        starts = np.concatenate([[0], np.cumsum(counts)])
        return Detail(starts, self.times[sample], rows(self.offsets, sample))

    def followed_by(self, other: "Detail") -> "Detail":
        """The intervals of both."""
        return Detail(
            starts=np.concatenate([self.starts, self.starts[-1] + other.starts[1:]]),
            times=np.concatenate([self.times, other.times]),
            offsets=np.concatenate([self.offsets.T, other.offsets.T], axis=1).T,
        )
