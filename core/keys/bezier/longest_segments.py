"""Greedy division of many curves into pieces, each as long as a test allows."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .keyed_curves import Indices

# accept(curves, starts, ends) tells for each piece whether it may be one segment.
Accept = Callable[[Indices, Indices, Indices], NDArray[np.bool_]]


def longest_segments(stops: NDArray[np.bool_], accept: Accept) -> NDArray[np.bool_]:
    """Keys (N, F) of all curves: from each key the next one lies as far away as accepted.

    The far end is sought by doubling, beginning with the length of the piece before, and
    then by halving the gap. One step to the next sample is always taken as accepted.

    Args:
        stops: (N, F) samples that must be keys, the first and last of each curve among them.
        accept: Test of pieces of several curves at once.
    """
    keys = np.array(stops)
    limits = _next_stops(stops)
    search = _Search(np.arange(len(stops)), limits)
    while search.curves.size:
        search.probe(accept)
        keys[search.curves, search.good] |= search.finished
        search.advance(limits)
    return keys


def common_segments(stops: NDArray[np.bool_], accept: Accept, *, share: float) -> NDArray[np.bool_]:
    """Keys (F,) for all curves at once: each piece is as long as that share of the curves accepts.

    Args:
        stops: (N, F) as above; what must be a key of one curve is not one of all.
        accept: Test of pieces.
        share: Between 0 and 1.
    """
    curves = np.arange(len(stops))

    def accept_most(_: Indices, starts: Indices, ends: Indices) -> NDArray[np.bool_]:
        if not starts.size:
            return np.empty(0, dtype=np.bool_)
        accepted = accept(curves, np.repeat(starts, len(curves)), np.repeat(ends, len(curves)))
        return np.array([accepted.mean() >= share])

    common: NDArray[np.bool_] = np.array([stops.all(axis=0)])
    keys: NDArray[np.bool_] = longest_segments(common, accept_most)[0]
    return keys


def _next_stops(stops: NDArray[np.bool_]) -> Indices:
    """(N, F) for each sample the nearest stop after it."""
    frames = stops.shape[1]
    numbers = np.where(stops, np.arange(frames), frames - 1)
    ahead = np.minimum.accumulate(numbers[:, ::-1], axis=1)[:, ::-1]
    following: Indices = np.append(ahead[:, 1:], ahead[:, -1:], axis=1)
    return following


class _Search:
    """The state of the search on the curves that are not finished."""

    def __init__(self, curves: Any, limits: Indices) -> None:
        self.curves: Indices = curves
        self.start = np.zeros(len(curves), dtype=np.intp)
        self.limit = limits[:, 0] if limits.size else self.start
        self.good = np.minimum(self.start + 1, self.limit)
        self.bad = self.limit + 1
        self.reach = np.full(len(curves), 2, dtype=np.intp)
        self._keep(self.start < limits.shape[1] - 1)

    @property
    def finished(self) -> NDArray[np.bool_]:
        done: NDArray[np.bool_] = self.good + 1 == self.bad
        return done

    def probe(self, accept: Accept) -> None:
        """Test one further piece of every curve."""
        undecided = self.bad > self.limit
        ahead = np.minimum(self.start + self.reach, self.limit)
        end = np.where(undecided, np.maximum(ahead, self.good), (self.good + self.bad) // 2)
        accepted = np.ones(len(end), dtype=np.bool_)
        tested = np.flatnonzero(end > self.good)
        accepted[tested] = accept(self.curves[tested], self.start[tested], end[tested])
        self.good = np.where(accepted, end, self.good)
        self.bad = np.where(accepted, self.bad, end)
        self.reach = np.where(accepted & undecided, 2 * (self.good - self.start), self.reach)

    def advance(self, limits: Indices) -> None:
        """Begin the next piece of every curve whose piece is found; drop curves that are done."""
        done = self.finished
        if not done.any():
            return
        self.reach = np.where(done, np.maximum(self.good - self.start, 2), self.reach)
        self.start = np.where(done, self.good, self.start)
        self.limit = np.where(done, limits[self.curves, self.start], self.limit)
        self.good = np.where(done, np.minimum(self.start + 1, self.limit), self.good)
        self.bad = np.where(done, self.limit + 1, self.bad)
        self._keep(self.start < limits.shape[1] - 1)

    def _keep(self, chosen: Any) -> None:
        if chosen.all():
            return
        for name in ("curves", "start", "limit", "good", "bad", "reach"):
            setattr(self, name, getattr(self, name)[chosen])
