"""Capsules around the bones of a character: how thick each part of the body is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...body import Body, Limb, LimbKind, control_joints
from ...errors import MotionEditError
from ...motion import Indices, Skeleton
from ...numerics import Array

# Radii as parts of the height of a standing character: 13 cm for the chest and 3.7 cm for the forearm
# of somebody 1.75 m tall.
_TORSO, _NECK, _HEAD, _GIRDLE = 0.075, 0.035, 0.055, 0.035
_HAND, _FOOT, _DIGIT = 0.022, 0.022, 0.007
_ARM, _LEG = (0.028, 0.021), (0.045, 0.030)
# The trunk of a character on four legs is thick for its height.
_FOUR_LEGGED_TORSO = 0.16

# Radius of a bone of which nothing else is known: a part of its length, bounded by parts of the height.
_UNKNOWN, _THINNEST, _THICKEST = 0.15, 0.007, 0.05

# Bones shorter than this part of the height only carry the next one.
_NO_LENGTH = 1e-3


class NoBonesError(MotionEditError):
    """A character has no bone that could touch anything."""


@dataclass(frozen=True, eq=False)
class Capsules:
    """B capsules: rounded cylinders from a joint to a child joint, or to the tip of the last bone.

    Attributes:
        skeleton: The joints that the numbers refer to.
        joints: (B,) the joint at which each capsule starts and whose bone it surrounds.
        ends: (B,) the joint at which it ends; the same joint where it ends at the bone's tip.
        before: (B,) the joint before the start, -1 for none; a tip that is not known lies straight on.
        lengths: (B,) at rest, in units of the scene.
        radii: (B,) in units of the scene.
    """

    skeleton: Skeleton
    joints: Indices
    ends: Indices
    before: Indices
    lengths: Array
    radii: Array

    def __len__(self) -> int:
        return len(self.joints)

    @property
    def names(self) -> tuple[str, ...]:
        """(B,) name of each capsule's bone."""
        return tuple(self.skeleton.names[joint] for joint in self.joints)

    def segments(self, positions: Any) -> tuple[Array, Array]:
        """(F, B, 3) starts and (F, B, 3) ends of the capsules' axes.

        Args:
            positions: (F, J, 3) joints in the scene, or (F, 2 J, 3) joints and then the tips of their
                bones. Without tips, the last bone of a limb continues the one before it.

        Raises:
            ValueError: The positions are not those of this skeleton.
        """
        points, count = np.asarray(positions, dtype=np.float64), len(self.skeleton)
        if points.ndim != 3 or points.shape[1] not in (count, 2 * count) or points.shape[2] != 3:
            raise ValueError(f"positions must have shape (F, {count}, 3) or (F, {2 * count}, 3), not {points.shape}")
        at_tip = self.ends == self.joints
        if points.shape[1] == 2 * count:
            return points[:, self.joints], points[:, np.where(at_tip, count + self.joints, self.ends)]
        starts, ends = points[:, self.joints], points[:, self.ends]
        ends[:, at_tip] = self._straight_on(points, np.flatnonzero(at_tip & (self.before >= 0)), ends)[:, at_tip]
        return starts, ends

    def _straight_on(self, points: Array, bones: Indices, ends: Array) -> Array:
        """The ends with those of the bones moved by the bone's length, away from the joint before."""
        start = points[:, self.joints[bones]]
        along = start - points[:, self.before[bones]]
        size = np.linalg.norm(along, axis=-1, keepdims=True)
        ends[:, bones] = start + along * (self.lengths[bones, None] / np.where(size > 0.0, size, 1.0))
        return ends


def fit_capsules(skeleton: Skeleton, *, body: Body | None = None, joints: Iterable[int] | None = None) -> Capsules:
    """Put a capsule around every bone.

    A part of the body that is known has the radius of that part, measured by the height: chest 7.5 %,
    head 5.5 %, thigh 4.5 %, shin 3 %, upper arm 2.8 %, forearm 2.1 %, hand and foot 2.2 %, digit 0.7 %.
    Another bone has 15 % of its own length, between 0.7 % and 5 % of the height.

    Args:
        skeleton: J joints; the one that places the skeleton in the scene gets no capsule.
        body: Tells the parts and the height. Of a skeleton with more joints than the body's own, such
            as a control rig, only the body's get capsules.
        joints: Joints that get capsules, instead of the body's or all that an animator moves.

    Raises:
        NoBonesError: There is no bone.
    """
    chosen = _chosen(skeleton, body, joints)
    height = _height(skeleton, body)
    bones = _bones(skeleton, chosen, _NO_LENGTH * height)
    if not bones:
        raise NoBonesError("The character has no bones that could touch anything: choose them in the Character panel")
    starts, ends, before = np.array(bones, dtype=np.intp).T
    lengths = np.array([_length(skeleton, start, end) for start, end in zip(starts, ends, strict=True)])
    usual = np.clip(_UNKNOWN * lengths, _THINNEST * height, _THICKEST * height)
    shares = {} if body is None else _shares(body)
    known = np.array([shares.get(int(start), 0.0) * height for start in starts])
    radii = np.where(known > 0.0, known, usual)
    return Capsules(skeleton, starts, ends, before, lengths, radii)


