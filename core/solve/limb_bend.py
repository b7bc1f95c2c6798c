"""The triangle of a limb with two bones: how they turn when its end is brought somewhere else."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..motion import Motion
from ..numerics import Array, quaternion, soft_reach

# Sine of the bend above which the limb's own plane alone decides where it bends to (3 degrees).
_PLANE_IS_CLEAR = 0.05
# Changes of length below this fraction of the limb are rounding: near full extension they
# would otherwise open the joint by the square root of it.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class LimbShape:
    """A limb in scene space, one row per frame.

    `toward` is the unit direction from upper joint to end, `aside` the one at right angles
    to it in which the lower joint lies.
    """

    upper_bone: Array
    lower_bone: Array
    upper_length: Array
    lower_length: Array
    span: Array
    toward: Array
    aside: Array
    offset: Array


def limb_shape(
    motion: Motion,
    joints: tuple[int, int, int],
    hinge: tuple[float, float, float] | None,
) -> LimbShape:
    """Shape of the limb of an upper joint, a lower joint and an end, with the axis of the lower joint if known."""
    upper, lower, end = (motion.poses.positions[:, joint] for joint in joints)
    upper_bone, lower_bone = lower - upper, end - lower
    axis = _scene_hinge(motion.poses.rotations[:, joints[1]], hinge, _cross(upper_bone, lower_bone))
    span = _length(upper_bone + lower_bone)
    upper_length, lower_length = _length(upper_bone), _length(lower_bone)
    folded = span <= _ROUNDING * (upper_length + lower_length)
    # Folded onto itself the limb points nowhere; its plane still tells where it would open to.
    toward = _direction(
        _choose(folded, _cross(axis, upper_bone), upper_bone + lower_bone),
        _any_normal(axis),
    )
    along = quaternion.dot(upper_bone, toward)
    sideways = upper_bone - _scaled(toward, along)
    bend_to = _direction(_cross(toward, axis), _any_normal(toward))
    return LimbShape(
        upper_bone,
        lower_bone,
        upper_length,
        lower_length,
        span,
        toward,
        bend_to,
        _local(sideways, toward, bend_to),
    )


def _local(sideways: Array, toward: Array, bend_to: Array) -> Array:
    """(F, 2) the lower joint's distance from the limb's axis: to the hinge's side, and across it."""
    return quaternion.stack(
        quaternion.dot(sideways, bend_to),
        quaternion.dot(sideways, _cross(toward, bend_to)),
    )


def _scene_hinge(orientation: Array, hinge: tuple[float, float, float] | None, normals: Array) -> Array:
    """Axis (F, 3) in scene space about which the limb bends where it is straight."""
    if hinge is not None:
        axis = np.asarray(hinge, dtype=np.float64)
    else:
        axis = quaternion.rotate(quaternion.conjugate(orientation), normals).sum(axis=0)
    return _direction(quaternion.rotate(orientation, axis), np.array([1.0, 0.0, 0.0]))


def bone_turns(
    shape: LimbShape,
    aim: Array,
    softness: float,
    bends: tuple[float, float],
    one_sided: Array | None,
) -> tuple[Array, Array]:
    """Turns of the two bones in scene space that bring the end to `aim`, as near as can be.

    Args:
        aim: (F, 3) from its upper joint to where the end should be.
        softness: Part of its length over which it slows down before full extension.
        bends: Smallest and largest angle between the bones.
        one_sided: (F,) 0 to 1, how strictly it bends to its hinge's side; None if it may bend any way.
    """
    length = _reachable(shape, _length(aim), softness, bends)
    along, outward, swivel = _new_bend(shape, length, one_sided)
    across = _cross(shape.toward, shape.aside)
    aside = _scaled(shape.aside, np.cos(swivel)) + _scaled(across, np.sin(swivel))
    upper_bone = _scaled(shape.toward, along) + _scaled(aside, outward)
    lower_bone = _scaled(shape.toward, length) - upper_bone
    axis = _cross(aside, shape.toward)
    whole = _shortest_turn(shape.toward, _direction(aim, shape.toward), axis)
    upper = _shortest_turn(shape.upper_bone, upper_bone, axis)
    lower = _shortest_turn(shape.lower_bone, lower_bone, axis)
    return quaternion.multiply(whole, upper), quaternion.multiply(whole, lower)


def _reachable(shape: LimbShape, distance: Array, softness: float, bends: tuple[float, float]) -> Array:
    longest, shortest = (_length_at(shape, angle) for angle in bends)
    return np.maximum(
        soft_reach(distance, longest, np.minimum(shape.span, longest), softness),
        shortest,
    )


def _length_at(shape: LimbShape, angle: float) -> Array:
    """(F,) how long a limb is that is bent by an angle."""
    first, second = shape.upper_length, shape.lower_length
    # Written so that a straight limb and one folded onto itself have their lengths without rounding.
    if angle < 0.5 * np.pi:
        lost = 4.0 * first * second * np.sin(0.5 * angle) ** 2
        return np.sqrt((first + second) ** 2 - lost) if angle else first + second
    gained = 4.0 * first * second * np.cos(0.5 * angle) ** 2
    return np.sqrt((first - second) ** 2 + gained) if angle < np.pi else np.abs(first - second)


