"""Who gives way first: elastic time, then what is protected softly, then what is protected firmly.

This is no matter of weights. A protected span keeps its time as long as elastic time is left, and only a part whose
elastic time is used up takes from it, evenly.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array
from .guides.guide import Guide
from .intervals import Flags, Intervals
from .timing_limits import ImpossibleTimingError

Numbers = NDArray[np.intp]
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Bounds:
    """Between which paces every interval may choose.

    Attributes:
        low: (N,) least pace.
        high: (N,) greatest pace.
        locked: (N,) protected, and kept.
    """

    low: Array
    high: Array
    locked: Flags


def plan_bounds(guide: Guide, intervals: Intervals, lengths: Array, given: Array, speed_limit: float) -> Bounds:
    """Lock as much as can be locked in every part.

    Args:
        guide: Knows what would race.
        intervals: Knows what is protected.
        lengths: (K,) new seconds of the parts; NaN for any.
        given: (N,) paces that were asked for, NaN elsewhere.
        speed_limit: As in `GuidedWarpOptions`.

    Raises:
        ImpossibleTimingError: Paces that were asked for leave no room.
    """
    quickest, slowest = np.full(len(given), 1.0 / speed_limit), np.full(len(given), speed_limit)
    calm = np.maximum(_calm(guide, intervals), quickest)
    attempts = (
        _bounds(calm, np.minimum(1.0 / calm, slowest), intervals.firm | intervals.soft, given),
        _bounds(quickest, slowest, intervals.firm, given),
        _bounds(quickest, slowest, np.zeros_like(intervals.firm), given),
    )
    return _chosen(attempts, intervals, lengths)


def _calm(guide: Guide, intervals: Intervals) -> Array:
    """(N,) pace below which something would race; 0 in parts in which nothing would give way because of that."""
    has_soft = np.bincount(intervals.parts, intervals.soft) > 0
    calm: Array = np.minimum(guide.mean(guide.shortest, intervals.knots), 1.0) * has_soft[intervals.parts]
    return calm


def _bounds(low: Array, high: Array, locked: Flags, given: Array) -> Bounds:
    fixed = np.where(np.isnan(given), 1.0, given)
    held = locked | ~np.isnan(given)
    return Bounds(np.where(held, fixed, low), np.where(held, fixed, high), locked)


def _chosen(attempts: tuple[Bounds, ...], intervals: Intervals, lengths: Array) -> Bounds:
    """For every part the first attempt that leaves room for its length; the last one shares what is protected."""
    low, high = np.array(attempts[-1].low), np.array(attempts[-1].high)
    locked, open_parts = np.zeros(len(low), dtype=np.bool_), np.ones(len(lengths), dtype=np.bool_)
    for attempt in attempts[:-1]:
        fits = open_parts & _has_room(attempt, intervals, lengths)
        taken = fits[intervals.parts]
        low[taken], high[taken], locked[taken] = attempt.low[taken], attempt.high[taken], attempt.locked[taken]
        open_parts &= ~fits
    if not _has_room(attempts[-1], intervals, lengths)[open_parts].all():
        raise ImpossibleTimingError("The speeds set at keytimes leave no room for the new length; change one of them")
    for part in np.flatnonzero(open_parts):
        _share(low, high, intervals, float(lengths[part]), intervals.parts == part)
    return Bounds(low, high, locked)


def _has_room(bounds: Bounds, intervals: Intervals, lengths: Array) -> Flags:
    """(K,) whether a part can get its length."""
    count, widths = len(lengths), intervals.widths
    least = np.bincount(intervals.parts, widths * bounds.low, minlength=count)
    most = np.bincount(intervals.parts, widths * bounds.high, minlength=count)
    room: Flags = np.isnan(lengths) | ((least <= lengths + _ROUNDING) & (lengths <= most + _ROUNDING))
    return room


def _share(low: Array, high: Array, intervals: Intervals, length: float, part: Flags) -> None:
    """Elastic time is used up; what was protected takes the rest evenly."""
    widths, firm = intervals.widths, part & intervals.firm & (low < high)
    if not firm.any():
        return
    # What is elastic goes as far as it can, in the direction that is asked for.
    elastic = part & ~firm
    bound = low if length < widths[part].sum() else high
    rest = length - float((widths * bound)[elastic].sum())
    if rest <= 0.0:
        return
    low[elastic] = high[elastic] = bound[elastic]
    low[firm] = high[firm] = rest / float(widths[firm].sum())
