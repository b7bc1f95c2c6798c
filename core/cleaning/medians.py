"""Median and trimmed mean of samples around each frame (motion editing chapter, 1.6.3.2)."""

from typing import Any

import numpy as np

from ..motion import Motion, with_channels
from ..numerics import Array, medians, quaternion, rotation_distance, vector_distance, windows_around

# Distances that differ by a smaller share are the same: of two samples as far away, both are kept or none.
_ROUNDING = 1e-6


def median_filtered(motion: Motion, *, radius: int = 1, joints: Any = None) -> Motion:
    """Every rotation, location and scale replaced by the median of the frames around it.

    What lasts no longer than the radius is gone; edges of longer movements stay sharp.

    Args:
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


def _trimmed_rotations(rotations: Array, radius: int, dropped: int) -> Array:
    """Normalized means of the quaternions that are kept, each with the sign of the median."""
    middle = medians(rotations, radius, rotation_distance)
    result = np.array(rotations)
    for part, reach in windows_around(len(rotations), radius):
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
    for part, reach in windows_around(len(vectors), radius):
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
