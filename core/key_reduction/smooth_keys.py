"""Keys with aligned handles: the curve has one slope at every key."""

import numpy as np
from numpy.typing import NDArray

from .corridor import Corridor
from .keyed_curves import Indices, KeyedCurves, from_slopes
from .longest_segments import Accept
from .segments import inside, lay_out


def smooth_pieces(corridor: Corridor) -> Accept:
    """Test of pieces between keys that have the slope of the parabola through their neighbours.

    Value and slope at a key do not depend on where the other keys are. Two neighbouring
    samples as keys therefore give the smooth curve that the corridor is built around,
    and a division that keeps the bound always exists.
    """

    def accept(curves: Indices, starts: Indices, ends: Indices) -> NDArray[np.bool_]:
        return corridor.holds(curves, starts) | _stays_inside(corridor, curves, starts, ends)

    return accept


def smooth_keys(corridor: Corridor, chosen: NDArray[np.bool_]) -> KeyedCurves:
    """Keys at the chosen samples (N, F), with the slopes of the parabolas there."""
    curves, samples = np.nonzero(chosen)
    counts = np.bincount(curves, minlength=len(chosen))
    slopes = corridor.slopes[curves, samples]
    times, values = corridor.times[2 * samples], corridor.samples[curves, samples]
    return from_slopes(counts, times, values, slopes, slopes, corridor.holds(curves, samples))


def _stays_inside(corridor: Corridor, curves: Indices, starts: Indices, ends: Indices) -> NDArray[np.bool_]:
    """Tell for each piece whether the cubic that meets value and slope at both ends is inside."""
    segments = lay_out(corridor, curves, starts, ends)
    span = corridor.times[2 * ends] - corridor.times[2 * starts]
    begin, end = corridor.samples[curves, starts], corridor.samples[curves, ends]
    leaving, arriving = corridor.slopes[curves, starts], corridor.slopes[curves, ends]
    mean = (end - begin) / span
    bend = (3.0 * mean - 2.0 * leaving - arriving) / span
    twist = (leaving + arriving - 2.0 * mean) / (span * span)
    fitted = segments.spread(twist)
    for coefficient in (bend, leaving, begin):
        fitted *= segments.elapsed
        fitted += segments.spread(coefficient)
    return inside(corridor, segments, fitted)