def _new_bend(shape: LimbShape, length: Array, one_sided: Array | None) -> tuple[Array, Array, Array]:
    """Where the lower joint goes: along the limb's axis, away from it, and its angle about it."""
    squares = shape.upper_length**2 - shape.lower_length**2 + length**2
    along = squares / np.where(length > 0.0, 2.0 * length, 1.0)
    along = np.clip(along, -shape.upper_length, shape.upper_length)
    outward = np.sqrt(shape.upper_length**2 - along**2)
    before = _length(shape.offset)
    full = shape.upper_length + shape.lower_length
    same = np.abs(length - shape.span) <= _ROUNDING * full
    along = np.where(same, quaternion.dot(shape.upper_bone, shape.toward), along)
    outward = np.where(same, before, outward)
    own = np.arctan2(shape.offset[:, 1], shape.offset[:, 0])
    if one_sided is None:
        return (
            along,
            outward,
            own * _trust_in_plane(shape, before, np.where(same, 0.0, outward - before)),
        )
    return along, outward, _to_one_side(shape, own, before, outward, one_sided)


def _to_one_side(shape: LimbShape, own: Array, before: Array, outward: Array, strictness: Array) -> Array:
    """(F,) angle about the limb's axis at which the lower joint is on its hinge's side.

    As far as the limb opens it does so about its hinge: what the joint is off to the side stays that little,
    and so does how it shakes there. Less strict, a limb that is bent backwards goes back to its own side
    where it is opened by less than half of its bend.
    """
    widest = np.maximum(outward, before)
    across = shape.offset[:, 1] / np.where(widest > 0.0, widest, 1.0)
    side = np.arcsin(np.clip(across, -1.0, 1.0))
    opened = 2.0 * np.maximum(outward - before, 0.0)
    kept = np.where(opened < before, 1.0 - opened / np.where(before > 0.0, before, 1.0), 0.0)
    turned: Array = side + (1.0 - strictness) * kept * kept * (own - side)
    return turned


def _trust_in_plane(shape: LimbShape, before: Array, opening: Array) -> Array:
    """How far, 0 to 1, the limb's own plane rather than the hinge says where it bends to.

    A limb bent by a few degrees is trusted whole. A straighter one is trusted only while it
    is opened by little beside the bend it has, so that an unchanged pose stays unchanged.
    """
    product = shape.upper_length * shape.lower_length
    sine = before * shape.span / np.where(product > 0.0, product, 1.0)
    clear = np.where(product > 0.0, np.clip(sine / _PLANE_IS_CLEAR, 0.0, 1.0), 0.0)
    clear = clear * clear * (3.0 - 2.0 * clear)
    # A sharply folded limb spans little, yet its plane is clear.
    clear = np.where(quaternion.dot(shape.upper_bone, shape.lower_bone) < 0.0, 1.0, clear)
    total = before**2 + np.maximum(opening, 0.0) ** 2
    unopened = np.where(total > 0.0, before**2 / np.where(total > 0.0, total, 1.0), 1.0)
    return clear + (1.0 - clear) * unopened


def _shortest_turn(start: Array, end: Array, axis: Array) -> Array:
    """Rotation by the shortest way between directions; about `axis` where they are opposite."""
    start, end = _direction(start, end), _direction(end, start)
    cosine = quaternion.dot(start, end)
    opposite = cosine < -1.0 + 1e-14
    sine = _cross(start, end)
    half = quaternion.stack(1.0 + cosine, *np.moveaxis(sine, -1, 0))
    around = quaternion.stack(np.zeros(len(axis)), *np.moveaxis(axis, -1, 0))
    return quaternion.normalize(_choose(opposite, around, half))


def _length(vectors: Array) -> Array:
    length: Array = np.sqrt(quaternion.dot(vectors, vectors))
    return length


def _scaled(vectors: Array, factors: Array) -> Array:
    return quaternion.stack(*(part * factors for part in np.moveaxis(vectors, -1, 0)))


def _choose(condition: Any, first: Array, second: Array) -> Array:
    parts = zip(np.moveaxis(first, -1, 0), np.moveaxis(second, -1, 0), strict=True)
    return quaternion.stack(*(np.where(condition, one, other) for one, other in parts))


def _direction(vectors: Array, otherwise: Array) -> Array:
    """Unit vectors; where there is no direction, `otherwise` as it is."""
    length = _length(vectors)
    empty = length <= 1e-300
    parts = zip(np.moveaxis(vectors, -1, 0), np.moveaxis(otherwise, -1, 0), strict=True)
    scale = 1.0 / np.where(empty, 1.0, length)
    return quaternion.stack(*(np.where(empty, other, part * scale) for part, other in parts))


def _cross(a: Array, b: Array) -> Array:
    ax, ay, az = np.moveaxis(a, -1, 0)
    bx, by, bz = np.moveaxis(b, -1, 0)
    return quaternion.stack(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)


def _any_normal(vectors: Array) -> Array:
    """Some unit vector at right angles to each unit vector."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    steep = np.abs(z) > 0.9
    flat = quaternion.stack(y, -x, np.zeros_like(x))
    normal = _choose(steep, quaternion.stack(z, np.zeros_like(x), -x), flat)
    return _scaled(normal, 1.0 / _length(normal))
