"""Median and trimmed mean of samples around each frame (motion editing chapter, 1.6.3.2).

The median of rotations or vectors is the one among them with the least sum of distances to the
others: of numbers that is the median, and it turns with the character. Towards both ends the window
narrows, so the first and last pose stay.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..motion import Motion, with_channels
from ..numerics import Array, quaternion

# Distances (F, N) between samples (F, N, C) and others.
Distance = Callable[[Array, Array], Array]
# Distances that differ by a smaller share are the same: of two samples as far away, both are kept or none.
_ROUNDING = 1e-6
# Share by which sums of distances may differ though they are the same.
_SAME = 1e-12


def rotation_distance(a: Array, b: Array) -> Array:
    """Angles in radians; quick, and exact to one part in 100 million."""
    angle: Array = 2.0 * np.arccos(np.minimum(np.abs(quaternion.dot(a, b)), 1.0))
    return angle


def rotation_difference(a: Array, b: Array) -> Array:
    """(..., 3) rotation vectors from the second to the first, in the axes of the second."""
    return quaternion.log(quaternion.multiply(quaternion.conjugate(b), a))


def vector_distance(a: Array, b: Array) -> Array:
    """Lengths of the differences."""
    difference = a - b
    length: Array = np.sqrt(quaternion.dot(difference, difference))
    return length


def median_filtered(motion: Motion, *, radius: int = 1, joints: Any = None) -> Motion:
    """Every rotation, location and scale replaced by the median of the frames around it.

    What lasts no longer than the radius is gone; edges of longer movements stay sharp.

    Args:
        motion: To filter.
        radius: Frames on each side; 0 gives back the same motion.
        joints: (J,) joints to filter; all by default.
    """
    if radius < 0:
        raise ValueError("radius must not be below zero")
    if radius == 0 or len(motion) < 3:
        return motion
    return with_channels(
        motion,
        joints,
        lambda rotations: quaternion.sign_continuous(medians(rotations, radius, rotation_distance)),
        lambda vectors: medians(vectors, radius, vector_distance),
    )


def trimmed_mean(motion: Motion, *, radius: int = 2, dropped: int = 2, joints: Any = None) -> Motion:
    """The mean of the frames around each frame without those that are furthest from their median.

    Args:
        motion: To filter.
        radius: Frames on each side; 0 gives back the same motion.
        dropped: How many of the 2 radius + 1 samples do not count.
        joints: (J,) joints to filter; all by default.
    """
    if radius < 0 or not 0 <= dropped <= 2 * radius:
        raise ValueError("radius must not be below zero, dropped must leave at least one of the samples")
    if radius == 0 or len(motion) < 3:
        return motion
    return with_channels(
        motion,
        joints,
        lambda rotations: quaternion.sign_continuous(_trimmed_rotations(rotations, radius, dropped)),
        lambda vectors: _trimmed_vectors(vectors, radius, dropped),
    )


def medians(values: Array, radius: int, distance: Distance) -> Array:
    """Medians (F, N, C) of samples (F, N, C), each around its frame."""
    result = np.array(values)
    for part, reach in _windows(len(values), radius):
        middle = slice(part.start + reach, part.stop - reach)
        result[middle] = _full_medians(values[part], reach, distance)
    return result


def _windows(frames: int, radius: int) -> Iterator[tuple[slice, int]]:
    """Stretches of frames, and the radius that their inner frames can have: ever less towards the ends."""
    largest = min(radius, (frames - 1) // 2)
    for reach in range(1, largest):
        yield slice(0, 2 * reach + 1), reach
        yield slice(frames - 2 * reach - 1, frames), reach
    if largest > 0:
        yield slice(0, frames), largest


def _full_medians(values: Array, radius: int, distance: Distance) -> Array:
    """(F - 2 radius, N, C) medians of the frames whose windows are whole."""
    count = len(values) - 2 * radius
    best = np.full((count, values.shape[1]), radius)
    sums = _sums_of_distances(values, radius, distance)
    _middle, total = next(sums)
    least = total[radius : radius + count].copy()
    # The middle comes first, and of equally good samples the first one stays.
    for offset, total in sums:
        sample = total[offset : offset + count]
        better = sample < least * (1.0 - _SAME)
        best[better] = offset
        least[better] = sample[better]
    return values[best + np.arange(count)[:, None], np.arange(values.shape[1])]


def _sums_of_distances(values: Array, radius: int, distance: Distance) -> Iterator[tuple[int, Array]]:
    """Places in a window, from its middle outwards, with the (F, N) sums of distances of all samples from there.

    One place further, a sample has one more neighbour on one side and one less on the other, so that each sum follows
    from the one before. Neighbours beyond the ends count nothing; no window that is whole has any.
    """
    lags = [distance(values[lag:], values[:-lag]) for lag in range(1, 2 * radius + 1)]
    early = np.zeros(values.shape[:2])
    for lag, apart in enumerate(lags[:radius], start=1):
        early[lag:] += apart
        early[:-lag] += apart
    late = early.copy()
    yield radius, early
    for inner in range(radius):
        lost, gained = radius - inner, radius + inner + 1
        early[lost:] -= lags[lost - 1]
        early[:-gained] += lags[gained - 1]
        yield lost - 1, early
        late[:-lost] -= lags[lost - 1]
        late[gained:] += lags[gained - 1]
        yield gained, late


def _trimmed_rotations(rotations: Array, radius: int, dropped: int) -> Array:
    """Normalized means of the quaternions that are kept, each with the sign of the median."""
    middle = medians(rotations, radius, rotation_distance)
    result = np.array(rotations)
    for part, reach in _windows(len(rotations), radius):
        inner = slice(part.start + reach, part.stop - reach)
        samples, nearest = _shifted(rotations[part], reach), middle[inner]
        cosines = [quaternion.dot(sample, nearest) for sample in samples]
        kept = _kept([1.0 - np.abs(cosine) for cosine in cosines], dropped, 1e-12)
        weights = [np.where(chosen, np.sign(cosine), 0.0) for chosen, cosine in zip(kept, cosines, strict=True)]
        result[inner] = quaternion.normalize(_weighted_sum(samples, weights))
    return result


def _trimmed_vectors(vectors: Array, radius: int, dropped: int) -> Array:
    middle = medians(vectors, radius, vector_distance)
    result = np.array(vectors)
    for part, reach in _windows(len(vectors), radius):
        inner = slice(part.start + reach, part.stop - reach)
        samples = _shifted(vectors[part], reach)
        kept = _kept([vector_distance(sample, middle[inner]) for sample in samples], dropped, 0.0)
        count = np.sum(kept, axis=0)
        result[inner] = _weighted_sum(samples, [chosen / count for chosen in kept])
    return result


def _shifted(values: Array, radius: int) -> list[Array]:
    count = len(values) - 2 * radius
    return [values[offset : offset + count] for offset in range(2 * radius + 1)]


def _kept(distances: list[Array], dropped: int, rounding: float) -> list[Any]:
    """For every sample of the windows, whether it is not among the furthest."""
    limit = _ranked(distances, max(len(distances) - dropped, 1))
    limit = limit * (1.0 + _ROUNDING) + rounding
    return [distance <= limit for distance in distances]


def _ranked(distances: list[Array], rank: int) -> Array:
    """The rank-th least of some arrays, element by element, by sorting with exchanges of neighbours."""
    ordered = list(distances)
    for last in range(len(ordered) - 1, rank - 2, -1):
        for place in range(last):
            low, high = ordered[place], ordered[place + 1]
            ordered[place], ordered[place + 1] = np.minimum(low, high), np.maximum(low, high)
    return ordered[rank - 1]


def _weighted_sum(samples: list[Array], weights: list[Array]) -> Array:
    total: Array = samples[0] * weights[0][..., None]
    for sample, weight in zip(samples[1:], weights[1:], strict=True):
        total += sample * weight[..., None]
    return total
