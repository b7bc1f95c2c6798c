"""Rotations as the channels that files and animation curves hold: Euler angles, axis and angle.

An Euler order names the axes in the order in which they are applied, as Blender does:
'XYZ' turns about x first, so its matrix is Rz Ry Rx. A BVH joint that lists Z, Y, X is 'XYZ'.

Writing channels is continuous: among the representations of the same rotation the one
nearest to the previous frame is taken, so that curves do not jump.
"""

from typing import Any

import numpy as np

from . import quaternion
from .quaternion import Array

EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")

# Cosine of the middle angle below which the outer two angles cannot be told apart.
_GIMBAL_LOCK = 1e-7


def _axes(order: str) -> tuple[int, int, int, float]:
    """The three axis numbers in order of application and the parity of their permutation."""
    first, second, third = ("XYZ".index(letter) for letter in order)
    return first, second, third, 1.0 if (second - first) % 3 == 1 else -1.0


def from_euler(angles: Any, order: str) -> Array:
    """Quaternions of Euler angles (..., 3) in radians; the angles are listed x, y, z."""
    half = 0.5 * np.asarray(angles, dtype=np.float64)
    cosine, sine = np.cos(half), np.sin(half)
    first, second, third, parity = _axes(order)
    ca, cb, cc = cosine[..., first], cosine[..., second], cosine[..., third]
    sa, sb, sc = sine[..., first], sine[..., second], sine[..., third]
    parts = [ca * cb * cc + parity * sa * sb * sc, None, None, None]
    parts[1 + first] = sa * cb * cc - parity * ca * sb * sc
    parts[1 + second] = ca * sb * cc + parity * sa * cb * sc
    parts[1 + third] = ca * cb * sc - parity * sa * sb * cc
    return quaternion.stack(*parts)


def to_euler(rotations: Any, order: str, start: Any = None) -> Array:
    """Euler angles (F, ..., 3) in radians, listed x, y, z, continuous along axis 0.

    Args:
        rotations: (F, ..., 4) unit quaternions.
        order: One of EULER_ORDERS.
        start: (..., 3) angles that the first frame should lie near to; zero if not given.
    """
    rotations = np.asarray(rotations, dtype=np.float64)
    first, second, third, parity = _axes(order)
    matrix = quaternion.to_matrix(rotations)
    begin = np.zeros((*rotations.shape[1:-1], 3)) if start is None else np.asarray(start, dtype=np.float64)

    cosine = np.hypot(matrix[..., first, first], matrix[..., second, first])
    middle = np.arctan2(-parity * matrix[..., third, first], cosine)
    last = np.arctan2(parity * matrix[..., second, first], matrix[..., first, first])
    last = _hold(last, cosine < _GIMBAL_LOCK, begin[..., third])
    # Given the last angle the first follows from what is left of the rotation. Reading it
    # off the matrix independently would make the two disagree near gimbal lock.
    row = np.cos(last)[..., None] * matrix[..., second, :] - parity * np.sin(last)[..., None] * matrix[..., first, :]
    initial = np.arctan2(-parity * row[..., third], row[..., second])

    candidates = np.empty((2, *rotations.shape[:-1], 3))
    candidates[0, ..., first], candidates[0, ..., second], candidates[0, ..., third] = initial, middle, last
    candidates[1, ..., first] = initial + np.pi
    candidates[1, ..., second] = np.pi - middle
    candidates[1, ..., third] = last + np.pi
    return _unwrap(_nearest_path(candidates, begin), begin)


def _hold(values: Array, unknown: Any, begin: Array) -> Array:
    """Replace unknown values by the last known one along axis 0."""
    if not unknown.any():
        return values
    padded = np.concatenate([begin[None], values])
    known = np.concatenate([np.ones_like(unknown[:1]), ~unknown])
    index = np.where(known, np.arange(len(padded)).reshape(-1, *[1] * (padded.ndim - 1)), 0)
    held: Array = np.take_along_axis(padded, np.maximum.accumulate(index, axis=0), axis=0)[1:]
    return held


