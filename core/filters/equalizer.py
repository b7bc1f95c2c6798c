"""The equalizer: every band of frequencies with a gain of its own (motion editing chapter, 1.6.3.1).

A motion is taken apart into its mean pose, its slow part around that, and detail: the turn from the
slow part to the motion, as a rotation vector in the slow part's own axes. Detail is parted into
bands as numbers are. With all gains at 1 the parts put together are the motion.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..motion import Motion, chosen_joints, moving_blocks, with_channels, with_shapes
from ..numerics import Array, LowPass, butterworth, quaternion
from .low_pass import even_rate, slow_rotations, slow_vectors
from .mean_poses import mean_rotations
from .turns import long_log, turn_between
from .waves import Waves

# Steepness of the filters between the bands.
_ORDER = 4
# Share of a wave that is detail below which its share of the single bands is lost in rounding.
_ROUNDING = 1e-9


def octaves(motion: Motion, *, count: int = 6) -> list[float]:
    """Frequencies in hertz, highest first, that part a motion into `count` bands of one octave each."""
    highest = 0.25 * motion.rate
    return [highest / 2.0**number for number in range(count - 1)]


def equalized(motion: Motion, gains: Sequence[float], *, cutoffs: Sequence[float], joints: Any = None) -> Motion:
    """Every band of frequencies made stronger or weaker.

    Args:
        motion: With evenly spaced frames.
        gains: One for each band, finest detail first; 1 leaves a band as it is. All at 1 give back
            the same motion bit for bit.
        cutoffs: Frequencies in hertz between the bands, highest first; one fewer than gains.
        joints: (J,) joints to change; all by default.

    Raises:
        UnevenFramesError: The frames are at uneven distances.
    """
    if len(gains) != len(cutoffs) + 1:
        raise ValueError(f"{len(gains)} gains need {len(gains) - 1} cutoffs, not {len(cutoffs)}")
    if all(gain == 1.0 for gain in gains) or len(motion) < 3:
        return motion
    rate = even_rate(motion)
    # Neighbouring bands with one gain are one band: nothing is taken apart needlessly.
    parting = [number for number in range(len(cutoffs)) if gains[number] != gains[number + 1]]
    borders = [butterworth(cutoffs[number], order=_ORDER) for number in parting]
    kept = [gains[number] for number in (*parting, len(cutoffs))]

    def of_rotations(rotations: Array) -> Array:
        return _equalized_rotations(rotations, rate, kept, borders)

    def of_vectors(vectors: Array) -> Array:
        return _equalized_vectors(vectors, rate, kept, borders)

    after = with_channels(motion, joints, of_rotations, of_vectors)
    return with_shapes(motion, after, joints, of_vectors)


def _equalized_rotations(rotations: Array, rate: float, gains: list[float], borders: list[LowPass]) -> Array:
    slow = slow_rotations(rotations, rate, borders[-1])[0] if borders else rotations
    result = slow
    if gains[-1] != 1.0:
        mean = mean_rotations(rotations)
        result = quaternion.multiply(mean, quaternion.exp(gains[-1] * long_log(turn_between(mean, slow))))
    if borders:
        detail = long_log(turn_between(slow, rotations))
        louder = _equalized_detail(detail, rate, gains[:-1], borders)
        result = quaternion.multiply(result, quaternion.exp(louder))
    return quaternion.sign_continuous(result)


def _equalized_detail(detail: Array, rate: float, gains: list[float], borders: list[LowPass]) -> Array:
    if len(gains) == 1:
        return gains[0] * detail
    shares = [_Share(number, borders) for number in range(len(borders))]

    def factor(hertz: Array) -> Array:
        total: Array = np.sum([gain * share(hertz) for gain, share in zip(gains, shares, strict=True)], axis=0)
        return total

    return Waves(detail, rate=rate, reach=borders[-1].reach).scaled(factor)


def _equalized_vectors(vectors: Array, rate: float, gains: list[float], borders: list[LowPass]) -> Array:
    mean = vectors.mean(axis=0)
    slow = slow_vectors(vectors, rate, borders[-1])[0] if borders else vectors
    result = slow if gains[-1] == 1.0 else mean + gains[-1] * (slow - mean)
    return result + _equalized_detail(vectors - slow, rate, gains[:-1], borders) if borders else result


class _Share:
    """How much of a wave in the detail belongs to one of its bands; the shares of all bands sum to 1."""

    def __init__(self, number: int, borders: list[LowPass]) -> None:
        self.number, self.borders = number, borders

    def __call__(self, hertz: Array) -> Array:
        upper = 1.0 if self.number == 0 else self.borders[self.number - 1].factor(hertz)
        whole = 1.0 - self.borders[-1].factor(hertz)
        slowest = 1.0 if self.number == len(self.borders) - 1 else 0.0
        clear = whole > _ROUNDING
        part = (upper - self.borders[self.number].factor(hertz)) / np.where(clear, whole, 1.0)
        # Waves far below all borders are as good as no detail; what there is belongs to the slowest band.
        return np.where(clear, part, slowest)


def spectrum(motion: Motion, *, cutoffs: Sequence[float]) -> tuple[Array, Array]:
    """(B, J) root mean square size of every band, finest first: turns in radians, moves in units.

    Args:
        motion: With evenly spaced frames, at least three.
        cutoffs: As for `equalized`.
    """
    rate, borders = even_rate(motion), [butterworth(cutoff, order=_ORDER) for cutoff in cutoffs]
    shares = [_Share(number, borders) for number in range(len(borders))]
    sizes = []
    for values, parts_of in ((motion.rotations, _rotation_parts), (motion.locations, _vector_parts)):
        size = np.zeros((len(cutoffs) + 1, len(motion.skeleton)))
        for block in moving_blocks(values, chosen_joints(motion, None)):
            around_mean, detail = parts_of(np.array(values.T[:, block]).T, rate, borders[-1])
            waves = Waves(detail, rate=rate, reach=borders[-1].reach)
            size[:, block] = [_mean_size(band) for band in (*map(waves.scaled, shares), around_mean)]
        sizes.append(size)
    return sizes[0], sizes[1]


def _rotation_parts(rotations: Array, rate: float, border: LowPass) -> tuple[Array, Array]:
    """Rotation vectors from the mean to the slow part, and from there to the rotations."""
    slow = slow_rotations(rotations, rate, border)[0]
    return long_log(turn_between(mean_rotations(rotations), slow)), long_log(turn_between(slow, rotations))


def _vector_parts(vectors: Array, rate: float, border: LowPass) -> tuple[Array, Array]:
    slow = slow_vectors(vectors, rate, border)[0]
    return slow - vectors.mean(axis=0), vectors - slow


def _mean_size(vectors: Array) -> Array:
    size: Array = np.sqrt(quaternion.dot(vectors, vectors).mean(axis=0))
    return size
