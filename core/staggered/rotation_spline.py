"""Cubic splines of rotations by repeated slerp (Shoemake 1985), many splines and times at once."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import quaternion
from ..quaternion import Array

# Below this sine of half the angle between two quaternions slerp is a straight line.
_TINY = 1e-9


def spline(first: Array, second: Array, third: Array, last: Array, owner: Any, time: Array) -> Array:
    """Evaluate N splines at P times.

    Every slerp goes the shorter way. Time 0 gives `first` bit for bit.

    Args:
        first: (N, 4) control rotations at the start; `second`, `third` and `last` follow.
        owner: (P,) the spline that each time belongs to.
        time: (P,) between 0 and 1.
    """
    controls = [first.T]
    for control in (second, third, last):
        controls.append(quaternion.aligned(control, controls[-1].T).T)
    level = [_slerp_of_pairs(a, b, owner, time) for a, b in pairwise(controls)]
    while len(level) > 1:
        level = [_slerp(a, b, time) for a, b in pairwise(level)]
    return level[0].T


def _slerp_of_pairs(a: Array, b: Array, owner: NDArray[np.intp], time: Array) -> Array:
    """Slerp of (4, N) pairs at (P,) times: the angle of a pair is found once for all its times."""
    angle, cosine, scale, straight = _angles(a, b)
    turn = time * np.take(angle, owner)
    end = np.sin(turn) * np.take(scale, owner)
    start = np.cos(turn) - np.take(cosine, owner) * end
    if straight.any():
        flat = np.take(straight, owner)
        start, end = np.where(flat, 1.0 - time, start), np.where(flat, time, end)
    mixed: Array = np.take(a, owner, axis=1) * start + np.take(b, owner, axis=1) * end
    return mixed


def _slerp(a: Array, b: Array, time: Array) -> Array:
    """Slerp of (4, P) pairs, each at its own time."""
    away = (a * b).sum(axis=0) < 0.0
    if away.any():
        b = np.where(away, -b, b)
    angle, cosine, scale, straight = _angles(a, b)
    turn = time * angle
    end = np.where(straight, time, np.sin(turn) * scale)
    start = np.where(straight, 1.0 - time, np.cos(turn) - cosine * end)
    mixed: Array = a * start + b * end
    return mixed


def _angles(a: Array, b: Array) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Angle between (4, N) quaternions of one hemisphere, its cosine, 1 / sine, and where it is 0."""
    difference = b - a
    # From the distance, not from the inner product, which loses half the digits near 1.
    half = np.minimum(0.5 * np.sqrt(np.einsum("cn,cn->n", difference, difference)), 1.0)
    straight = half < _TINY
    angle = 2.0 * np.arcsin(half)
    sine = np.where(straight, 1.0, np.sin(angle))
    return angle, np.cos(angle), 1.0 / sine, straight
