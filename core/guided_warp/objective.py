"""How far every three samples of the input, shown in a row, are from the reference.

The feature of a triple i, j, k is [y_j, (y_k - y_i) / 2, y_k - 2 y_j + y_i]: pose, velocity and
acceleration. Its squared distance to a reference feature [z, v, a] falls into parts that depend on
one sample each:

    d2 = N(i, j, k) + P[j] + R[i] + Q[k]
    P = |z|2 + |v|2 + |a|2 - 2 y_j (z - 2 a),  Q = -2 y_k (a + v / 2),  R = -2 y_i (a - v / 2)

So three products of matrices serve all triples, and N, the feature's own squared length, does not
change which references are nearest (guided warp paper, 3.2).
"""

import numpy as np

from ..quaternion import Array

# References whose mean distance is the score (the paper's k).
NEIGHBOURS = 3
# Triples worked on at a time: what the three nearest need then stays in the processor's cache, and
# there are enough of them that calling NumPy costs little.
_BLOCK = 16384


def score_triples(samples: Array, reference: Array, most_steps: int) -> Array:
    """(s, s, n) mean distance to the nearest reference features.

    Entry [b - 1, c - 1, j] belongs to the samples j - b, j, j + c; it is infinite where one of
    them lies outside.

    Args:
        samples: (n, D) input.
        reference: (r, D) samples of the reference at the rate of the output; 3 or more.
        most_steps: s, most input samples between neighbouring output samples.
    """
    count = len(samples)
    # Around the reference's mean the numbers are small and their differences keep their digits.
    middle = reference.mean(axis=0)
    padded = np.pad(samples - middle, ((most_steps, most_steps), (0, 0)), mode="edge")
    features = _reference_features(reference - middle)
    scores = np.empty((most_steps, most_steps, count))
    width = max(16, _BLOCK // most_steps**2)
    for first in range(0, count, width):
        last = min(first + width, count)
        around = padded[first : last + 2 * most_steps]
        scores[:, :, first:last] = _score_block(around, features, most_steps)
    _close_ends(scores)
    return scores


def _reference_features(reference: Array) -> tuple[Array, Array, Array]:
    """Pose, velocity, acceleration (r - 2, D) of the reference's inner samples."""
    pose = reference[1:-1]
    return pose, 0.5 * (reference[2:] - reference[:-2]), reference[2:] - 2.0 * pose + reference[:-2]


def _score_block(around: Array, features: tuple[Array, Array, Array], steps: int) -> Array:
    """(s, s, w) scores of w samples; `around` holds s more on each side."""
    pose, velocity, acceleration = features
    width = len(around) - 2 * steps
    lengths = (pose**2 + velocity**2 + acceleration**2).sum(axis=1)
    # One reference after the other is worked on, so each has its row.
    middle = lengths[:, None] - 2.0 * (pose - 2.0 * acceleration) @ around[steps : steps + width].T
    before = -2.0 * (acceleration - 0.5 * velocity) @ around.T
    after = -2.0 * (acceleration + 0.5 * velocity) @ around.T
    nearest = _nearest(middle, before, after, steps)
    nearest += _own_lengths(around, steps)
    np.maximum(nearest, 0.0, out=nearest)
    np.sqrt(nearest, out=nearest)
    mean: Array = nearest.mean(axis=0)
    return mean


def _nearest(middle: Array, before: Array, after: Array, steps: int) -> Array:
    """(k, s, s, w) smallest sums over all references, in order."""
    references, width = middle.shape
    count = min(NEIGHBOURS, references)
    best = np.full((count, steps, steps, width), np.inf)
    distance, spare = np.empty((2, steps, steps, width))
    # Sample j - b lies b places before j's own place, j + c lies c places after it.
    starts = np.lib.stride_tricks.sliding_window_view(before, width, axis=1)[:, steps - 1 :: -1][:, :steps]
    ends = np.lib.stride_tricks.sliding_window_view(after, width, axis=1)[:, steps + 1 : 2 * steps + 1]
    for number in range(references):
        start = starts[number] + middle[number]
        np.add(start[:, None], ends[number][None], out=distance)
        _insert(best, distance, spare)
    return best


def _insert(best: Array, distance: Array, spare: Array) -> None:
    """Put distances in their place among the smallest ones; both spare arrays are used up."""
    for place in best[:-1]:
        np.maximum(place, distance, out=spare)
        np.minimum(place, distance, out=place)
        distance, spare = spare, distance
    np.minimum(best[-1], distance, out=best[-1])


def _own_lengths(around: Array, steps: int) -> Array:
    """(s, s, w) squared lengths of the features of all triples, from the products y_i . y_(i + d)."""
    width = len(around) - 2 * steps
    products = [np.einsum("nd,nd->n", around[: len(around) - gap], around[gap:]) for gap in range(2 * steps + 1)]
    squares, own = products[0], slice(steps, steps + width)
    gaps = range(1, steps + 1)
    early = np.stack([squares[steps - gap : steps - gap + width] for gap in gaps])
    late = np.stack([squares[steps + gap : steps + gap + width] for gap in gaps])
    early_own = np.stack([products[gap][steps - gap : steps - gap + width] for gap in gaps])
    own_late = np.stack([products[gap][own] for gap in gaps])
    across = np.stack([[products[b + c][steps - b : steps - b + width] for c in gaps] for b in gaps])
    # |y_j|2 + |y_k - y_i|2 / 4 + |y_k - 2 y_j + y_i|2, multiplied out.
    lengths: Array = 5.0 * squares[own] + 1.25 * (early[:, None] + late) + 1.5 * across
    lengths -= 4.0 * (early_own[:, None] + own_late)
    return lengths


def _close_ends(scores: Array) -> None:
    for gap in range(1, len(scores) + 1):
        scores[gap - 1, :, :gap] = np.inf
        scores[:, gap - 1, max(0, scores.shape[2] - gap) :] = np.inf
