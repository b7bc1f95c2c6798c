"""Smooth maps that never fall and never stand still: rational quadratic pieces (Gregory and Delbourgo 1982).

Between two knots with mean speed s and speeds m0 and m1 at its ends, a piece is

    (s u^2 + m0 u (1 - u)) / (s + (m0 + m1 - 2 s) u (1 - u)),   u from 0 to 1.

It rises for any speeds above zero and can be turned round in closed form. Its speed stays below twice
the mean, or below the speeds at its ends where these are higher.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...motion import Indices
from ...numerics import Array


@dataclass(frozen=True, eq=False)
class MonotonePieces:
    """Old time over new time of one variable.

    Attributes:
        new: (N,) increasing, in seconds.
        old: (N,) increasing.
        speeds: (N,) seconds of old time in a second of new time at every knot.
        still: (N - 1,) pieces in which time is as it was: they give back what they get, bit for bit.
    """

    new: Array
    old: Array
    speeds: Array
    still: Any

    def old_times(self, times: Array) -> Array:
        """What is shown at new times; before the first and after the last knot what is shown at it."""
        piece = _piece(self.new, times)
        mean, start, end = self._speeds(piece)
        share = np.clip((times - self.new[piece]) / (self.new[piece + 1] - self.new[piece]), 0.0, 1.0)
        both = share * (1.0 - share)
        way = (mean * share**2 + start * both) / (mean + (start + end - 2.0 * mean) * both)
        found = self.old[piece] + (self.old[piece + 1] - self.old[piece]) * way
        found = np.where(times >= self.new[-1], self.old[-1], found)
        inside = (times >= self.new[0]) & (times <= self.new[-1])
        return np.where(self.still[piece] & inside, times, found)

    def new_times(self, times: Array) -> Array:
        """When old times are shown; those beyond the knots at the first and last one."""
        piece = _piece(self.old, times)
        mean, start, end = self._speeds(piece)
        way = np.clip((times - self.old[piece]) / (self.old[piece + 1] - self.old[piece]), 0.0, 1.0)
        curve = start + end - 2.0 * mean
        first, second = mean - start + way * curve, start - way * curve
        root = np.sqrt(np.maximum(second**2 + 4.0 * first * way * mean, 0.0))
        share = 2.0 * way * mean / (second + root)
        found = self.new[piece] + (self.new[piece + 1] - self.new[piece]) * share
        found = np.where(times >= self.old[-1], self.new[-1], found)
        inside = (times >= self.old[0]) & (times <= self.old[-1])
        return np.where(self.still[piece] & inside, times, found)

    def _speeds(self, piece: Indices) -> tuple[Array, Array, Array]:
        """Of pieces: in the mean, and at both ends."""
        mean = np.diff(self.old) / np.diff(self.new)
        return mean[piece], self.speeds[piece], self.speeds[piece + 1]


def _piece(knots: Array, times: Array) -> Indices:
    return np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
