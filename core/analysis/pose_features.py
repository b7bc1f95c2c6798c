"""Poses as points that can be compared: joint positions seen from the body itself.

Where a body stands and which way it faces says nothing about what it does. The torso carries a
frame of its own; seen from there, two steps of a walk are the same wherever they lead.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..body import Body, LimbKind, Side
from ..motion import Motion
from ..numerics import Array, unit
from .contacts import estimate_floor

# Samples of the tent that a low-pass filter lays over the motion, on each side of its middle.
_TENT = 4
# Cosine between spine and up axis from which on a body stands upright on its spine.
_UPRIGHT = 0.6
_SHORT = 1e-9


@dataclass(frozen=True, eq=False)
class HorizontalFrame:
    """Where the torso is above the ground and which way it faces, for every frame.

    Attributes:
        origin: (F, 3) the torso's place with the height taken out.
        axes: (F, 3, 3) rows: to the right, forward, up; right-handed unit vectors.
    """

    origin: Array
    axes: Array

    def of(self, points: Array) -> Array:
        """Points (F, N, 3) seen from this frame."""
        seen: Array = np.einsum("frc,fnc->fnr", self.axes, points - self.origin[:, None])
        return seen


def feature_joints(body: Body) -> tuple[int, ...]:
    """Joints that show what a body does: trunk, head and limbs with the first joint of each toe.

    Fingers are left out: many joints in one place would outweigh the rest. All joints are taken
    if the body's parts are not known.
    """
    ends = () if body.head is None else (body.head,)
    limbs = (joint for limb in body.limbs for joint in (*limb.girdle, *limb.chain, limb.end) if joint is not None)
    toes = (digit[0] for digit in body.toes if digit)
    found = dict.fromkeys([*_trunk(body), *body.neck, *ends, *limbs, *toes])
    return tuple(found) if len(found) > 1 else tuple(range(len(body.skeleton)))


def horizontal_frame(positions: Any, body: Body) -> HorizontalFrame:
    """The frame that moves along the ground with the torso and turns with it about the up axis.

    The turn is that of hips and shoulders together with the spine, so that it is known in a
    cartwheel too. A body without left and right is not turned.

    Args:
        positions: (F, J, 3) places of the skeleton's joints.
        body: Its up axis is needed, and its root or torso.

    Raises:
        MissingRoleError: The up axis is not known.
    """
    points = np.asarray(positions, dtype=np.float64)
    level = _level_axes(body.require("up axis").vector)
    centre = points[:, list(_trunk(body)) or slice(None)].mean(axis=1)
    origin = centre - (centre @ level[2])[:, None] * level[2]
    facing = _facing(points, body, level)
    cosine, sine = np.cos(facing), np.sin(facing)
    right = cosine[:, None] * level[0] + sine[:, None] * level[1]
    forward = cosine[:, None] * level[1] - sine[:, None] * level[0]
    return HorizontalFrame(origin, np.stack([right, forward, np.broadcast_to(level[2], right.shape)], axis=1))


def torso_positions(positions: Any, body: Body, *, joints: Iterable[int] | None = None) -> Array:
    """(F, N, 3) joints seen from the torso: horizontal place and turn removed, in body heights.

    Height over the floor stays, since a fall shows in it.

    Args:
        positions: (F, J, 3) places of the skeleton's joints.
        body: Its up axis is needed; without a height, units of the scene are kept.
        joints: Joints to see; `feature_joints` if not given.
    """
    points = np.asarray(positions, dtype=np.float64)
    frame = horizontal_frame(points, body)
    chosen = list(feature_joints(body) if joints is None else joints)
    seen = frame.of(points[:, chosen])
    seen[..., 2] -= estimate_floor(points, frame.axes[0, 2])
    return seen / (body.height or 1.0)


def rigid_features(motion: Motion, *, positions: Any = None) -> Array:
    """(F, J, 9) location and two axes of every joint: features of a camera or a prop.

    Locations are given in multiples of their own spread, so that moving and turning count alike.

    Args:
        motion: Of a single object, or of a few that move without a body.
        positions: (F, J, 3) if they do not follow from the motion alone.
    """
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    w, x, y, z = np.moveaxis(motion.poses.rotations, -1, 0)
    first = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=-1)
    second = np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], axis=-1)
    spread = float(np.sqrt(places.var(axis=0).sum(axis=-1)).mean())
    scale = spread if spread > _SHORT else 1.0
    return np.concatenate([(places - places.mean(axis=0)) / scale, first, second], axis=-1)


def low_passed(times: Array, values: Any, at: Array, *, radius: float) -> Array:
    """(N, ...) values around the times `at`, weighted with a tent that ends at the radius.

    The tent narrows towards both ends, so that the first and last value stay.

    Args:
        times: (F,) increasing, in seconds.
        values: (F, ...) samples, straight lines between them.
        at: (N,) where to read, in seconds; outside the ends are held.
        radius: Seconds on each side; 0 reads without filtering.
    """
    flat = np.asarray(values, dtype=np.float64).reshape(len(times), -1)
    held = np.clip(at, times[0], times[-1])
    reach = np.minimum(radius, np.minimum(held - times[0], times[-1] - held))
    shares = np.arange(-_TENT, _TENT + 1) / (_TENT + 1)
    weights = (1.0 - np.abs(shares)) / (1.0 - np.abs(shares)).sum()
    total = sum(
        weight * _read(times, flat, held + share * reach) for share, weight in zip(shares, weights, strict=True)
    )
    return np.asarray(total).reshape(len(at), *np.shape(values)[1:])


def horizontal_alignment(points: Any, onto: Any, up: Any, *, weights: Any = None) -> tuple[float, Array]:
    """Turn about the up axis and shift along the ground that lay points onto others best.

    Args:
        points: (N, 3) to be moved.
        onto: (N, 3) where each should come to lie.
        up: (3,) unit vector away from the ground.
        weights: (N,) what each counts; all the same if not given.

    Returns:
        Angle in radians, anticlockwise seen from above, and the (3,) shift after the turn: the
        least sum of squared distances.
    """
    axes = _level_axes(np.asarray(up, dtype=np.float64))
    weight = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=np.float64)
    weight = weight / weight.sum()
    moved, fixed = np.asarray(points) @ axes[:2].T, np.asarray(onto) @ axes[:2].T
    middle, target = weight @ moved, weight @ fixed
    (x, y), (u, v) = (moved - middle).T, (fixed - target).T
    angle = float(np.arctan2(weight @ (x * v - y * u), weight @ (x * u + y * v)))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shift: Array = (target - turn @ middle) @ axes[:2]
    return angle, shift


def _trunk(body: Body) -> tuple[int, ...]:
    return body.torso or (() if body.root is None else (body.root,))


def _level_axes(up: Array) -> Array:
    """(3, 3) rows: two directions along the ground and up, right-handed."""
    first = np.zeros(3)
    first[int(np.argmin(np.abs(up)))] = 1.0
    first = np.cross(up, first)
    first = first / np.linalg.norm(first)
    return np.stack([first, np.cross(up, first), up])


def _facing(points: Array, body: Body, level: Array) -> Array:
    """(F,) angle about the up axis by which right and forward are turned."""
    right = unit(_to_the_right(points, body), shortest=_SHORT)
    if not right.any():
        return np.zeros(len(points))
    forward = _forward(points, body, right, level[2])
    angle: Array = np.arctan2(right @ level[1] - forward @ level[0], right @ level[0] + forward @ level[1])
    return angle


def _to_the_right(points: Array, body: Body) -> Array:
    """(F, 3) from the left limbs' first joints to the right ones'."""
    total = np.zeros((len(points), 3))
    for kind in LimbKind:
        left, right = (body.limbs_of(kind, side=side) for side in (Side.LEFT, Side.RIGHT))
        for one, other in zip(left, right, strict=False):
            total += points[:, other.chain[0]] - points[:, one.chain[0]]
    if not total.any() and body.pairs:
        left_joints, right_joints = np.array(body.pairs).T
        total = (points[:, right_joints] - points[:, left_joints]).mean(axis=1)
    return total


def _forward(points: Array, body: Body, right: Array, up: Array) -> Array:
    """(F, 3) across spine and shoulders, or along the spine of a body that goes on all fours."""
    trunk = (*_trunk(body), *body.neck)
    spine = (
        unit(points[:, trunk[-1]] - points[:, trunk[0]], shortest=_SHORT) if len(trunk) > 1 else np.zeros_like(right)
    )
    if not spine.any():
        return np.cross(up, right)
    if abs(float(np.median(spine @ up))) < _UPRIGHT:
        return spine
    return unit(np.cross(spine, right), shortest=_SHORT)


def _read(times: Array, flat: Array, at: Array) -> Array:
    """Straight lines between the samples (F, N)."""
    if len(times) == 1:
        return np.repeat(flat, len(at), axis=0)
    before = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    share = ((at - times[before]) / (times[before + 1] - times[before]))[:, None]
    read: Array = flat[before] * (1.0 - share) + flat[before + 1] * share
    return read
