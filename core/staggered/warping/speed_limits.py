"""How fast the time of a variable may run, so that nothing jumps.

A motion that is quicker may be so by as much as its own fastest moments allow: where a joint hardly
moves, time may run much faster than where it is at its fastest already.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...motion import Motion
from ...numerics import Array, quaternion
from ..timing import Timing
from ..variables import Variables
from .knot_rows import KnotRows, rows_of

# How many times as fast as it ever was a variable may become, and how fast it may be in any case: radians a
# second, and sizes of the figure a second.
_TIMES_OWN, _FREE_TURN, _FREE_WAY = 4.0, np.radians(150.0), 0.3
# The speed of time between two knots, in the mean, is limited to this range, whatever the motion does there.
_LEAST, _MOST = 2.0, 8.0
# A smooth map is up to this many times as fast as it is in the mean.
_PEAK = 2.0


@dataclass(frozen=True, eq=False)
class SpeedLimits:
    """Limits of the time of every variable, of a motion with given knots.

    Attributes:
        source: The motion.
        variables: Its control variables.
        timing: Their knots.
    """

    source: Motion
    variables: Variables
    timing: Timing

    def fastest(self, rows: KnotRows) -> Array:
        """(N - 1, M) how fast time may be at most between knots; (N, M) for the rounds of a loop."""
        return _PEAK * self._means[tuple(rows.variables.tolist())]

    def gaps(self, rows: KnotRows) -> Array:
        """(N - 1, M) seconds that must lie between knots; (N, M) for the rounds of a loop."""
        spans = np.diff(_knots(rows, self.timing), axis=0)
        least = np.minimum(self.timing.margin, spans)
        return np.maximum(spans / self._means[tuple(rows.variables.tolist())], least)

    @cached_property
    def _means(self) -> dict[tuple[int, ...], Array]:
        """How fast time may run in the mean, for all rows of knots by their variables."""
        return {tuple(rows.variables.tolist()): self._mean_speeds(rows) for rows in rows_of(self.timing)}

    def _mean_speeds(self, rows: KnotRows) -> Array:
        times, knots = self.source.times, _knots(rows, self.timing)
        limits = np.full((max(len(knots) - 1, 1), len(rows.variables)), _MOST)
        for column, variable in enumerate(rows.variables if len(knots) > 1 else ()):
            paces, free = self._paces(int(variable))
            allowed = _TIMES_OWN * paces.max(initial=0.0) + free
            edges = np.searchsorted(times, knots[:, column], side="right") - 1
            if rows.is_cyclic:
                paces, edges = np.tile(paces, 3), edges + len(paces)
            edges = np.clip(edges, 0, len(paces) - 1)
            own = np.maximum(np.maximum.reduceat(paces, edges)[:-1], paces[edges[1:]])
            limits[:, column] = allowed / np.maximum(_PEAK * own, 1e-12)
        clipped: Array = np.clip(limits, _LEAST, _MOST)
        return clipped

    def _paces(self, variable: int) -> tuple[Array, float]:
        """(F - 1,) how fast a variable is from frame to frame, and how fast it may be in any case."""
        steps = np.diff(self.source.times)
        if variable < self.variables.joints:
            rotations = self.source.rotations[:, variable]
            return quaternion.angle_between(rotations[1:], rotations[:-1]) / steps, _FREE_TURN
        columns = np.flatnonzero(self.variables.variable_of_number == variable)
        way = np.linalg.norm(np.diff(self._numbers[:, columns], axis=0), axis=1)
        return way / steps, _FREE_WAY * self._size

    @cached_property
    def _numbers(self) -> Array:
        return self.variables.numbers(self.source)

    @cached_property
    def _size(self) -> float:
        """Of the figure: its largest extent at rest."""
        return float(np.ptp(self.source.skeleton.rest_positions, axis=0).max(initial=0.0))


def _knots(rows: KnotRows, timing: Timing) -> Array:
    """(N, M) knots, with the first of the next round after those of a loop."""
    knots = rows.laid_out(timing.extreme_times, timing.span)
    return np.concatenate([knots, knots[:1] + timing.round_length]) if rows.is_cyclic else knots
