"""How the time of every variable runs since its curves were fitted: one smooth map that always goes forward."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion import Indices
from ...numerics import Array
from ..timing import Timing
from .knot_rows import KnotRows, rows_of
from .monotone_pieces import MonotonePieces
from .speed_limits import SpeedLimits


@dataclass(frozen=True, eq=False)
class TimeWarps:
    """From new to old time through the extremes of every variable, and nothing else.

    Between extremes whose time is as it was, time is as it was, bit for bit; beside them it begins and ends with
    their speed. What is retimed has one speed on both sides of an extreme.

    Attributes:
        fitted: When the knots were as the curves were fitted.
        timing: When they are now.
        limits: How fast time may run; as fast as need be if not given.
    """

    fitted: Timing
    timing: Timing
    limits: SpeedLimits | None = None

    @cached_property
    def moved(self) -> NDArray[np.bool_]:
        """(V,) variables whose time is another."""
        moved = (self.fitted.extreme_times != self.timing.extreme_times) & self.fitted.present
        ends = self.fitted.anchors & (self.fitted.span != self.timing.span)[:, None]
        flags: NDArray[np.bool_] = moved.any(axis=0) | ends.any(axis=0)
        return flags

    def old_times(self, variable: int, times: Array) -> Array:
        """Times of the fitted curves that a variable shows at new times; those of a loop may lie in other rounds."""
        pieces = self._pieces.get(variable)
        if pieces is None:
            return times
        laps, inside = self._laps(times, pieces.new[0], self._rounds[1])
        return pieces.old_times(inside) + laps * self._rounds[0]

    def new_times(self, variable: int, times: Array) -> Array:
        """When a variable shows old times."""
        pieces = self._pieces.get(variable)
        if pieces is None:
            return times
        laps, inside = self._laps(times, pieces.old[0], self._rounds[0])
        return pieces.new_times(inside) + laps * self._rounds[1]

    def ends(self, variable: int) -> tuple[float, float]:
        """New times of the first and last knot that rule a variable whose time is another."""
        pieces = self._pieces[variable]
        return float(pieces.new[0]), float(pieces.new[-1])

    @cached_property
    def _rounds(self) -> tuple[float, float]:
        """Seconds of a round before and now."""
        return self.fitted.round_length, self.timing.round_length

    def _laps(self, times: Array, start: float, length: float) -> tuple[Array, Array]:
        """Rounds of a loop that lie between its first knot and given times, and the times without them."""
        if not self.fitted.is_cyclic:
            return np.zeros_like(times), times
        laps = np.floor((times - start) / length)
        return laps, np.where(laps == 0.0, times, times - laps * length)

    def stays(self, variable: int, start: Array, end: Array) -> NDArray[np.bool_]:
        """(P,) whether a variable shows parts of its fitted curve, from start to end, when it did."""
        pieces = self._pieces.get(variable)
        if pieces is None:
            return np.ones(len(start), dtype=np.bool_)
        moved, last = np.concatenate([[0], np.cumsum(~pieces.still)]), len(pieces.still) - 1
        first = np.clip(np.searchsorted(pieces.old, start, side="right") - 1, 0, last)
        final = np.clip(np.searchsorted(pieces.old, end, side="left") - 1, first, last)
        inside = (start >= pieces.old[0]) & (end <= pieces.old[-1])
        flags: NDArray[np.bool_] = inside & (moved[final + 1] == moved[first])
        return flags

    @cached_property
    def _pieces(self) -> dict[int, MonotonePieces]:
        """Of the variables whose time is another."""
        found: dict[int, MonotonePieces] = {}
        for rows in rows_of(self.fitted):
            if self.moved[rows.variables].any():
                found.update(self._pieces_of(rows))
        return found

    def _pieces_of(self, rows: KnotRows) -> dict[int, MonotonePieces]:
        old = rows.laid_out(self.fitted.extreme_times, self.fitted.span)
        new = rows.laid_out(self.timing.extreme_times, self.timing.span)
        if rows.is_cyclic:
            old, new = _with_next_round(old, self._rounds[0]), _with_next_round(new, self._rounds[1])
        elif len(rows) == 1:
            # A single knot shifts everything.
            old, new = np.concatenate([old, old + 1.0]), np.concatenate([new, new + 1.0])
        still = (old[1:] == new[1:]) & (old[:-1] == new[:-1])
        fastest = np.full(still.shape, np.inf) if self.limits is None else self.limits.fastest(rows)
        speeds = _knot_speeds(old, new, still, fastest, rows.is_cyclic)
        return {
            int(variable): MonotonePieces(new[:, column], old[:, column], speeds[:, column], still[:, column])
            for column, variable in enumerate(rows.variables)
            if self.moved[variable]
        }


def _with_next_round(times: Array, length: float) -> Array:
    return np.concatenate([times, times[:1] + length])


def _knot_speeds(old: Array, new: Array, still: Indices, fastest: Array, is_cyclic: bool) -> Array:
    """(N, M) speeds at knots: the weighted geometric mean of those beside, 1 beside time that is as it was."""
    spans = np.diff(new, axis=0)
    pace = np.log(np.diff(old, axis=0) / spans)
    if is_cyclic:
        spans, pace, still, fastest = (
            np.concatenate([each[-1:], each, each[:1]]) for each in (spans, pace, still, fastest)
        )
    else:
        spans, pace, still, fastest = (
            np.concatenate([each[:1], each, each[-1:]]) for each in (spans, pace, still, fastest)
        )
    before, after = spans[:-1], spans[1:]
    speeds = np.exp((after * pace[:-1] + before * pace[1:]) / (before + after))
    speeds = np.minimum(speeds, np.minimum(fastest[:-1], fastest[1:]))
    return np.where(still[:-1] | still[1:], 1.0, speeds)
