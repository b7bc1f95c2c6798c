"""Where knots are put that were asked to be elsewhere: as near as their neighbours and the speed of time allow."""

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from ..timing import Timing
from .knot_order import kept_apart
from .knot_rows import KnotRows, rows_of
from .speed_limits import SpeedLimits

# Seconds that are no other time.
_ROUNDING = 1e-12


def placed(fitted: Timing, asked: Timing, limits: SpeedLimits) -> Timing:
    """The timing with its extremes where they can be.

    Knots of which nothing else is asked than when the curves were fitted are where they were then, bit for bit, and
    never give way to others.
    """
    asked = _closed(asked)
    wanted = _wanted(fitted, asked)
    moved = np.abs(wanted - fitted.wanted_times) > _ROUNDING
    extremes = np.where(moved, wanted, fitted.extreme_times)
    for rows in rows_of(fitted):
        if moved[np.ix_(rows.poses, rows.variables)].any():
            extremes[np.ix_(rows.poses, rows.variables)] = _apart(rows, extremes, moved, asked.span, limits)
    if fitted.is_cyclic and len(fitted) > 1:
        # Both ends of a loop are one pose.
        extremes[-1] = np.where(fitted.present[0], extremes[0] + np.ptp(asked.span), extremes[-1])
        unmoved = ~moved[0] & ~moved[-1] & (np.ptp(asked.span) == np.ptp(fitted.span))
        extremes[-1] = np.where(unmoved, fitted.extreme_times[-1], extremes[-1])
    return asked.changed(extreme_times=extremes)


def _closed(asked: Timing) -> Timing:
    """The timing of a loop with one refinement for its first and its last pose, which are one."""
    if not asked.is_cyclic:
        return asked
    first, rest = slice(0, 1), slice(0, -1)
    return asked.changed(
        refinements=np.concatenate([asked.refinements[rest], asked.refinements[first]]),
        collapsed=np.concatenate([asked.collapsed[rest], asked.collapsed[first]]),
        amounts=np.concatenate([asked.amounts[rest], asked.amounts[first]]),
    )


def _wanted(fitted: Timing, asked: Timing) -> Array:
    """(K, V) extremes as asked for, with the part of each pose's refinements that may be done."""
    if (asked.amounts == 1.0).all():
        return asked.wanted_times
    before, share = fitted.applied_refinements, asked.amounts[:, None]
    applied = np.where(share == 1.0, asked.applied_refinements, before + share * (asked.applied_refinements - before))
    wanted: Array = asked.pose_times[:, None] + applied
    return wanted


def _apart(rows: KnotRows, extremes: Array, moved: NDArray[np.bool_], span: Array, limits: SpeedLimits) -> Array:
    """(N, M) extremes of some variables that keep the distances that the limits ask for."""
    times, gaps = rows.laid_out(extremes, span), limits.gaps(rows)
    flags = np.zeros(times.shape, dtype=np.bool_)
    flags[rows.extreme_rows] = moved[np.ix_(rows.poses, rows.variables)]
    if rows.is_cyclic:
        length, count = float(np.ptp(span)) + limits.timing.seam, len(times)
        around = np.concatenate([times - length, times, times + length])
        gaps = np.concatenate([gaps, gaps, gaps])[:-1]
        return kept_apart(around, np.tile(flags, (3, 1)), gaps)[count : 2 * count]
    return kept_apart(times, flags, gaps)[rows.extreme_rows]