def _chosen(skeleton: Skeleton, body: Body | None, joints: Iterable[int] | None) -> set[int]:
    if joints is not None:
        return {int(joint) for joint in joints}
    parts = set() if body is None else _body_joints(body)
    return parts or set(control_joints(skeleton))


def _body_joints(body: Body) -> set[int]:
    ones = (joint for joint in (body.root, body.head) if joint is not None)
    return {*ones, *body.torso, *body.neck, *(joint for limb in body.limbs for joint in limb.joints)}


def _height(skeleton: Skeleton, body: Body | None) -> float:
    """Height of the body, else the longest side of the box around the joints at rest."""
    if body is not None and body.height:
        return body.height
    places = skeleton.rest_positions[1 if skeleton.has_placement else 0 :]
    return float(np.ptp(places, axis=0).max()) if len(places) else 1.0


def _bones(skeleton: Skeleton, chosen: set[int], no_length: float) -> list[tuple[int, int, int]]:
    """(start, end, joint before the start) of each bone between joints that were chosen."""
    above = {joint: next((up for up in skeleton.ancestors(joint) if up in chosen), -1) for joint in sorted(chosen)}
    bones = [(parent, joint, above[parent]) for joint, parent in above.items() if parent >= 0]
    bones = [bone for bone in bones if _length(skeleton, *bone[:2]) > no_length]
    last = sorted(chosen - set(above.values()))
    return bones + [(joint, joint, _joint_before(skeleton, joint, above, no_length)) for joint in last]


def _joint_before(skeleton: Skeleton, joint: int, above: dict[int, int], no_length: float) -> int:
    """The nearest joint above that lies elsewhere; -1 for none."""
    before = above[joint]
    while before >= 0 and _length(skeleton, before, joint) <= no_length:
        before = above[before]
    return before


def _length(skeleton: Skeleton, start: int, end: int) -> float:
    """Length at rest between two joints, or of the joint's own bone."""
    if start == end:
        return float(np.linalg.norm(skeleton.tips[start]))
    return float(np.linalg.norm(skeleton.rest_positions[end] - skeleton.rest_positions[start]))


def _shares(body: Body) -> dict[int, float]:
    """Radius of the bone at each joint of a known part, as a part of the height."""
    four_legged = bool(body.limbs_of(LimbKind.FORE_LEG))
    torso = _FOUR_LEGGED_TORSO if four_legged else _TORSO
    shares = dict.fromkeys(body.torso, torso) | dict.fromkeys(body.neck, _NECK)
    shares |= {} if body.root is None else {body.root: torso}
    shares |= {} if body.head is None else {body.head: _HEAD}
    for limb in body.limbs:
        if limb.kind is LimbKind.ARM or limb.kind.is_leg:
            upper, lower = _LEG if limb.kind.is_leg else _ARM
            end = _FOOT if limb.kind.is_leg else _HAND
            shares |= dict.fromkeys(limb.girdle, _GIRDLE) | dict.fromkeys(limb.chain, lower)
            shares |= {limb.chain[0]: upper} if limb.chain else {}
            shares |= {} if limb.end is None else {limb.end: end}
            shares |= {joint: _DIGIT for digit in limb.digits for joint in digit}
            shares |= dict.fromkeys(_palm_bones(body.skeleton, limb), end)
    return shares


def _palm_bones(skeleton: Skeleton, limb: Limb) -> list[int]:
    """First joints of digits that start where the hand or foot does, so that their bone is the palm."""
    if limb.end is None:
        return []
    return [digit[0] for digit in limb.digits if np.allclose(*skeleton.rest_positions[[limb.end, digit[0]]])]
