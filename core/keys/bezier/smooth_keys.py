"""Keys with aligned handles: the curve has one slope at every key, unless it is known to have a corner there."""

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
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
    leaving = corridor.slopes[curves, samples]
    arriving = np.array(leaving)
    pass_through_middles(corridor, curves, samples, leaving, arriving)
    times, values = corridor.times[2 * samples], corridor.samples[curves, samples]
    return from_slopes(counts, times, values, arriving, leaving, corridor.holds(curves, samples))


def pass_through_middles(
    corridor: Corridor, curves: Indices, samples: Indices, leaving: Array, arriving: Array
) -> None:
    """Change slopes (K,) of pieces from sample to sample whose smooth cubic misses what is known in the middle.

    Samples on every frame may have corners: then no slope that a key has on both sides follows them.

    Args:
        corridor: What is known.
        curves: (K,) of the keys, in order.
        samples: (K,) of the keys.
        leaving: (K,) slopes after the keys; changed.
        arriving: (K,) slopes before the keys; changed.
    """
    keys = np.flatnonzero((curves[1:] == curves[:-1]) & (samples[1:] == samples[:-1] + 1))
    keys = keys[corridor.missed[curves[keys], samples[keys]]]
    own, first = curves[keys], 2 * samples[keys]
    step = corridor.times[first + 2] - corridor.times[first]
    begin, middle, end = (corridor.target[own, first + place] for place in range(3))
    chord, bulge = (end - begin) / step, 4.0 * (middle - 0.5 * (begin + end)) / step
    leaving[keys], arriving[keys + 1] = chord + bulge, chord - bulge


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
