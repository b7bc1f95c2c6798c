"""Rotations as unit quaternions (w, x, y, z), with any number of leading axes.

Results are stored component-first in memory (each component contiguous, the first
axis varying fastest), because long motions are processed several times faster that
way; to the caller they are ordinary (..., 4) arrays.

`multiply(a, b)` rotates by b first, then by a, as matrices do.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.flags.writeable = False

# Below this sine the axis of a rotation is lost in rounding; series replace the quotients.
_TINY = 1e-8
# When a mean of rotations is found, in radians, and after how many steps it is taken as it is.
_MEAN_ACCURACY, _MEAN_STEPS = 1e-14, 100


def stack(*components: Any) -> Array:
    """Join components into one (..., N) array stored component-first."""
    shapes = {np.shape(component) for component in components}
    shape = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    memory = np.empty((len(components), *reversed(shape)))
    for index, component in enumerate(components):
        memory[index, ...].T[...] = component  # The dots keep a single number an array.
    return memory.T


def identity(*shape: int) -> Array:
    """Identity rotations in an array of the given leading shape."""
    return stack(np.ones(shape), 0.0, 0.0, 0.0)


def _parts(vectors: Any) -> tuple[Array, ...]:
    array = np.asarray(vectors, dtype=np.float64)
    return tuple(array[..., index] for index in range(array.shape[-1]))  # asked for very often: no axis is moved


def dot(a: Any, b: Any) -> Array:
    """Inner product over the last axis."""
    first, *rest = (x * y for x, y in zip(_parts(a), _parts(b), strict=True))
    return sum(rest, first)


def multiply(a: Any, b: Any) -> Array:
    """Rotate by b, then by a."""
    aw, ax, ay, az = _parts(a)
    bw, bx, by, bz = _parts(b)
    return stack(
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(rotations: Any) -> Array:
    """The inverse of unit quaternions."""
    w, x, y, z = _parts(rotations)
    return stack(w, -x, -y, -z)


def normalize(quaternions: Any) -> Array:
    """Scale to unit length; a zero quaternion becomes the identity, as in Blender."""
    quaternions = np.asarray(quaternions, dtype=np.float64)
    length = np.sqrt(dot(quaternions, quaternions))
    empty = length == 0.0
    w, x, y, z = _parts(quaternions)
    scale = 1.0 / np.where(empty, 1.0, length)
    return stack(np.where(empty, 1.0, w * scale), x * scale, y * scale, z * scale)


def rotate(rotations: Any, vectors: Any) -> Array:
    """Turn vectors (..., 3) by rotations (..., 4)."""
    w, x, y, z = _parts(rotations)
    vx, vy, vz = _parts(vectors)
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    return stack(
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


def aligned(rotations: Any, reference: Any) -> Array:
    """The same rotations with the sign that lies nearer to the reference quaternions."""
    sign = np.where(dot(rotations, reference) < 0.0, -1.0, 1.0)
    return stack(*(part * sign for part in _parts(rotations)))


def sign_continuous(rotations: Any) -> Array:
    """Choose signs along axis 0 so that no quaternion jumps to the opposite of its neighbour."""
    rotations = np.asarray(rotations, dtype=np.float64)
    flips = dot(rotations[1:], rotations[:-1]) < 0.0
    odd = np.cumsum(flips, axis=0) % 2 == 1
    sign = np.concatenate([np.ones((1, *odd.shape[1:])), np.where(odd, -1.0, 1.0)])
    return stack(*(part * sign for part in _parts(rotations)))


def exp(rotation_vectors: Any) -> Array:
    """Rotation of |v| radians about v (..., 3)."""
    x, y, z = _parts(rotation_vectors)
    angle = np.sqrt(x * x + y * y + z * z)
    factor = 0.5 * np.sinc(angle / (2.0 * np.pi))
    return stack(np.cos(0.5 * angle), x * factor, y * factor, z * factor)


def log(rotations: Any) -> Array:
    """Rotation vector (..., 3) of the shorter way, |v| <= pi; inverse of exp."""
    w, x, y, z = _parts(rotations)
    sine = np.sqrt(x * x + y * y + z * z)
    # atan2 keeps all digits at small angles, where acos(w) loses half of them.
    half_angle = np.arctan2(sine, np.abs(w))
    tiny = sine < _TINY
    factor = 2.0 * np.where(tiny, 1.0, half_angle / np.where(tiny, 1.0, sine))
    factor = np.where(w < 0.0, -factor, factor)
    return stack(x * factor, y * factor, z * factor)


def mean(rotations: Any) -> Array:
    """Rotation (..., 4) with the least sum of squared angles to rotations (N, ..., 4), in any signs.

    Where the rotations spread over more than half a turn to each side several means may exist; the
    one nearest to the direction that most of them share is found.
    """
    rotations = np.asarray(rotations, dtype=np.float64)
    products = np.einsum("n...i,n...j->...ij", rotations, rotations)
    middle = np.linalg.eigh(products)[1][..., -1]
    for _ in range(_MEAN_STEPS):
        step = log(multiply(conjugate(middle), rotations)).mean(axis=0)
        middle = normalize(multiply(middle, exp(step)))
        if float(np.abs(step).max(initial=0.0)) < _MEAN_ACCURACY:
            break
    return aligned(middle, rotations[0])


def angle_between(a: Any, b: Any) -> Array:
    """Angle in radians, 0 to pi, of the rotation that leads from a to b."""
    difference = multiply(conjugate(a), b)
    w, x, y, z = _parts(difference)
    angle: Array = 2.0 * np.arctan2(np.sqrt(x * x + y * y + z * z), np.abs(w))
    return angle


def slerp(a: Any, b: Any, weight: Any) -> Array:
    """Rotate from a (weight 0) to b (weight 1) at constant speed, the shorter way.

    The ends are met exactly: weight 0 gives a bit for bit, weight 1 gives b or -b.
    """
    weight = np.asarray(weight, dtype=np.float64)
    near = aligned(b, a)
    cosine = np.clip(dot(a, near), -1.0, 1.0)
    difference = near - np.asarray(a)
    angle = 2.0 * np.arctan2(np.sqrt(dot(difference, difference)), np.sqrt(2.0 + 2.0 * cosine))
    sine = np.sin(angle)
    tiny = sine < _TINY
    safe = np.where(tiny, 1.0, sine)
    first = np.where(tiny, 1.0 - weight, np.sin((1.0 - weight) * angle) / safe)
    second = np.where(tiny, weight, np.sin(weight * angle) / safe)
    first, second = np.where(weight == 0.0, 1.0, first), np.where(weight == 1.0, 1.0, second)
    return stack(*(first * x + second * y for x, y in zip(_parts(a), _parts(near), strict=True)))


def from_axis_angle(axes: Any, angles: Any) -> Array:
    """Rotation by angles about axes (..., 3); a zero axis means the y axis, as in Blender."""
    axes = np.asarray(axes, dtype=np.float64)
    length = np.sqrt(dot(axes, axes))
    empty = length == 0.0
    scale = np.sin(0.5 * np.asarray(angles)) / np.where(empty, 1.0, length)
    x, y, z = _parts(axes)
    return stack(np.cos(0.5 * np.asarray(angles)), x * scale, np.where(empty, scale, y * scale), z * scale)


def from_matrix(matrices: Any) -> Array:
    """Quaternion of rotation matrices (..., 3, 3), by the largest of four pivots."""
    m = np.asarray(matrices, dtype=np.float64)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    # Four times the products of the quaternion's components with each other.
    products = np.empty((*m.shape[:-2], 4, 4))
    products[..., 0, 0] = 1 + xx + yy + zz
    products[..., 1, 1] = 1 + xx - yy - zz
    products[..., 2, 2] = 1 - xx + yy - zz
    products[..., 3, 3] = 1 - xx - yy + zz
    for (row, column), value in {
        (0, 1): m[..., 2, 1] - m[..., 1, 2],
        (0, 2): m[..., 0, 2] - m[..., 2, 0],
        (0, 3): m[..., 1, 0] - m[..., 0, 1],
        (1, 2): m[..., 0, 1] + m[..., 1, 0],
        (1, 3): m[..., 0, 2] + m[..., 2, 0],
        (2, 3): m[..., 1, 2] + m[..., 2, 1],
    }.items():
        products[..., row, column] = products[..., column, row] = value
    pivot = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    rows = np.take_along_axis(products, pivot[..., None, None], axis=-2)[..., 0, :]
    return normalize(rows)


def to_matrix(rotations: Any) -> Array:
    """Rotation matrices (..., 3, 3)."""
    w, x, y, z = _parts(rotations)
    matrix = np.empty((*np.shape(w), 3, 3))
    matrix[..., 0, 0] = 1 - 2 * (y * y + z * z)
    matrix[..., 0, 1] = 2 * (x * y - w * z)
    matrix[..., 0, 2] = 2 * (x * z + w * y)
    matrix[..., 1, 0] = 2 * (x * y + w * z)
    matrix[..., 1, 1] = 1 - 2 * (x * x + z * z)
    matrix[..., 1, 2] = 2 * (y * z - w * x)
    matrix[..., 2, 0] = 2 * (x * z - w * y)
    matrix[..., 2, 1] = 2 * (y * z + w * x)
    matrix[..., 2, 2] = 1 - 2 * (x * x + y * y)
    return matrix
