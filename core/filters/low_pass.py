"""Low-pass filtering of whole motions, rotations as rotations.

Quaternions with continuous signs are filtered as points in space and brought back to unit length.
Turning a character turns its quaternions as a rigid body, so filter and turn can change places.
Beyond its ends a motion goes on reflected in its first and last pose, which therefore stay.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from .. import quaternion
from ..errors import MotionEditError
from ..motion import Motion
from ..quaternion import Array
from .responses import LowPass

# Part of a frame by which frames may be unevenly spaced.
_UNEVEN = 1e-3
# Squared length of a filtered quaternion below which its direction means nothing.
_LOST = 1e-6


class UnevenFramesError(MotionEditError):
    """A filter needs frames at even distances."""


def low_passed(motion: Motion, response: LowPass, *, joints: Any = None) -> Motion:
    """The slow part of a motion; the first and last frame and joints that do not move stay bit for bit.

    Args:
        motion: With evenly spaced frames.
        response: What to keep.
        joints: (J,) joints to filter; all by default.

    Raises:
        UnevenFramesError: The frames are at uneven distances.
    """
    if len(motion) < 3:
        return motion
    rate = _even_rate(motion)
    chosen = np.ones(len(motion.skeleton), dtype=np.bool_) if joints is None else np.asarray(joints, dtype=np.bool_)
    return replace(
        motion,
        rotations=quaternion.sign_continuous(_of_moving(motion.rotations, chosen, rate, response)),
        locations=_of_moving(motion.locations, chosen, rate, response),
        scales=_of_moving(motion.scales, chosen, rate, response),
    )


def _even_rate(motion: Motion) -> float:
    steps = np.diff(motion.times)
    if np.ptp(steps) > _UNEVEN * steps.mean():
        raise UnevenFramesError("This filter needs evenly spaced frames; sample the motion on every frame first")
    return float(1.0 / steps.mean())


def _of_moving(values: Array, chosen: Any, rate: float, response: LowPass) -> Array:
    """Values (F, J, C) with the chosen joints that move filtered."""
    moving = chosen & (values != values[:1]).any(axis=(0, 2))
    result = np.array(values)
    if moving.any():
        part = values[:, moving]
        filtered = (
            _filtered_rotations(part, rate, response) if values.shape[2] == 4 else _filtered(part, rate, response)
        )
        result[1:-1, moving] = filtered[1:-1]
    return result


def _filtered_rotations(rotations: Array, rate: float, response: LowPass) -> Array:
    signed = quaternion.sign_continuous(rotations)
    mean = _in_frequency(_reflected(signed, _pad(len(signed), rate, response), _mirrored_rotation), rate, response)
    part = mean[_middle(mean, len(signed))]
    # A spin of whole turns within the filter's reach has no mean: there the rotation stays.
    lost = quaternion.dot(part, part) < _LOST
    return np.where(lost[..., None], signed, quaternion.normalize(part))


def _filtered(values: Array, rate: float, response: LowPass) -> Array:
    reflected = _reflected(values, _pad(len(values), rate, response), lambda end, inner: 2.0 * end - inner)
    filtered = _in_frequency(reflected, rate, response)
    part: Array = filtered[_middle(filtered, len(values))]
    return part


def _mirrored_rotation(end: Array, inner: Array) -> Array:
    """The rotation on the other side of an end, as far away as the inner one."""
    return quaternion.multiply(quaternion.multiply(end, quaternion.conjugate(inner)), end)


def _pad(frames: int, rate: float, response: LowPass) -> int:
    """Frames to add at each end; a period of twice the reach keeps one end from meeting the other."""
    return int(np.ceil(response.reach * rate)) + 1


def _reflected(values: Array, pad: int, mirrored: Any) -> Array:
    """Values with `pad` frames before and after, reflected as far as there are frames and held beyond."""
    count = np.minimum(np.arange(1, pad + 1), len(values) - 1)
    before = mirrored(values[:1], values[count[::-1]])
    after = mirrored(values[-1:], values[len(values) - 1 - count])
    return np.concatenate([before, values, after])


def _middle(values: Array, frames: int) -> slice:
    pad = (len(values) - frames) // 2
    return slice(pad, pad + frames)


def _in_frequency(values: Array, rate: float, response: LowPass) -> Array:
    """Waves (F, J, C) scaled by the response."""
    size = _quick_size(len(values))
    # One channel after the other in memory: transforms along the frames are then quick.
    memory = np.ascontiguousarray(values.reshape(len(values), -1).T)
    held = np.pad(memory, ((0, 0), (0, size - memory.shape[1])), mode="edge")
    waves = np.fft.rfft(held, axis=1)
    waves *= response.factor(np.fft.rfftfreq(size, 1.0 / rate).astype(np.float64))
    filtered: Array = np.fft.irfft(waves, size, axis=1)[:, : len(values)].T.reshape(values.shape)
    return filtered


def _quick_size(least: int) -> int:
    """The next number whose only prime factors are 2, 3 and 5."""
    size = least
    while True:
        left = size
        for prime in (2, 3, 5):
            while left % prime == 0:
                left //= prime
        if left == 1:
            return size
        size += 1
