"""How a cubic spline of rotations answers to small turns of its two inner controls.

A slerp q of a and b at time t turns by δq = δa + B (δb - δa), all in the parent's axes. Along the
axis from a to b the matrix B is t; across it, it is the complex number
sin(tΩ) / sin(Ω) · exp(-i (1 - t) Ω), with Ω half the angle from a to b.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from ...numerics import Array, angles_between, in_one_hemisphere, inner_products, mixed, slerp_weights


def spline_and_derivatives(
    first: Array, second: Array, third: Array, last: Array, owner: Any, time: Array
) -> tuple[Array, Array]:
    """N splines at P times, and their derivatives (3, 6, P).

    Columns 0 to 2 belong to turns of `second` about the parent's axes, 3 to 5 to those of `third`;
    turns are small rotation vectors. The arguments are those of `spline`.
    """
    controls = in_one_hemisphere(first, second, third, last)
    values, blends = [], []
    for pair in pairwise(controls):
        ends = [np.take(control, owner, axis=1) for control in pair]
        spread = [np.take(part, owner) for part in angles_between(*pair)]
        value, blend = _slerp(*ends, time, *spread)
        values.append(value)
        blends.append(blend)
    turns = _turns_of_first_level(*blends)
    while len(values) > 1:
        values, turns = _next_level(values, turns, time)
    return values[0].T, turns[0]


def _turns_of_first_level(start: Array, middle: Array, end: Array) -> list[Array]:
    """(3, 6, P) turns of the three slerps between neighbouring controls."""
    nothing, unit = np.zeros_like(start), np.eye(3)[..., None]
    pairs = (start, nothing), (unit - middle, middle), (nothing, unit - end)
    return [np.concatenate(pair, axis=1) for pair in pairs]


def _next_level(values: list[Array], turns: list[Array], time: Array) -> tuple[list[Array], list[Array]]:
    """Slerps of neighbours, and their turns."""
    results = []
    for (a, b), (turn_a, turn_b) in zip(pairwise(values), pairwise(turns), strict=True):
        b = np.where(inner_products(a, b) < 0.0, -b, b)
        value, blend = _slerp(a, b, time, *angles_between(a, b))
        turn = np.einsum("abp,bcp->acp", blend, turn_b - turn_a)
        turn += turn_a
        results.append((value, turn))
    return [value for value, _ in results], [turn for _, turn in results]


def _slerp(a: Array, b: Array, time: Array, *angles: Array) -> tuple[Array, Array]:
    """Slerp of (4, P) pairs of one hemisphere, and its matrices B (3, 3, P)."""
    start, end = slerp_weights(time, *angles)
    return mixed(a, b, start, end), _blend(_axis(a, b), time, start, end, *angles[1:])


def _blend(axis: Array, time: Array, start: Array, end: Array, cosine: Array, inverse_sine: Array) -> Array:
    """B = real I - start end [axis]x + along axis axisT, for axes as long as the sine of Ω."""
    real = end * (start * cosine + end)
    along = (time - real) * inverse_sine * inverse_sine
    blend: Array = np.einsum("ap,bp->abp", axis * along, axis)
    x, y, z = axis * (start * end)
    for row, column, part in ((0, 1, z), (1, 2, x), (2, 0, y)):
        blend[row, column] += part
        blend[column, row] -= part
    for row in range(3):
        blend[row, row] += real
    return blend


def _axis(a: Array, b: Array) -> Array:
    """(3, P) vector part of b times the inverse of a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return np.stack(
        [
            aw * bx - ax * bw - by * az + bz * ay,
            aw * by - ay * bw - bz * ax + bx * az,
            aw * bz - az * bw - bx * ay + by * ax,
        ]
    )
