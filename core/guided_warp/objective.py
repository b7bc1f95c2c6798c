"""How far every three samples of the input, shown in a row, are from the reference.

The feature of a triple i, j, k is [y_j, (y_k - y_i) / 2, y_k - 2 y_j + y_i]: pose, velocity and
acceleration. Its squared distance to a reference feature [z, v, a] falls into parts that depend on
one sample each:

    d2 = N(i, j, k) + P[j] + R[i] + Q[k]
    P = |z|2 + |v|2 + |a|2 - 2 y_j (z - 2 a),  Q = -2 y_k (a + v / 2),  R = -2 y_i (a - v / 2)

z, v and a are sums of the reference's samples, so one product of matrices serves all triples, and N,
the feature's own squared length, does not change which references are nearest (guided warp paper,
3.2).

Most references cannot be among the nearest of any triple around a sample: their distance for the
best choice of gaps is above that of three others for the worst. As the parts of i and k are
independent, both follow from the least and the greatest of each. What is left, a few per cent, is
tried with all gaps.
"""

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array

# References whose mean distance is the score (the paper's k).
NEIGHBOURS = 3
# Samples times references worked on at a time, which then stay in the processor's cache.
_BLOCK = 1 << 17
_FEWEST_SAMPLES = 64
# A squared distance below so many times the rounding of its parts is zero: the feature is the
# reference's own.
_ROUNDING = 64.0 * np.finfo(np.float64).eps


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
    centred = reference - middle
    lengths = _reference_lengths(centred)
    scores = np.empty((most_steps, most_steps, count))
    width = max(_FEWEST_SAMPLES, _BLOCK // len(reference))
    for first in range(0, count, width):
        last = min(first + width, count)
        around = padded[first : last + 2 * most_steps]
        scores[:, :, first:last] = _score_block(around, centred, lengths, most_steps)
    _close_ends(scores)
    return scores


def _reference_lengths(reference: Array) -> Array:
    """(r - 2,) squared lengths of the features of the reference's inner samples."""
    pose, velocity = reference[1:-1], 0.5 * (reference[2:] - reference[:-2])
    acceleration = reference[2:] - 2.0 * pose + reference[:-2]
    lengths: Array = (pose**2 + velocity**2 + acceleration**2).sum(axis=1)
    return lengths


def _score_block(around: Array, reference: Array, lengths: Array, steps: int) -> Array:
    """(s, s, w) scores of w samples; `around` holds s more on each side."""
    parts = _parts(around, reference, lengths, steps)
    order, nearest = _nearest(*parts, _possible(*parts, steps), steps)
    own_lengths = _own_lengths(around, steps)
    nearest += own_lengths[..., order]
    nearest[nearest < _ROUNDING * own_lengths.max()] = 0.0
    np.sqrt(nearest, out=nearest)
    scores = np.empty_like(own_lengths)
    scores[..., order] = nearest.sum(axis=0) / len(nearest)
    return scores


def _parts(around: Array, reference: Array, lengths: Array, steps: int) -> tuple[Array, Array, Array]:
    """P (w, r - 2), and R and Q (w + 2 s, r - 2), of all samples and references."""
    products = around @ reference.T
    own, change = products[:, 1:-1], 0.5 * (products[:, 2:] - products[:, :-2])
    both = products[:, 2:] + products[:, :-2]
    both *= -2.0
    both += 4.0 * own
    inner = slice(steps, len(around) - steps)
    return lengths - 2.0 * (own[inner] + both[inner]), both + change, both - change


def _possible(middle: Array, before: Array, after: Array, steps: int) -> NDArray[np.bool_]:
    """(w, r - 2) whether a reference may be among the nearest of any triple around a sample."""
    width = len(middle)
    (least_before, most_before), (least_after, most_after) = _extremes(before, steps), _extremes(after, steps)
    # Windows begin at the sample that is `steps` earlier, and at the next one.
    least = middle + least_before[:width] + least_after[steps + 1 :]
    most = middle + most_before[:width] + most_after[steps + 1 :]
    last = min(NEIGHBOURS, most.shape[1]) - 1
    return least <= np.partition(most, last, axis=1)[:, last : last + 1]


def _extremes(values: Array, size: int) -> tuple[Array, Array]:
    """Least and greatest of each column over every `size` rows, by windows that double."""
    low = high = values
    covered = 1
    while covered < size:
        step = min(covered, size - covered)
        low, high = np.minimum(low[:-step], low[step:]), np.maximum(high[:-step], high[step:])
        covered += step
    return low, high


def _nearest(
    middle: Array, before: Array, after: Array, possible: NDArray[np.bool_], steps: int
) -> tuple[NDArray[np.intp], Array]:
    """(w,) order of samples, most possible references first, and (k, s, s, w) their smallest sums."""
    counts = possible.sum(axis=1)
    order = np.argsort(-counts, kind="stable")
    # Where a sample and a reference meet in the flat arrays, sample by sample.
    places, first = np.flatnonzero(possible), (np.cumsum(counts) - counts)[order]
    counts, references = counts[order], middle.shape[1]
    best = np.empty((min(NEIGHBOURS, references), steps, steps, len(order)))
    spare = np.empty((2, steps, steps, len(order)))
    gaps = references * np.arange(1, steps + 1)[:, None]
    for turn in range(counts[0]):
        width = int(np.searchsorted(-counts, -turn))
        place = places[first[:width] + turn]
        start = before.take(place + references * steps - gaps) + middle.take(place)
        distance = np.add(start[:, None], after.take(place + references * steps + gaps), out=spare[0, ..., :width])
        _insert(best[..., :width], turn, distance, spare[1, ..., :width])
    return order, best


def _insert(best: Array, known: int, distance: Array, spare: Array) -> None:
    """Put distances in their place among so many known smallest ones; both spare arrays are used up."""
    for place in best[:known]:
        np.maximum(place, distance, out=spare)
        np.minimum(place, distance, out=place)
        distance, spare = spare, distance
    if known < len(best):
        best[known] = distance


def _own_lengths(around: Array, steps: int) -> Array:
    """(s, s, w) squared lengths of the features of all triples, from the products y_i . y_(i + d)."""
    width = len(around) - 2 * steps
    following = np.pad(around, ((0, 2 * steps), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(following, 2 * steps + 1, axis=0)
    products = np.ascontiguousarray((around[:, None] @ windows)[:, 0].T)
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
