"""A smooth timing through an alignment of frames.

The path of an alignment is a staircase, and where nothing moves it is arbitrary. The smooth timing
follows it where the motions tell the time, that is where they move, and bends little elsewhere.
"""

import numpy as np

from ..motion import TimeMap
from ..numerics import Array
from .alignment import Alignment, align

# Samples at which a window is compared: several for each frame of a short one.
_SAMPLES, _MOST_FOR_A_FRAME = 120, 4
# Samples between the knots of a timing, and the most knots.
_SPACING, _MOST_KNOTS = 4, 80
# Weight of a frame in which nothing moves, against the mean of all, and of the timing's bends.
_FLAT, _STIFFNESS = 1e-3, 0.3
# Least speed of the smooth timing against an even one.
_SLOWEST = 0.125


def sample_count(length: float) -> int:
    """At how many samples a window of so many frames is best compared."""
    frames = max(1, round(length))
    return frames * min(_MOST_FOR_A_FRAME, -(-_SAMPLES // frames)) + 1


def smooth_timing(first: Array, second: Array, *, slope_limit: int = 2) -> TimeMap:
    """The timing that shows the second sequence in step with the first, from its first to its last sample.

    Args:
        first: (N, D) evenly spaced samples; new times are 0 to N - 1.
        second: (M, D) samples; old times are 0 to M - 1.
        slope_limit: How many samples of one may pass while one of the other passes.
    """
    found = align(first, second, slope_limit=slope_limit)
    last, old_last = len(first) - 1, len(second) - 1
    knots = np.linspace(0.0, last, max(2, min(_MOST_KNOTS, last // _SPACING)) + 1)
    even = knots * (old_last / last)
    places, old_places = found.path.T.astype(np.float64)
    bends = _fitted(knots, places, old_places - places * (old_last / last), _weights(found, first, second))
    return TimeMap.through(knots, _increasing(even + bends, even[1] - even[0]))


def _weights(found: Alignment, first: Array, second: Array) -> Array:
    """(P,) how clearly each pair of the path tells the time: how quickly both sequences change there."""
    one, other = (np.gradient(values, axis=0) for values in (first, second))
    rates = (one**2).sum(axis=1)[found.path[:, 0]] + (other**2).sum(axis=1)[found.path[:, 1]]
    mean = float(rates.mean())
    weights: Array = rates / mean + _FLAT if mean > 0.0 else np.ones(len(rates))
    return weights


def _fitted(knots: Array, places: Array, offsets: Array, weights: Array) -> Array:
    """(K,) values at the knots of straight lines nearest to the offsets that bend little; 0 at both ends."""
    width = knots[1] - knots[0]
    hats = np.maximum(1.0 - np.abs(places[:, None] - knots) / width, 0.0)[:, 1:-1]
    bending = np.diff(np.eye(len(knots)), n=2, axis=0)[:, 1:-1]
    system = (hats * weights[:, None]).T @ hats + _STIFFNESS * width * bending.T @ bending
    inner = np.linalg.solve(system, hats.T @ (weights * offsets))
    return np.concatenate([[0.0], inner, [0.0]])


def _increasing(values: Array, step: float) -> Array:
    """Values whose steps are never below a share of the even step; both ends stay."""
    steps = np.diff(values)
    least = _SLOWEST * step
    if (steps >= least).all():
        return values
    above = np.maximum(steps, least) - least
    above *= (values[-1] - values[0] - least * len(steps)) / above.sum()
    return np.concatenate([values[:1], values[0] + np.cumsum(above + least)[:-1], values[-1:]])
