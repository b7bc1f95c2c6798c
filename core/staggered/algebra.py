"""What a spline of control variables needs to know of its values: rotations, or plain numbers.

The two operators are the paper's (section 3): `concatenate(a, b)` applies b after a, and
`factor(c, a)` gives the b with concatenate(a, b) = c. For numbers they are sum and difference,
for rotations product and quotient in the axes of the joint's parent. Small differences are held
as rotation vectors, so that scaling one scales the rotation and not its components.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array, quaternion, rotation_spline

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Algebra:
    """The operations on (N, width) values and (N, offset_width) offsets.

    Attributes:
        width: Components of a value.
        offset_width: Components of an offset: what displacement maps and tangents are made of.
        identity: (width,) the value that changes nothing.
        concatenate: (a, b) apply b after a.
        factor: (c, a) the b that leads from a to c.
        exp: Offset to value.
        log: Value to offset.
        moved: (knot, tangent) the spline control that a tangent points to.
        tangent: (knot, control) the tangent that points to a control, in the knot's own axes.
        mix: (a, b, weight) way from a to b; weight 0 gives a bit for bit.
        mix_offsets: The same for offsets.
        spline: (first, second, third, last, owner, time) cubic Bézier spline.
        distance: (a, b) how far two values are from each other: radians, or units.
    """

    width: int
    offset_width: int
    identity: Array
    concatenate: Callable[[Any, Any], Array]
    factor: Callable[[Any, Any], Array]
    exp: Callable[[Any], Array]
    log: Callable[[Any], Array]
    moved: Callable[[Any, Any], Array]
    tangent: Callable[[Any, Any], Array]
    mix: Callable[[Array, Array, Array], Array]
    mix_offsets: Callable[[Array, Array, Array], Array]
    spline: Callable[[Array, Array, Array, Array, Indices, Array], Array]
    distance: Callable[[Any, Any], Array]


def _mix_rotation_vectors(a: Array, b: Array, weight: Array) -> Array:
    """Straight between rotation vectors, through the half turn where that is nearer than through 0."""
    far = quaternion.dot(b - a, b - a) > np.pi**2
    if far.any():
        b = np.array(b)
        length = np.sqrt(quaternion.dot(b[far], b[far]))[:, None]
        b[far] *= 1.0 - 2.0 * np.pi / np.where(length == 0.0, 1.0, length)
    mixed: Array = a + weight[:, None] * (b - a)
    return mixed


def _mix_numbers(a: Array, b: Array, weight: Array) -> Array:
    mixed: Array = a + weight[:, None] * (b - a)
    return mixed


def _number_spline(first: Array, second: Array, third: Array, last: Array, owner: Indices, time: Array) -> Array:
    rest, t = (1.0 - time)[:, None], time[:, None]
    value: Array = (
        first[owner] * rest**3
        + second[owner] * (3.0 * t * rest**2)
        + third[owner] * (3.0 * t**2 * rest)
        + last[owner] * t**3
    )
    return value


def _same(value: Any) -> Array:
    return np.asarray(value, dtype=np.float64)


def _sum(a: Any, b: Any) -> Array:
    total: Array = _same(a) + b
    return total


def _difference(a: Any, b: Any) -> Array:
    rest: Array = _same(a) - b
    return rest


ROTATION = Algebra(
    width=4,
    offset_width=3,
    identity=quaternion.IDENTITY,
    concatenate=lambda a, b: quaternion.multiply(b, a),
    factor=lambda c, a: quaternion.multiply(c, quaternion.conjugate(a)),
    exp=quaternion.exp,
    log=quaternion.log,
    moved=lambda knot, tangent: quaternion.multiply(knot, quaternion.exp(tangent)),
    tangent=lambda knot, control: quaternion.log(quaternion.multiply(quaternion.conjugate(knot), control)),
    mix=quaternion.slerp,
    mix_offsets=_mix_rotation_vectors,
    spline=rotation_spline.spline,
    distance=quaternion.angle_between,
)

NUMBER = Algebra(
    width=1,
    offset_width=1,
    identity=np.zeros(1),
    concatenate=_sum,
    factor=_difference,
    exp=_same,
    log=_same,
    moved=_sum,
    tangent=lambda knot, control: _difference(control, knot),
    mix=_mix_numbers,
    mix_offsets=_mix_numbers,
    spline=_number_spline,
    distance=lambda a, b: np.abs(_difference(a, b))[..., 0],
)
