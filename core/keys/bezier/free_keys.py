"""Fewest keys: free handles, so that the slope may break at a key."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from .corridor import Corridor
from .keyed_curves import Indices, KeyedCurves, from_slopes
from .longest_segments import Accept
from .segments import Segments, inside, lay_out
from .smooth_keys import pass_through_middles


def free_pieces(corridor: Corridor) -> Accept:
    """Test of pieces whose handles follow the samples best (least squares)."""

    def accept(curves: Indices, starts: Indices, ends: Indices) -> NDArray[np.bool_]:
        fit = _fit(corridor, curves, starts, ends)
        return corridor.holds(curves, starts) | inside(corridor, fit.segments, fit.values())

    return accept


def free_keys(corridor: Corridor, chosen: NDArray[np.bool_]) -> KeyedCurves:
    """Keys at the chosen samples (N, F), with the handles of the best pieces."""
    curves, samples = np.nonzero(chosen)
    leaving, arriving = _slopes(corridor, curves, samples)
    counts = np.bincount(curves, minlength=len(chosen))
    times, values = corridor.times[2 * samples], corridor.samples[curves, samples]
    return from_slopes(counts, times, values, arriving, leaving, corridor.holds(curves, samples))


def _slopes(corridor: Corridor, curves: Indices, samples: Indices) -> tuple[Array, Array]:
    """Slopes (K,) with which the curve leaves every key and arrives at it."""
    leaving = np.array(corridor.slopes[curves, samples])
    arriving = np.array(leaving)
    pass_through_middles(corridor, curves, samples, leaving, arriving)
    before = np.flatnonzero(curves[1:] == curves[:-1])
    # A piece without a sample inside keeps these slopes, which fit it exactly.
    before = before[samples[before + 1] - samples[before] > 1]
    before = before[~corridor.holds(curves[before], samples[before])]
    if before.size:
        fit = _fit(corridor, curves[before], samples[before], samples[before + 1])
        leaving[before] = fit.mean + fit.early / fit.span
        arriving[before + 1] = fit.mean - fit.late / fit.span
    return leaving, _alike_at_the_ends(curves, leaving, arriving)


def _alike_at_the_ends(curves: Indices, leaving: Array, arriving: Array) -> Array:
    """A curve's outermost handles continue the slope on the key's inner side."""
    first = np.flatnonzero(np.diff(curves, prepend=-1))
    last = np.append(first[1:], len(curves)) - 1
    arriving[first] = np.where(first == last, arriving[first], leaving[first])
    leaving[last] = arriving[last]
    return arriving


@dataclass(frozen=True, eq=False)
class _Fit:
    """Cubics c(u) = chord(u) + u (1-u) [(1-u) early + u late] of several pieces, u from 0 to 1."""

    segments: Segments
    begin: Array
    mean: Array
    span: Array
    early: Array
    late: Array
    chord: Array
    early_shape: Array
    late_shape: Array

    def values(self) -> Array:
        """Fitted values at all points inside the pieces."""
        bulge = self.segments.spread(self.early) * self.early_shape
        bulge += self.segments.spread(self.late) * self.late_shape
        bulge += self.chord
        return bulge


def _fit(corridor: Corridor, curves: Indices, starts: Indices, ends: Indices) -> _Fit:
    """Least squares for the two free numbers of every piece."""
    segments = lay_out(corridor, curves, starts, ends)
    span = corridor.times[2 * ends] - corridor.times[2 * starts]
    begin = corridor.samples[curves, starts]
    mean = (corridor.samples[curves, ends] - begin) / span
    chord = segments.spread(mean)
    chord *= segments.elapsed
    chord += segments.spread(begin)
    part = segments.elapsed * segments.spread(1.0 / span)
    late_shape = part * (1.0 - part)
    early_shape = late_shape * (1.0 - part)
    late_shape *= part
    wanted = corridor.target.reshape(-1)[segments.place] - chord
    early, late = _solve(segments, early_shape, late_shape, wanted)
    return _Fit(segments, begin, mean, span, early, late, chord, early_shape, late_shape)


def _solve(segments: Segments, early_shape: Array, late_shape: Array, wanted: Array) -> tuple[Array, Array]:
    """Normal equations of two unknowns per piece."""
    aa = segments.total(early_shape * early_shape)
    ab = segments.total(early_shape * late_shape)
    bb = segments.total(late_shape * late_shape)
    ay, by = segments.total(early_shape * wanted), segments.total(late_shape * wanted)
    determinant = aa * bb - ab * ab
    return (bb * ay - ab * by) / determinant, (aa * by - ab * ay) / determinant
