"""Knees and elbows: joints that bend about one axis, and never the other way."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...body import Body
from ...motion import Motion
from ...numerics import Array, quaternion, unit

# A joint that never bends this far does not show its axis, in radians.
_SHOWS_AXIS = np.radians(20.0)
# Part of its bends that a hinge's axis explains at least; shoulders bend any way.
_ONE_AXIS = 0.8


@dataclass(frozen=True, eq=False)
class Hinge:
    """A joint between two bones of a limb, in the axes of the upper bone.

    Attributes:
        joint: The lower of the two.
        axis: (3,) unit vector about which it bends.
        upper: (3,) direction of the upper bone.
        lower: (3,) direction of the lower bone in the joint's own axes.
        rest: (4,) rotation of the joint's axes at rest.
        least: Bend below which it never was, in radians; 0 at most.
    """

    joint: int
    axis: Array
    upper: Array
    lower: Array
    rest: Array
    least: float = 0.0

    def bends(self, rotations: Array) -> Array:
        """(F,) radians, negative the other way, of the joint's rotations (F, 4)."""
        lower = quaternion.rotate(quaternion.multiply(self.rest, rotations), self.lower)
        found: Array = np.arctan2(np.cross(self.upper, lower) @ self.axis, lower @ self.upper)
        return found

    def turned(self, rotations: Array, angles: Array) -> Array:
        """Rotations (F, 4) bent further by angles (F,)."""
        turn = quaternion.exp(angles[:, None] * self.axis)
        return quaternion.multiply(
            quaternion.conjugate(self.rest), quaternion.multiply(turn, quaternion.multiply(self.rest, rotations))
        )


def hinges_of(body: Body, motion: Motion) -> list[Hinge]:
    """The hinges of all limbs as a motion shows them, with their least bends in it."""
    found = []
    for limb in body.limbs:
        chain = limb.chain if limb.end is None or limb.end in limb.chain else (*limb.chain, limb.end)
        for upper, lower, end in zip(chain, chain[1:], chain[2:], strict=False):
            hinge = _hinge(motion, upper, lower, end) if _follows(body, upper, lower, end) else None
            if hinge is not None:
                least = float(hinge.bends(motion.rotations[:, lower]).min())
                found.append(replace(hinge, least=min(least, 0.0)))
    return found


def _follows(body: Body, upper: int, lower: int, end: int) -> bool:
    parents = body.skeleton.parents
    return bool(parents[lower] == upper and parents[end] == lower)


def _hinge(motion: Motion, upper: int, lower: int, end: int) -> Hinge | None:
    """The hinge between two bones; None if it does not bend, or not about one axis."""
    skeleton = motion.skeleton
    turned_back = quaternion.conjugate(skeleton.rest_rotations[[upper, lower]])
    offsets = skeleton.rest_positions[[lower, end]] - skeleton.rest_positions[[upper, lower]]
    if (np.linalg.norm(offsets, axis=1) < 1e-9).any():
        return None
    directions = unit(quaternion.rotate(turned_back, offsets))
    rest = quaternion.multiply(turned_back[0], skeleton.rest_rotations[lower])
    ways = quaternion.rotate(quaternion.multiply(rest, motion.rotations[:, lower]), directions[1])
    crosses = np.cross(directions[0], ways)
    length = float(np.linalg.norm(crosses.sum(axis=0)))
    straight = np.arccos(np.clip(ways @ directions[0], -1.0, 1.0))
    if straight.max() < _SHOWS_AXIS or length < _ONE_AXIS * np.linalg.norm(crosses, axis=1).sum():
        return None
    return Hinge(lower, crosses.sum(axis=0) / length, directions[0], directions[1], rest)


def locked(motion: Motion, hinges: Sequence[Hinge], like: Motion | None = None) -> Motion:
    """A motion whose hinges bend the other way no further than they ever did.

    Args:
        motion: The motion.
        hinges: With their least bends.
        like: A motion with the same frames: where a joint is the same in both, it is left alone.
    """
    rotations = None
    for hinge in hinges:
        own = motion.rotations[:, hinge.joint]
        beyond = hinge.least - hinge.bends(own)
        changed = True if like is None else (own != like.rotations[:, hinge.joint]).any(axis=1)
        frames = np.flatnonzero((beyond > 1e-9) & changed)
        if len(frames):
            rotations = np.array(motion.rotations) if rotations is None else rotations
            bent = hinge.turned(own[frames], beyond[frames])
            rotations[frames, hinge.joint] = quaternion.aligned(bent, own[frames])
    return motion if rotations is None else replace(motion, rotations=rotations)
