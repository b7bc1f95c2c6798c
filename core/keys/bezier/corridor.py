"""How far a fitted curve may stray: a band around the samples and between them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array

# Animation curves are stored in single precision. This share of a curve's largest value is
# kept back from the tolerance, so that the bound still holds after keys are rounded.
_ROUNDING = 2.0 * float(np.finfo(np.float32).eps)


@dataclass(frozen=True, eq=False)
class Corridor:
    """Allowed band of N curves on a grid of all samples and the middles between them.

    At a sample the band is the sample and the tolerance on both sides. In a middle it
    holds everything from the straight line between the two samples to the smooth cubic
    through them, and the tolerance on both sides of that; where it is known what the curve
    has there, that and the tolerance. Where a curve holds its value until the next sample,
    the middle has the value of the sample before it.

    Attributes:
        times: (2F - 1,) the grid; even entries are the samples.
        target: (N, 2F - 1) the samples, and the smooth cubic or what is known in the middles.
        low: (N, 2F - 1) lower edge of the band.
        high: (N, 2F - 1) upper edge of the band.
        slopes: (N, F) slope of the parabola through each sample and its neighbours.
        held: (N, F - 1) the curve holds its value from this sample to the next, and steps there.
        missed: (N, F - 1) the smooth cubic is outside of the band in this middle.
    """

    times: Array
    target: Array
    low: Array
    high: Array
    slopes: Array
    held: NDArray[np.bool_]
    missed: NDArray[np.bool_]

    @property
    def samples(self) -> Array:
        """(N, F) the sampled values."""
        return self.target[:, ::2]

    def holds(self, curves: Any, samples: Any) -> NDArray[np.bool_]:
        """Whether each curve stands still from the sample on until it steps."""
        last = self.held.shape[1] - 1
        holding: NDArray[np.bool_] = self.held[curves, np.minimum(samples, last)] & (samples <= last)
        return holding


def build_corridor(times: Array, values: Array, tolerance: Any, held: Any = None, *, between: Any = None) -> Corridor:
    """Band around values (N, F) at times (F,), F >= 2.

    Args:
        times: (F,) increasing.
        values: (N, F).
        tolerance: A number, (N,) or (N, F); between two samples the smaller one counts.
        held: (N, F - 1) intervals over which a curve stands still and then steps; none if not given.
        between: (N, F - 1) what curves have in the middles; not a number where nobody knows.
    """
    steps = np.diff(times)
    held = np.zeros((len(values), len(steps)), dtype=np.bool_) if held is None else np.asarray(held, dtype=np.bool_)
    slopes = _slopes_beside_steps(times, values, held)
    straight = 0.5 * (values[:, :-1] + values[:, 1:])
    smooth = straight + steps / 8.0 * (slopes[:, :-1] - slopes[:, 1:])
    straight, smooth = (np.where(held, values[:, :-1], middle) for middle in (straight, smooth))
    grid = _interleaved(times, times[:-1] + 0.5 * steps)
    margin = _margins(values, tolerance)
    ways = np.minimum(straight, smooth), np.maximum(straight, smooth), smooth
    known = np.zeros_like(held) if between is None else ~(np.isnan(between) | held)
    lowest, highest, target = (np.where(known, between, way) for way in ways) if known.any() else ways
    low, high = _interleaved(values, lowest) - margin, _interleaved(values, highest) + margin
    missed = (smooth < low[:, 1::2]) | (smooth > high[:, 1::2])
    return Corridor(grid, _interleaved(values, target), low, high, slopes, held, missed)


def _margins(values: Array, tolerance: Any) -> Array:
    """(N, 1) or (N, 2F - 1) tolerances on the grid, less what rounding takes."""
    spare = _ROUNDING * np.abs(values).max(axis=1, keepdims=True)
    if np.ndim(tolerance) == 2:
        margin = _interleaved(tolerance, np.minimum(tolerance[:, :-1], tolerance[:, 1:]))
    else:
        margin = np.broadcast_to(tolerance, len(values))[:, None]
    kept: Array = np.maximum(margin - spare, 0.0)
    return kept


def _interleaved(at_samples: Array, in_middles: Array) -> Array:
    grid = np.empty((*at_samples.shape[:-1], 2 * at_samples.shape[-1] - 1))
    grid[..., ::2], grid[..., 1::2] = at_samples, in_middles
    return grid


def parabola_slopes(times: Array, values: Array) -> Array:
    """Slopes (N, F) at every sample of the parabola through it and its two neighbours."""
    steps = np.diff(times)
    chords = np.diff(values, axis=1) / steps
    if len(times) == 2:
        return np.repeat(chords, 2, axis=1)
    weight = steps[:-1] / (steps[:-1] + steps[1:])
    slopes = np.empty_like(values)
    slopes[:, 1:-1] = chords[:, :-1] + weight * (chords[:, 1:] - chords[:, :-1])
    # A parabola's slope over an interval is the mean of the slopes at its ends.
    slopes[:, 0] = 2.0 * chords[:, 0] - slopes[:, 1]
    slopes[:, -1] = 2.0 * chords[:, -1] - slopes[:, -2]
    return slopes


def _slopes_beside_steps(times: Array, values: Array, held: NDArray[np.bool_]) -> Array:
    """Parabola slopes, but from one side alone where the curve is held on the other."""
    if not held.any():
        return parabola_slopes(times, values)
    chords = np.where(held, 0.0, np.diff(values, axis=1) / np.diff(times))
    after, before = np.pad(chords, ((0, 0), (0, 1))), np.pad(chords, ((0, 0), (1, 0)))
    left, right = np.pad(held, ((0, 0), (1, 0))), np.pad(held, ((0, 0), (0, 1)))
    slopes = np.where(left, after, np.where(right, before, parabola_slopes(times, values)))
    # The ends' parabolas reach over the first and last two intervals.
    slopes[:, 0] = np.where(held[:, :2].any(axis=1), chords[:, 0], slopes[:, 0])
    slopes[:, -1] = np.where(held[:, -2:].any(axis=1), chords[:, -1], slopes[:, -1])
    return slopes
