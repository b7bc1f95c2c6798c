"""Two-bone inverse kinematics of all frames at once: an arm or a leg whose end meets a target.

The limb is first bent or stretched in its own plane until it has the right length, then
turned as a whole, by the shortest way, onto the target. So the side to which elbow or knee
point is that of the original motion, nothing is twisted about its own axis, and a target
that is where the end already was changes nothing.

An almost straight limb has no plane of its own: there the hinge of the joint between the
two bones says where to bend to, and takes over from the plane smoothly.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import quaternion
from .motion import Motion
from .quaternion import Array
from .scene_turns import with_scene_turns
from .skeleton import Skeleton
from .soft_reach import soft_reach

# Sine of the bend above which the limb's own plane alone decides where it bends to (3 degrees).
_PLANE_IS_CLEAR = 0.05
# Changes of length below this fraction of the limb are rounding: near full extension they
# would otherwise open the joint by the square root of it.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class BendRange:
    """How far elbow or knee may bend, in radians; never to the side opposite to the hinge's.

    Attributes:
        smallest: Angle between the two bones at most stretch; 0 is straight.
        largest: At the sharpest bend.
    """

    smallest: float = 0.0
    largest: float = np.pi

    def __post_init__(self) -> None:
        """Refuse what is no range."""
        if not 0.0 <= self.smallest <= self.largest <= np.pi:
            raise ValueError(f"A bend goes from 0 to pi, not from {self.smallest:g} to {self.largest:g}")


@dataclass(frozen=True)
class Limb:
    """Three joints of a limb, each below the one before; other joints may lie between them.

    Attributes:
        upper: Hip or shoulder.
        lower: Knee or elbow.
        end: Ankle or wrist, the joint that is brought to the target.
        hinge: Axis in the lower joint's own axes about which the end turns, right-handed,
            when the limb bends. Used only where the limb is straight. When not given it is
            the mean axis about which the limb is bent in the motion.
        bend: How far it may bend, and that only to the hinge's side, as knees do; any way by default.
    """

    upper: int
    lower: int
    end: int
    hinge: tuple[float, float, float] | None = None
    bend: BendRange | None = None

    @classmethod
    def named(
        cls, skeleton: Skeleton, upper: str, lower: str, end: str, hinge: tuple[float, float, float] | None = None
    ) -> "Limb":
        """The limb of the joints with these names."""
        return cls(skeleton.index[upper], skeleton.index[lower], skeleton.index[end], hinge)


@dataclass(frozen=True)
class _Shape:
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


def reach_targets(
    motion: Motion, limb: Limb, targets: Any, *, end_rotations: Any = None, softness: float = 0.01
) -> Motion:
    """Turn the joints of a limb so that its end sits on the targets.

    The distance d from the limb's first joint to a target is kept up to a start s, and beyond
    it approaches the limb's full length L without ever stopping abruptly:
    s + w (1 - exp(-(d - s) / w)) with w = L - s. The start is (1 - softness) L, or the
    limb's length in the original motion where that is longer, so that poses which were
    straight stay so. Targets below the start are met exactly. A range of the limb's bend limits its length
    in the same way; what the motion has beyond the range is brought into it.

    Args:
        motion: Motion to change. Scales along the limb must be uniform.
        limb: Which joints.
        targets: (F, 3) places of the limb's end, in scene space.
        end_rotations: (F, 4) orientation of the end joint in scene space; when not given the
            end keeps the one it had.
        softness: Part of the limb's length, 0 to 1, over which it slows down before full
            extension. Raise it where elbows or knees still pop; 0 switches it off, and all
            targets within reach are met.

    Raises:
        ValueError: The joints are no limb of this skeleton, or an array does not fit.
    """
    _check(motion, limb, softness)
    targets = _rows(targets, (len(motion), 3), "targets")
    positions, rotations = motion.poses.positions, motion.poses.rotations
    shape = _shape(motion, limb)
    aim = targets - positions[:, limb.upper]
    upper_turn, lower_turn = _turns(shape, aim, softness, limb.bend)
    if end_rotations is None:
        end_turn = quaternion.identity(len(motion))
    else:
        wanted = _rows(end_rotations, (len(motion), 4), "end_rotations")
        end_turn = quaternion.multiply(wanted, quaternion.conjugate(rotations[:, limb.end]))
    return with_scene_turns(motion, (limb.upper, limb.lower, limb.end), (upper_turn, lower_turn, end_turn))


def _check(motion: Motion, limb: Limb, softness: float) -> None:
    skeleton = motion.skeleton
    between_end = skeleton.ancestors(limb.end)
    if limb.lower not in between_end or limb.upper not in skeleton.ancestors(limb.lower):
        names = ", ".join(f"'{skeleton.names[joint]}'" for joint in (limb.upper, limb.lower, limb.end))
        raise ValueError(f"A limb needs three joints, each below the one before, not {names}")
    for joint in between_end[: between_end.index(limb.upper)]:
        if joint != limb.lower and not skeleton.inherits_rotation[joint]:
            raise ValueError(f"'{skeleton.names[joint]}' does not turn with the limb that it is part of")
    if not 0.0 <= softness < 1.0:
        raise ValueError("softness must be at least 0 and below 1")


def _rows(values: Any, shape: tuple[int, int], name: str) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def _shape(motion: Motion, limb: Limb) -> _Shape:
    positions = motion.poses.positions
    upper_bone = positions[:, limb.lower] - positions[:, limb.upper]
    lower_bone = positions[:, limb.end] - positions[:, limb.lower]
    hinge = _scene_hinge(motion, limb, _cross(upper_bone, lower_bone))
    span = _length(upper_bone + lower_bone)
    upper_length, lower_length = _length(upper_bone), _length(lower_bone)
    folded = span <= _ROUNDING * (upper_length + lower_length)
    # Folded onto itself the limb points nowhere; its plane still tells where it would open to.
    toward = _unit(_choose(folded, _cross(hinge, upper_bone), upper_bone + lower_bone), _any_normal(hinge))
    along = quaternion.dot(upper_bone, toward)
    sideways = upper_bone - _scaled(toward, along)
    bend_to = _unit(_cross(toward, hinge), _any_normal(toward))
    return _Shape(
        upper_bone, lower_bone, upper_length, lower_length, span, toward, bend_to, _local(sideways, toward, bend_to)
    )


def _local(sideways: Array, toward: Array, bend_to: Array) -> Array:
    """(F, 2) the lower joint's distance from the limb's axis: to the hinge's side, and across it."""
    return quaternion.stack(quaternion.dot(sideways, bend_to), quaternion.dot(sideways, _cross(toward, bend_to)))


