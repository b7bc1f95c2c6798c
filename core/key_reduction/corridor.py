"""How far a fitted curve may stray: a band around the samples and between them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..quaternion import Array

# Animation curves are stored in single precision. This share of a curve's largest value is
# kept back from the tolerance, so that the bound still holds after keys are rounded.
_ROUNDING = 2.0 * float(np.finfo(np.float32).eps)


@dataclass(frozen=True, eq=False)
class Corridor:
    """Allowed band of N curves on a grid of all samples and the middles between them.

    At a sample the band is the sample and the tolerance on both sides. In a middle it
    holds everything from the straight line between the two samples to the smooth cubic
    through them, and the tolerance on both sides of that.

    Attributes:
        times: (2F - 1,) the grid; even entries are the samples.
        target: (N, 2F - 1) the samples and the smooth cubic in the middles.
        low: (N, 2F - 1) lower edge of the band.
        high: (N, 2F - 1) upper edge of the band.
        slopes: (N, F) slope of the parabola through each sample and its neighbours.
    """

    times: Array
    target: Array
    low: Array
    high: Array
    slopes: Array

    @property
    def samples(self) -> Array:
        """(N, F) the sampled values."""
        return self.target[:, ::2]


def build_corridor(times: Array, values: Array, tolerance: Any) -> Corridor:
    """Band around values (N, F) at times (F,), F >= 2, for a tolerance that is a number or (N,)."""
    slopes = parabola_slopes(times, values)
    steps = np.diff(times)
    straight = 0.5 * (values[:, :-1] + values[:, 1:])
    smooth = straight + steps / 8.0 * (slopes[:, :-1] - slopes[:, 1:])
    grid = _interleaved(times, times[:-1] + 0.5 * steps)
    spare = _ROUNDING * np.abs(values).max(axis=1, keepdims=True)
    margin = np.maximum(np.broadcast_to(tolerance, len(values))[:, None] - spare, 0.0)
    low = _interleaved(values, np.minimum(straight, smooth)) - margin
    high = _interleaved(values, np.maximum(straight, smooth)) + margin
    return Corridor(grid, _interleaved(values, smooth), low, high, slopes)


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
