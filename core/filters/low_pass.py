"""Low-pass filtering of whole motions, rotations as rotations.

Quaternions with continuous signs are filtered as points in space and brought back to unit length.
Turning a character turns its quaternions as a rigid body, so filter and turn can change places.
Beyond its ends a motion goes on reflected in its first and last pose, which therefore stay.
"""

from typing import Any

import numpy as np

from ..errors import MotionEditError
from ..motion import Motion, with_channels
from ..numerics import Array, LowPass, quaternion
from .waves import Waves, mirrored_rotations, mirrored_vectors

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
    rate = even_rate(motion)
    return with_channels(
        motion,
        joints,
        lambda rotations: slow_rotations(rotations, rate, response)[0],
        lambda vectors: slow_vectors(vectors, rate, response)[0],
    )


def even_rate(motion: Motion) -> float:
    """Frames per second.

    Raises:
        UnevenFramesError: They are at uneven distances.
    """
    steps = np.diff(motion.times)
    if np.ptp(steps) > _UNEVEN * steps.mean():
        raise UnevenFramesError("This filter needs evenly spaced frames; sample the motion on every frame first")
    return float(1.0 / steps.mean())


def slow_rotations(rotations: Array, rate: float, *responses: LowPass) -> list[Array]:
    """What each response keeps of rotations (F, J, 4) with continuous signs; the ends stay."""
    reach = max(response.reach for response in responses)
    waves = Waves(rotations, rate=rate, reach=reach, mirror=mirrored_rotations)
    return [_unit_rotations(rotations, waves.scaled(response.factor)) for response in responses]


def slow_vectors(vectors: Array, rate: float, *responses: LowPass) -> list[Array]:
    """What each response keeps of vectors (F, J, C); the ends stay."""
    reach = max(response.reach for response in responses)
    waves = Waves(vectors, rate=rate, reach=reach, mirror=mirrored_vectors)
    return [_ends_kept(vectors, waves.scaled(response.factor)) for response in responses]


def _unit_rotations(rotations: Array, filtered: Array) -> Array:
    """Filtered quaternions brought to unit length, with continuous signs; the ends stay."""
    squares = quaternion.dot(filtered, filtered)
    lost = squares < _LOST
    filtered /= np.sqrt(np.where(lost, 1.0, squares))[..., None]
    filtered = _ends_kept(rotations, filtered)
    if not lost.any():
        return filtered
    # A spin of whole turns within the filter's reach has no mean: there the rotation stays.
    return quaternion.sign_continuous(np.where(lost[..., None], rotations, filtered))


def _ends_kept(values: Array, filtered: Array) -> Array:
    filtered[0], filtered[-1] = values[0], values[-1]
    return filtered
