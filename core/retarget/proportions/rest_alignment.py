"""Corrections between the poses in which two skeletons stand: arms out or hanging, other axes up, other facing.

A source joint's turn away from its standing pose is D. The target's joint gets the turn W D W^-1 C,
where W leads from the source's up axis to the target's, and C turns the bone from its own standing
direction into that of the source. So bones that correspond point the same way in every frame.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...body import Limb
from ...numerics import Array, quaternion
from .standing_pose import StandingPose

# Angles between directions, in radians, and parts of a character's size, that are rounding.
_SAME = 1e-7


@dataclass(frozen=True, eq=False)
class Alignment:
    """How the standing poses of two skeletons differ.

    Attributes:
        axes: (4,) W, from the source's scene to the target's.
        corrections: (J, 4) C of every target joint.
    """

    axes: Array
    corrections: Array


def alignment(source: StandingPose, target: StandingPose, partners: Mapping[int, int]) -> Alignment:
    """Compare two standing poses.

    Args:
        partners: Source joint by target joint.
    """
    axes = shortest_turn(source.up, target.up)
    facing = _facing_turn(source, target, axes)
    own = dict(_Comparison(source, target, partners, axes, facing).corrections())
    corrections = np.tile(facing, (len(target.skeleton), 1))
    for level in target.skeleton.levels:
        for joint in level:
            parent = int(target.skeleton.parents[joint])
            corrections[joint] = own.get(int(joint), facing if parent < 0 else corrections[parent])
    return Alignment(axes, corrections)


def shortest_turn(start: Array, end: Array) -> Array:
    """(4,) turn by the shortest way between directions; exactly none where they are the same."""
    lengths = float(np.linalg.norm(start)), float(np.linalg.norm(end))
    if min(lengths) == 0.0:
        return quaternion.identity()
    one, other = start / lengths[0], end / lengths[1]
    axis, cosine = np.cross(one, other), float(one @ other)
    if float(np.linalg.norm(axis)) < _SAME:
        return quaternion.identity() if cosine > 0.0 else _half_turn(one)
    return quaternion.normalize(np.array([1.0 + cosine, *axis]))


def _half_turn(direction: Array) -> Array:
    axis = np.cross(direction, np.eye(3)[int(np.argmin(np.abs(direction)))])
    return np.array([0.0, *(axis / np.linalg.norm(axis))])


def _facing_turn(source: StandingPose, target: StandingPose, axes: Array) -> Array:
    """(4,) turn about the target's up axis that makes both face the same way."""
    if source.facing is None or target.facing is None:
        return quaternion.identity()
    return _level_turn(target.facing, quaternion.rotate(axes, source.facing), target.up)


def _level_turn(start: Array, end: Array, up: Array) -> Array:
    """(4,) turn about the up axis between the level parts of two directions."""
    angle = float(np.arctan2(np.cross(start, end) @ up, start @ end - (start @ up) * (end @ up)))
    return quaternion.identity() if abs(angle) < _SAME else quaternion.from_axis_angle(up, angle)


@dataclass(frozen=True, eq=False)
class _Comparison:
    """Directions of bones in two standing poses; `facing` (4,) makes the target face as the source does."""

    source: StandingPose
    target: StandingPose
    partners: Mapping[int, int]
    axes: Array
    facing: Array

    def corrections(self) -> Iterator[tuple[int, Array]]:
        """Of joints whose bones have a direction of their own; all others take over their parent's."""
        yield from self._trunk()
        for limb in self.target.body.limbs:
            chain = [joint for joint in limb.chain if joint in self.partners]
            yield from ((joint, self._aimed(joint, [after])) for joint, after in pairwise(chain))
            yield from self._end(limb)
            for digit in limb.digits if not limb.kind.is_leg else ():
                paired = [joint for joint in digit if joint in self.partners]
                follows = [(joint, after) for joint, after in pairwise(paired) if self._lie_apart(joint, after)]
                yield from ((joint, self._aimed(joint, [after])) for joint, after in follows)

    def _trunk(self) -> Iterator[tuple[int, Array]]:
        """Trunks are upright at rest, however their joints lie inside; in other poses they lean."""
        root, trunk = self.target.body.root, [*self.target.body.torso, *self.target.body.neck]
        paired = [joint for joint in trunk if joint in self.partners and joint != root]
        if root in self.partners and paired and not (self.source.at_rest and self.target.at_rest):
            assert root is not None
            yield root, self._aimed(root, paired[-1:])

    def _end(self, limb: Limb) -> Iterator[tuple[int, Array]]:
        if limb.end is None or limb.end not in self.partners:
            return
        firsts = [first for digit in limb.digits if (first := self._first(limb.end, digit)) is not None]
        # Soles lie flat at rest whatever way the bone goes inside the foot: only its heading counts.
        if firsts:
            yield limb.end, self._aimed(limb.end, firsts, level=limb.kind.is_leg)
        elif limb.kind.is_leg:
            yield limb.end, self.facing

    def _first(self, end: int, digit: tuple[int, ...]) -> int | None:
        """The first joint of a finger or toe that tells a direction: some begin right in the wrist."""
        paired = (joint for joint in digit if joint in self.partners)
        return next((joint for joint in paired if self._lie_apart(end, joint)), None)

    def _lie_apart(self, joint: int, other: int) -> bool:
        """Whether two joints are at different places, and their partners too."""
        pairs = (self.target, joint, other), (self.source, self.partners[joint], self.partners[other])
        return all(
            float(np.linalg.norm(pose.places[one] - pose.places[two])) > _SAME * float(np.ptp(pose.places))
            for pose, one, two in pairs
        )

    def _aimed(self, joint: int, ends: list[int], *, level: bool = False) -> Array:
        """(4,) turn of a joint that makes its way to the middle of some others point as the source's does."""
        ways = [
            pose.places[list(numbers)].mean(axis=0) - pose.places[start]
            for pose, start, numbers in (
                (self.source, self.partners[joint], [self.partners[end] for end in ends]),
                (self.target, joint, ends),
            )
        ]
        goal, own = quaternion.rotate(self.axes, ways[0]), quaternion.rotate(self.facing, ways[1])
        turn = _level_turn(own, goal, self.target.up) if level else shortest_turn(own, goal)
        return quaternion.multiply(turn, self.facing) if turn[0] != 1.0 else self.facing
