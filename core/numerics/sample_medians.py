"""Medians of rotations or vectors around each frame (motion editing chapter, 1.6.3.2).

The median is the sample with the least sum of distances to the others: of numbers that is the median, and it turns
with the character. Towards both ends the window narrows, so the first and last sample stay.
"""

from collections.abc import Callable, Iterator

import numpy as np

from . import quaternion
from .quaternion import Array

# Distances (F, N) between samples (F, N, C) and others.
Distance = Callable[[Array, Array], Array]
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


def medians(values: Array, radius: int, distance: Distance) -> Array:
    """Medians (F, N, C) of samples (F, N, C), each around its frame."""
    result = np.array(values)
    for part, reach in windows_around(len(values), radius):
        middle = slice(part.start + reach, part.stop - reach)
        result[middle] = _full_medians(values[part], reach, distance)
    return result


def windows_around(frames: int, radius: int) -> Iterator[tuple[slice, int]]:
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
