"""Measures of a body: up and forward axis, height."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..motion import Motion, Skeleton, forward_kinematics
from ..numerics import Array, quaternion
from .axis import Axis, nearest_axis
from .limb import Limb, LimbKind, Side

# Cosine of the angle between body and axis above which a pose counts as upright: a person
# bending far forward still does, one lying down or a rest pose without meaning does not.
_UPRIGHT = 0.8

# Least part of its bones' length that a standing two-legged figure measures: birds and
# crouching toys come near it, folded rest poses stay at half of it.
_STRAIGHT = 0.5

# Feet from which on the ground between them shows which way is up, and the most that they may differ along that
# axis as a share of the next one.
_MANY_FEET, _LEVEL = 4, 0.5

# Part of the body's size within which hands and feet stand on one level, with the trunk at
# least twice as far above them.
_SAME_LEVEL = 0.1

# A figure whose joints lie closer together than this part of their rest distances has
# collapsed: its file left position channels empty.
_COLLAPSED = 0.5


@dataclass(frozen=True, eq=False)
class Figure:
    """The joints that say where a body's ends are, and where they are.

    Attributes:
        joints: All joints of the body.
        trunk: Root, torso, neck and head, bottom first.
        limbs: All limbs.
        rest: (J, 3) joints at rest, as placed in the scene.
        rest_tips: (J, 3) bone ends at rest.
        moving: (F, J, 3) joints in the motion, None if there is no motion.
        places: A joint of the skeleton places it in the scene, so the rest pose is upright in it.
    """

    joints: tuple[int, ...]
    trunk: tuple[int, ...]
    limbs: tuple[Limb, ...]
    rest: Array
    rest_tips: Array
    moving: Array | None
    places: bool

    @property
    def feet(self) -> list[int]:
        """Feet, or the last joints of legs without feet."""
        return [limb.chain[-1] if limb.end is None else limb.end for limb in self.limbs if limb.kind.is_leg]


def rest_pose(skeleton: Skeleton, motion: Motion | None) -> tuple[Array, Array]:
    """(J, 3) joints and (J, 3) bone ends at rest, placed in the scene as in the motion's first frame."""
    rotations, locations = quaternion.identity(1, len(skeleton)), np.zeros((1, len(skeleton), 3))
    scales = np.ones((1, len(skeleton), 3))
    if skeleton.has_placement and motion is not None and len(motion):
        rotations[:, 0], locations[:, 0] = motion.rotations[0, 0], motion.locations[0, 0]
        scales[:, 0] = motion.scales[0, 0]
    poses = forward_kinematics(skeleton, rotations, locations, scales)
    return poses.positions[0], poses.tips[0]


def _bones(figure: Figure) -> list[tuple[int, int]]:
    chains = [figure.trunk, *(limb.chain for limb in figure.limbs)]
    return [pair for chain in chains for pair in pairwise(chain)]


def scale_of_motion(figure: Figure) -> float:
    """Bone lengths in the motion (median over frames) over those at rest; 1.0 if nothing can be told."""
    if figure.moving is None:
        return 1.0
    upper, lower = np.array(_bones(figure) or [(0, 0)]).T
    at_rest = np.linalg.norm(figure.rest[upper] - figure.rest[lower], axis=-1).sum()
    moving = np.linalg.norm(figure.moving[:, upper] - figure.moving[:, lower], axis=-1).sum(axis=-1)
    scale = float(np.median(moving) / at_rest) if at_rest > 0.0 else 1.0
    return scale if scale > _COLLAPSED else 1.0


def _directions(figure: Figure, positions: Array) -> Array:
    """(F, 3) unit vectors from the feet to the trunk, or along the trunk if there are no feet."""
    trunk = list(figure.trunk)
    if figure.feet and trunk:
        raw = positions[:, trunk].mean(axis=1) - positions[:, figure.feet].mean(axis=1)
    elif len(trunk) > 1:
        raw = positions[:, trunk[-1]] - positions[:, trunk[0]]
    else:
        return np.zeros((len(positions), 3))
    length = np.linalg.norm(raw, axis=-1, keepdims=True)
    directions: Array = np.divide(raw, length, out=np.zeros_like(raw), where=length > 0.0)
    return directions


def find_up(figure: Figure) -> Axis | None:
    """The axis that points away from the ground.

    The motion decides if the body is upright in it; then the rest pose; then whichever
    axis the body lies nearest to in the motion. In a scene that places the skeleton, an
    upright rest pose decides first: there z is up, and a clip may lie on the ground.
    """
    at_rest = _standing_axis(figure)
    if figure.moving is None:
        return at_rest or (Axis.PLUS_Z if figure.places else None)
    average = _directions(figure, figure.moving).mean(axis=0)
    upright = nearest_axis(average, certainty=_UPRIGHT) if np.linalg.norm(average) > _UPRIGHT else None
    moving = _level_axis(figure, figure.moving) or upright
    first, second = (at_rest, moving) if figure.places else (moving, at_rest)
    fallback = Axis.PLUS_Z if figure.places else nearest_axis(average, certainty=0.0)
    return first or second or fallback


def _standing_axis(figure: Figure) -> Axis | None:
    """The up axis of the rest pose, None if the rest pose does not stand.

    Some files fold the rest pose (every bone along x) and leave all to the rotations: the
    head of a two-legged figure must therefore be nearly as high above the feet as the
    bones between them are long.
    """
    axis = nearest_axis(_directions(figure, figure.rest[None])[0], certainty=_UPRIGHT)
    if not figure.feet or len(figure.feet) > 2:
        return _level_axis(figure, figure.rest[None]) or axis
    if axis is None:
        return _axis_of_legs(figure)
    above_feet = figure.rest[figure.trunk[-1]] - figure.rest[figure.feet].mean(axis=0)
    between = _legs_length(figure) + _length(figure, figure.trunk)
    return axis if above_feet @ axis.vector > _STRAIGHT * between else None


