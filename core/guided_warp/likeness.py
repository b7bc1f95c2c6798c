"""What is like nothing in the reference keeps its own timing.

A reference of a few steps says nothing about a jump. There the nearest reference is far away at
every speed, so that the distances to it hardly depend on the speed, and the search would take any.
How far is far shows within the reference itself: in the distances between its own neighbours.
Where nothing moves, no reference says anything either.
"""

import numpy as np

from ..numerics import Array
from .objective import score_triples

# Distance, in multiples of those within the reference, at which a sample is half unlike it.
# Further steps of a walk are about 1 to 2.5 away, another kind of movement 5 to 30.
_UNLIKE = 3.0
_STEEPNESS = 4
# Share of the distances that count as usual within the reference.
_USUAL = 0.9
# Weight of the old speed in what is wholly alike: decides where the reference leaves it open.
_LEAST_WEIGHT = 0.04
# What stands still is held as if it moved with this share of the motion's usual speed.
_SLOWEST = 0.5


def with_own_timing(scores: Array, samples: Array, upsampling: int, *, unlike: Array | float = 0.0) -> Array:
    """Scores that ask for the old speed as far as a sample is unlike the reference.

    Every score becomes the mean of the distance to the reference and the distance to the input's
    own feature at the old speed, weighted by how unlike the sample is.

    Args:
        scores: (s, s, n) from `score_triples`.
        samples: (n, D) input.
        upsampling: Input samples between neighbouring output samples at the old speed.
        unlike: (n,) from `unlikeness`. Even where it is 0 the old speed has a small weight, which
            decides where the reference leaves the speed open.
    """
    weights = _LEAST_WEIGHT + (1.0 - _LEAST_WEIGHT) * np.asarray(unlike)
    mixed: Array = (1.0 - weights) * scores + weights * _change_of_speed(samples, len(scores), upsampling)
    return mixed


def unlikeness(scores: Array, reference: Array) -> Array:
    """(n,) from 0, a sample that fits into the reference at some speed, to 1 for one that never does."""
    within = score_triples(reference, reference, 1)[0, 0, 1:-1]
    usual = max(float(np.quantile(within, _USUAL)), float(np.finfo(np.float64).tiny))
    nearest = scores[:, :, 1:-1].min(axis=(0, 1)) / usual
    # The first and last sample have no neighbours of their own on both sides.
    far = np.pad(nearest, 1, mode="edge") ** _STEEPNESS
    unlike: Array = far / (far + _UNLIKE**_STEEPNESS)
    return unlike


def _change_of_speed(samples: Array, steps: int, upsampling: int) -> Array:
    """(s, s, n) distance of every triple's feature to the one at the old speed.

    The way from sample to sample is taken as straight: with gaps b and c the velocity differs by
    (b + c) / 2 - u, the acceleration by c - b, times the way between two samples.
    """
    ways = np.linalg.norm(np.gradient(samples, axis=0), axis=1)
    ways = np.maximum(ways, _SLOWEST * np.median(ways))
    gaps = np.arange(1.0, steps + 1.0)
    change = np.hypot(0.5 * (gaps[:, None] + gaps) - upsampling, gaps - gaps[:, None])
    distances: Array = change[..., None] * ways
    return distances
