"""Channels that jump although the rotation does not: signs of quaternions and whole turns of Euler angles."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..analysis.flaws import Flaw, FlawKind
from ..numerics import Array, from_euler, quaternion, to_euler

# Radians by which channels may differ by rounding.
_ROUNDING = 1e-9
# Least needless step that is a jump: a sign that turns round is 2, Euler angles jump by half a turn at least;
# other differences between steps come from movement in mirrored channels.
_JUMP = 1.5


def without_jumps(channels: Any, *, order: str | None = None) -> Array:
    """Channels of the same rotations without jumps; the first frame stays.

    Args:
        channels: (F, J, 4) quaternions, or (F, J, 3) Euler angles x, y, z in radians.
        order: Of Euler angles, as in `rotation_channels`.

    Returns:
        Continuous channels. Frames that were right already stay bit for bit.
    """
    channels = _checked(channels, order)
    if order is None:
        return quaternion.sign_continuous(channels)
    smooth = to_euler(from_euler(channels, order), order, start=channels[0])
    return np.where(np.abs(smooth - channels) <= _ROUNDING, channels, smooth)


def find_jumps(channels: Any, names: Sequence[str], *, order: str | None = None) -> tuple[Flaw, ...]:
    """List frames at which channels jump.

    Args:
        channels: As for `without_jumps`.
        names: Of the J joints.
        order: As for `without_jumps`.

    Returns:
        Flaws of one frame each, the first after the jump; their size is that of the needless step, in
        radians of Euler angles, 2 of quaternions whose sign turns round.
    """
    channels = _checked(channels, order)
    needless = np.diff(without_jumps(channels, order=order) - channels, axis=0)
    sizes = np.linalg.norm(needless, axis=2)
    return tuple(
        Flaw(FlawKind.JUMP, names[joint], "rotation", int(frame) + 1, int(frame) + 1, float(sizes[frame, joint]))
        for joint, frame in zip(*np.nonzero((sizes > _JUMP).T), strict=True)
    )


def _checked(channels: Any, order: str | None) -> Array:
    array: Array = np.asarray(channels, dtype=np.float64)
    width = 4 if order is None else 3
    if array.ndim != 3 or array.shape[2] != width:
        raise ValueError(f"channels must have shape (F, J, {width}), not {array.shape}")
    return array
