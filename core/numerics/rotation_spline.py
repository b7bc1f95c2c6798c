"""Cubic splines of rotations by repeated slerp (Shoemake 1985), many splines and times at once."""

from itertools import pairwise
from typing import Any

import numpy as np

from . import quaternion
from .quaternion import Array

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
    controls = in_one_hemisphere(first, second, third, last)
    spread = [np.take(control, owner, axis=1) for control in controls]
    level = []
    for ends, pair in zip(pairwise(spread), pairwise(controls), strict=True):
        angles = (np.take(part, owner) for part in angles_between(*pair))
        level.append(mixed(*ends, *slerp_weights(time, *angles)))
    while len(level) > 1:
        level = [_slerp(a, b, time) for a, b in pairwise(level)]
    return level[0].T


def in_one_hemisphere(*controls: Array) -> list[Array]:
    """Controls (N, 4) as (4, N), each with the sign that lies nearer to the one before."""
    result = [controls[0].T]
    for control in controls[1:]:
        result.append(quaternion.aligned(control, result[-1].T).T)
    return result


def _slerp(a: Array, b: Array, time: Array) -> Array:
    """Slerp of (4, P) pairs, each at its own time."""
    away = inner_products(a, b) < 0.0
    if away.any():
        b = np.where(away, -b, b)
    return mixed(a, b, *slerp_weights(time, *angles_between(a, b)))


def slerp_weights(time: Array, angle: Array, cosine: Array, inverse_sine: Array) -> tuple[Array, Array]:
    """What the two ends of slerps weigh whose angles are known."""
    turn = time * angle
    end = np.sin(turn) * inverse_sine
    start = np.cos(turn) - cosine * end
    straight = inverse_sine == 0.0
    if straight.any():
        start, end = np.where(straight, 1.0 - time, start), np.where(straight, time, end)
    return start, end


def mixed(a: Array, b: Array, start: Array, end: Array) -> Array:
    """Weighted sum of (4, P) pairs."""
    result: Array = a * start
    result += b * end
    return result


def angles_between(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Angle between (4, N) quaternions of one hemisphere, its cosine and 1 / sine, 0 if there is none."""
    difference = b - a
    # From the distance, not from the inner product, which loses half the digits near 1.
    square = np.minimum(0.25 * inner_products(difference, difference), 1.0)
    half = np.sqrt(square)
    straight = half < _TINY
    sine = 2.0 * half * np.sqrt(1.0 - square)
    inverse = np.where(straight, 0.0, 1.0 / np.where(straight, 1.0, sine))
    return 2.0 * np.arcsin(half), 1.0 - 2.0 * square, inverse


def inner_products(a: Array, b: Array) -> Array:
    """(N,) of (4, N) quaternions."""
    product: Array = np.einsum("cn,cn->n", a, b)
    return product