def _level_axis(figure: Figure, positions: Array) -> Axis | None:
    """The axis along which many feet are level, with the trunk above, which need not be over their middle."""
    if len(figure.feet) < _MANY_FEET or not figure.trunk:
        return None
    extents = np.median(np.ptp(positions[:, figure.feet], axis=1), axis=0)
    least, next_least = np.argsort(extents)[:2]
    if extents[least] > _LEVEL * extents[next_least]:
        return None
    above = positions[:, list(figure.trunk)].mean(axis=1) - positions[:, figure.feet].mean(axis=1)
    height = float(np.median(above[:, least]))
    return nearest_axis(height * np.eye(3)[least], certainty=0.0)


def _axis_of_legs(figure: Figure) -> Axis | None:
    """The axis along which straight legs lead up to a trunk that does not stand upright on them, as a bird's."""
    legs = [limb for limb in figure.limbs if limb.kind.is_leg]
    hips, feet = figure.rest[[limb.chain[0] for limb in legs]].mean(axis=0), figure.rest[figure.feet].mean(axis=0)
    axis = nearest_axis(hips - feet, certainty=_UPRIGHT)
    if axis is None or not figure.trunk:
        return None
    stands = (hips - feet) @ axis.vector > _STRAIGHT * _legs_length(figure)
    return axis if stands and (figure.rest[figure.trunk[-1]] - hips) @ axis.vector > 0.0 else None


def find_forward(figure: Figure, up: Axis | None) -> Axis | None:
    """The axis that the body faces at rest: left crossed with up; None if it faces none.

    Where the rest pose does not stand, the first frame's facing is taken.
    """
    if up is None:
        return None
    if _standing_axis(figure) is up:
        return _facing(figure, figure.rest, up)
    return None if figure.moving is None else _facing(figure, figure.moving[0], up)


def _facing(figure: Figure, positions: Array, up: Axis) -> Axis | None:
    """Forward at right angles to up and to the way from the right limbs' first joints to the left ones'."""
    starts = {
        side: [positions[limb.chain[0]] for limb in figure.limbs if limb.side is side]
        for side in (Side.LEFT, Side.RIGHT)
    }
    if not starts[Side.LEFT] or not starts[Side.RIGHT]:
        return None
    left = np.mean(starts[Side.LEFT], axis=0) - np.mean(starts[Side.RIGHT], axis=0)
    return nearest_axis(np.cross(left, up.vector), certainty=_UPRIGHT)


def find_height(figure: Figure, up: Axis | None) -> float | None:
    """Height of the standing body in units of the scene, the same for every clip of a skeleton.

    It is the rest pose's extent along its own up axis, scaled as the motion scales the
    bones. Where the rest pose does not stand, the lengths of leg, trunk and head are added.
    A skeleton without legs and head is as high as all its joints; None if nothing is known.
    """
    standing = _standing_axis(figure)
    if standing is not None:
        height = _extent(figure, standing)
    elif figure.feet or len(figure.trunk) > 1 or up is None:
        height = _stretched_height(figure)
    else:
        height = _extent(figure, up)
    return height * scale_of_motion(figure) or None


def _extent(figure: Figure, axis: Axis) -> float:
    """Size along an axis of trunk and legs at rest; arms, tails and ears may stick out."""
    legs = [joint for limb in figure.limbs if limb.kind.is_leg for joint in limb.joints]
    chosen = [*figure.trunk, *legs] if legs or len(figure.trunk) > 1 else list(figure.joints)
    places = np.concatenate([figure.rest[chosen], figure.rest_tips[chosen]])
    return float(np.ptp(places[:, axis.index])) if len(places) else 0.0


def _stretched_height(figure: Figure) -> float:
    """Length of the longest leg and of the trunk with the head, laid out straight."""
    if not figure.feet and len(figure.trunk) < 2:
        return 0.0
    head = figure.trunk[-1]
    tip = float(np.linalg.norm(figure.rest_tips[head] - figure.rest[head]))
    return _legs_length(figure) + _length(figure, figure.trunk) + tip


def _legs_length(figure: Figure) -> float:
    """Length of the longest leg, down to the foot even where a control of its own places it."""
    chains = [(*limb.chain, *(() if limb.end is None else (limb.end,))) for limb in figure.limbs if limb.kind.is_leg]
    return max((_length(figure, chain) for chain in chains), default=0.0)


def _length(figure: Figure, chain: tuple[int, ...]) -> float:
    return float(np.linalg.norm(np.diff(figure.rest[list(chain)], axis=0), axis=-1).sum())


def stands_on_hands(figure: Figure) -> bool:
    """Arms and legs at rest reach down to one level well below the trunk: a four-legged body."""
    arms = [limb for limb in figure.limbs if limb.kind is LimbKind.ARM]
    legs = [limb for limb in figure.limbs if limb.kind.is_leg]
    if not arms or not legs:
        return False
    size = float(np.ptp(figure.rest[list(figure.joints)], axis=0).max())
    for axis in Axis:
        heights = figure.rest @ axis.vector
        lowest = [float(heights[list(limb.joints)].min()) for limb in (*arms, *legs)]
        clear = float(heights[list(figure.trunk)].mean()) - max(lowest)
        if np.ptp(lowest) < _SAME_LEVEL * size < 0.5 * clear:
            return True
    return False