def _scene_hinge(motion: Motion, limb: Limb, normals: Array) -> Array:
    """Axis (F, 3) in scene space about which the limb bends where it is straight."""
    orientation = motion.poses.rotations[:, limb.lower]
    if limb.hinge is not None:
        axis = np.asarray(limb.hinge, dtype=np.float64)
    else:
        axis = quaternion.rotate(quaternion.conjugate(orientation), normals).sum(axis=0)
    return _unit(quaternion.rotate(orientation, axis), np.array([1.0, 0.0, 0.0]))


def _turns(shape: _Shape, aim: Array, softness: float, bend: BendRange | None) -> tuple[Array, Array]:
    """Turns of the two bones in scene space that bring the end to `aim`, as near as can be."""
    length = _reachable(shape, _length(aim), softness, bend or BendRange())
    along, outward, swivel = _new_bend(shape, length, one_sided=bend is not None)
    across = _cross(shape.toward, shape.aside)
    aside = _scaled(shape.aside, np.cos(swivel)) + _scaled(across, np.sin(swivel))
    upper_bone = _scaled(shape.toward, along) + _scaled(aside, outward)
    lower_bone = _scaled(shape.toward, length) - upper_bone
    axis = _cross(aside, shape.toward)
    whole = _shortest_turn(shape.toward, _unit(aim, shape.toward), axis)
    upper = _shortest_turn(shape.upper_bone, upper_bone, axis)
    lower = _shortest_turn(shape.lower_bone, lower_bone, axis)
    return quaternion.multiply(whole, upper), quaternion.multiply(whole, lower)


def _reachable(shape: _Shape, distance: Array, softness: float, bend: BendRange) -> Array:
    longest, shortest = (_length_at(shape, angle) for angle in (bend.smallest, bend.largest))
    return np.maximum(soft_reach(distance, longest, np.minimum(shape.span, longest), softness), shortest)


def _length_at(shape: _Shape, angle: float) -> Array:
    """(F,) how long a limb is that is bent by an angle."""
    first, second = shape.upper_length, shape.lower_length
    # Written so that a straight limb and one folded onto itself have their lengths without rounding.
    if angle < 0.5 * np.pi:
        lost = 4.0 * first * second * np.sin(0.5 * angle) ** 2
        return np.sqrt((first + second) ** 2 - lost) if angle else first + second
    gained = 4.0 * first * second * np.cos(0.5 * angle) ** 2
    return np.sqrt((first - second) ** 2 + gained) if angle < np.pi else np.abs(first - second)


def _new_bend(shape: _Shape, length: Array, *, one_sided: bool) -> tuple[Array, Array, Array]:
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
    to_hinge = np.abs(shape.offset[:, 0]) if one_sided else shape.offset[:, 0]
    swivel = np.arctan2(shape.offset[:, 1], to_hinge)
    return along, outward, swivel * _trust_in_plane(shape, before, np.where(same, 0.0, outward - before))


def _trust_in_plane(shape: _Shape, before: Array, opening: Array) -> Array:
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
    start, end = _unit(start, end), _unit(end, start)
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


def _unit(vectors: Array, otherwise: Array) -> Array:
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
