"""Cubic splines of rotations by repeated slerp (Shoemake 1985), many splines and times at once."""

from itertools import pairwise
from typing import Any

import numpy as np

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
    spread = [np.take(control, owner, axis=1) for control in controls]
    level = [
        _mixed(*ends, time, *(np.take(part, owner) for part in _angles(*pair)))
        for ends, pair in zip(pairwise(spread), pairwise(controls), strict=True)
    ]
    while len(level) > 1:
        level = [_slerp(a, b, time) for a, b in pairwise(level)]
    return level[0].T


def _slerp(a: Array, b: Array, time: Array) -> Array:
    """Slerp of (4, P) pairs, each at its own time."""
    away = _dot(a, b) < 0.0
    if away.any():
        b = np.where(away, -b, b)
    return _mixed(a, b, time, *_angles(a, b))


def _mixed(a: Array, b: Array, time: Array, angle: Array, cosine: Array, inverse_sine: Array) -> Array:
    """Slerp of (4, P) pairs whose angles are known."""
    turn = time * angle
    end = np.sin(turn) * inverse_sine
    start = np.cos(turn) - cosine * end
    straight = inverse_sine == 0.0
    if straight.any():
        start, end = np.where(straight, 1.0 - time, start), np.where(straight, time, end)
    mixed: Array = a * start
    mixed += b * end
    return mixed


def _angles(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Angle between (4, N) quaternions of one hemisphere, its cosine and 1 / sine, 0 if there is none."""
    difference = b - a
    # From the distance, not from the inner product, which loses half the digits near 1.
    square = np.minimum(0.25 * _dot(difference, difference), 1.0)
    half = np.sqrt(square)
    straight = half < _TINY
    sine = 2.0 * half * np.sqrt(1.0 - square)
    inverse = np.where(straight, 0.0, 1.0 / np.where(straight, 1.0, sine))
    return 2.0 * np.arcsin(half), 1.0 - 2.0 * square, inverse


def _dot(a: Array, b: Array) -> Array:
    product: Array = np.einsum("cn,cn->n", a, b)
    return product
