"""Samples of a motion grouped by the interval of the knots that they lie between."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...motion import Indices
from ...numerics import Array
from ..layout import expanded


@dataclass(frozen=True, eq=False)
class IntervalSamples:
    """Samples strictly inside N intervals, interval after interval.

    Attributes:
        frames: (M,) frame of every sample.
        counts: (N,) samples of every interval.
        times: (M,) normalised, between 0 and 1.
    """

    frames: Indices
    counts: Indices
    times: Array

    @classmethod
    def between(cls, frame_times: Array, start: Array, end: Array) -> "IntervalSamples":
        """All frames that lie after the start and before the end of every interval."""
        low = np.searchsorted(frame_times, start, side="right")
        high = np.maximum(np.searchsorted(frame_times, end, side="left"), low)
        owner, frames = expanded(low, high - low)
        times = (frame_times[frames] - start[owner]) / (end - start)[owner]
        return cls(frames, high - low, times)

    @cached_property
    def owner(self) -> Indices:
        """(M,) interval of every sample."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def starts(self) -> Indices:
        """(N,) first sample of every interval."""
        return np.cumsum(self.counts) - self.counts

    def sums(self, values: Any) -> Array:
        """(..., N) sums of (..., M) values over each interval."""
        values = np.asarray(values, dtype=np.float64)
        result = np.zeros((*values.shape[:-1], len(self.counts)))
        filled = self.counts > 0
        if filled.any():
            result[..., filled] = np.add.reduceat(values, self.starts[filled], axis=-1)
        return result

    def chosen(self, intervals: Indices) -> tuple["IntervalSamples", Indices]:
        """The samples of some intervals, and their numbers among all samples."""
        _, sample = expanded(self.starts[intervals], self.counts[intervals])
        return IntervalSamples(self.frames[sample], self.counts[intervals], self.times[sample]), sample

    def thinned(self, most: int) -> tuple["IntervalSamples", Indices]:
        """At most so many samples of each interval, evenly spread, and their numbers among all."""
        counts = np.minimum(self.counts, most)
        owner, place = expanded(np.zeros_like(counts), counts)
        sample = self.starts[owner] + ((2 * place + 1) * self.counts[owner]) // (2 * counts[owner])
        return IntervalSamples(self.frames[sample], counts, self.times[sample]), sample