def _nearest_path(candidates: Array, begin: Array) -> Array:
    """Follow, frame by frame, whichever of two candidates lies nearer to the one before.

    Each frame maps the choice of the frame before to its own: it keeps it, swaps it, or
    forgets it. Such maps compose without a loop: the choice is that of the last frame
    that forgot, swapped as often as there were swaps since.
    """
    distance = np.abs(_wrapped(candidates[:, None, 1:] - candidates[None, :, :-1])).sum(axis=-1)
    choice_after = distance[1] < distance[0]  # [previous choice, frame]: is the second nearer
    start = np.abs(_wrapped(candidates[:, 0] - begin)).sum(axis=-1)
    forgets = choice_after[0] == choice_after[1]
    swaps = choice_after[0] & ~choice_after[1]
    first = (start[1] < start[0])[None]
    forgets = np.concatenate([np.ones_like(first), forgets])
    value = np.concatenate([first, choice_after[0]])
    swap_count = np.concatenate([np.zeros_like(first, dtype=np.int64), np.cumsum(swaps, axis=0)])
    frames = np.arange(len(value)).reshape(-1, *[1] * (value.ndim - 1))
    anchor = np.maximum.accumulate(np.where(forgets, frames, 0), axis=0)
    swapped = (swap_count - np.take_along_axis(swap_count, anchor, axis=0)) % 2 == 1
    second = np.take_along_axis(value, anchor, axis=0) ^ swapped
    path: Array = np.where(second[..., None], candidates[1], candidates[0])
    return path


def _wrapped(angles: Any) -> Array:
    """Angles brought to -pi .. pi."""
    wrapped: Array = angles - 2 * np.pi * np.round(angles / (2 * np.pi))
    return wrapped


def _unwrap(angles: Array, begin: Array) -> Array:
    """Remove jumps of whole turns along axis 0, the first frame lying near to `begin`."""
    steps = np.diff(angles, axis=0, prepend=begin[None])
    turns = np.cumsum(np.round(steps / (2 * np.pi)), axis=0)
    unwrapped: Array = angles - 2 * np.pi * turns
    return unwrapped


def from_axis_angle(channels: Any) -> Array:
    """Quaternions of axis-angle channels (..., 4): angle in radians, then the axis."""
    channels = np.asarray(channels, dtype=np.float64)
    return quaternion.from_axis_angle(channels[..., 1:], channels[..., 0])


def to_axis_angle(rotations: Any, start: Any = None) -> Array:
    """Axis-angle channels (F, ..., 4): angle in radians, then the unit axis, continuous along axis 0.

    Args:
        rotations: (F, ..., 4) unit quaternions.
        start: (..., 4) channels that the first frame should lie near to.
    """
    rotations = quaternion.sign_continuous(rotations)
    begin = np.zeros(rotations.shape[1:]) if start is None else np.asarray(start, dtype=np.float64)
    without_axis = ~begin[..., 1:].any(axis=-1, keepdims=True)
    begin = begin + without_axis * np.array([0.0, 0.0, 1.0, 0.0])
    vector = rotations[..., 1:]
    sine = np.sqrt(quaternion.dot(vector, vector))
    unknown = sine < _GIMBAL_LOCK
    axis = vector / np.where(unknown, 1.0, sine)[..., None]
    axis = _hold(axis, np.broadcast_to(unknown[..., None], axis.shape), begin[..., 1:])
    # The axis is a line: choose its direction like the sign of a quaternion.
    directed = np.concatenate([begin[None, ..., 1:], axis])
    flips = np.cumsum(quaternion.dot(directed[1:], directed[:-1]) < 0.0, axis=0) % 2 == 1
    axis = np.where(flips[..., None], -axis, axis)
    angle = 2.0 * np.arctan2(quaternion.dot(vector, axis), rotations[..., 0])
    return np.concatenate([_unwrap(angle, begin[..., 0])[..., None], axis], axis=-1)
