"""Parts of a body as curves over time, so that their timing can be compared.

A joint set is described by the rotation vectors that lead from each joint's mean to its rotations, an
end effector by its place seen from the body that carries the limb. Neither knows where a character
stands, which way it faces or how it holds itself. Speeds would: another timing changes their size as
well as their time, which pulls an alignment aside. Curves of a part are divided by the size of the
part's whole movement: joints that hardly move hardly count.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import MotionEditError
from ..motion import Motion, Skeleton, joints_by_name
from ..numerics import Array, quaternion
from ..solve import Limb

# Radians, and shares of a limb's length, below which a part stands still.
_STILL = 1e-4


class StillPartError(MotionEditError):
    """A part whose timing is asked for does not move."""


@dataclass(frozen=True)
class MovingPart:
    """Joints and ends of limbs whose timing is looked at or changed.

    Attributes:
        joints: Joints whose own rotations count.
        effectors: Limbs whose ends' places count.
    """

    joints: tuple[int, ...] = ()
    effectors: tuple[Limb, ...] = ()

    def driven_joints(self, skeleton: Skeleton) -> set[int]:
        """Joints whose rotations make the part's movement: of limbs, all from the first to the end."""
        return {*self.joints, *(joint for limb in self.effectors for joint in joints_along(skeleton, limb))}

    def named_in(self, skeleton: Skeleton, other: Skeleton) -> "MovingPart":
        """The same part of another skeleton.

        Raises:
            SkeletonMismatchError: Names are missing there.
        """
        wanted = [*self.joints, *(joint for limb in self.effectors for joint in limb_joints(limb))]
        theirs = dict(zip(wanted, joints_by_name(skeleton, wanted, other), strict=True))
        limbs = (Limb(theirs[limb.upper], theirs[limb.lower], theirs[limb.end]) for limb in self.effectors)
        return MovingPart(tuple(theirs[joint] for joint in self.joints), tuple(limbs))


def limb_joints(limb: Limb) -> tuple[int, int, int]:
    """Upper joint, lower joint and end."""
    return limb.upper, limb.lower, limb.end


def joints_along(skeleton: Skeleton, limb: Limb) -> list[int]:
    """All joints from a limb's end up to its first one."""
    above = skeleton.ancestors(limb.end)
    return [limb.end, *above[: above.index(limb.upper) + 1]]


def limb_length(motion: Motion, limb: Limb) -> float:
    """Length of the stretched limb, mean of all frames."""
    upper, lower, end = (motion.poses.positions[:, joint] for joint in limb_joints(limb))
    lengths = np.linalg.norm(lower - upper, axis=1) + np.linalg.norm(end - lower, axis=1)
    return float(lengths.mean())


def matching_curves(first: Motion, one: MovingPart, second: Motion, other: MovingPart) -> tuple[Array, Array]:
    """(F, D) and (G, D) what a part does in two motions, each kind of movement with a mean square of 1.

    Args:
        first: A motion.
        one: The part of its skeleton.
        second: Another motion.
        other: The same part of its skeleton.

    Raises:
        StillPartError: Nothing of the part moves in one of the motions.
    """
    pairs = list(zip(_kinds(first, one), _kinds(second, other), strict=True))
    moving = [(kind, like) for kind, like in pairs if min(_size(kind), _size(like)) > _STILL]
    if not moving:
        names = named(first.skeleton, one.driven_joints(first.skeleton)) or "A part without bones"
        raise StillPartError(
            f"{names} does not move in the window or in the reference; choose parts in which it does, or other bones"
        )
    here, there = zip(*((kind / _size(kind), like / _size(like)) for kind, like in moving), strict=True)
    return np.concatenate(here, axis=1), np.concatenate(there, axis=1)


def _kinds(motion: Motion, part: MovingPart) -> list[Array]:
    rotations = [_rotation_curves(motion, part.joints)] if part.joints else []
    return [*rotations, *(_effector_curve(motion, limb) for limb in part.effectors)]


def _rotation_curves(motion: Motion, joints: tuple[int, ...]) -> Array:
    """(F, 3 N) rotation vectors from each joint's mean, along the skeleton's axes at rest."""
    chosen = list(joints)
    rotations = motion.rotations[:, chosen]
    deviations = quaternion.log(quaternion.multiply(quaternion.conjugate(quaternion.mean(rotations)), rotations))
    return quaternion.rotate(motion.skeleton.rest_rotations[chosen], deviations).reshape(len(motion), -1)


def _effector_curve(motion: Motion, limb: Limb) -> Array:
    """(F, 3) place of a limb's end about its mean, in limb lengths, seen from the joint that carries the limb."""
    places = motion.poses.positions
    reach = (places[:, limb.end] - places[:, limb.upper]) / limb_length(motion, limb)
    carrier = int(motion.skeleton.parents[limb.upper])
    if carrier >= 0:
        at_rest = motion.skeleton.rest_rotations[carrier]
        turned = quaternion.multiply(motion.poses.rotations[:, carrier], quaternion.conjugate(at_rest))
        reach = quaternion.rotate(quaternion.conjugate(turned), reach)
    centred: Array = reach - reach.mean(axis=0)
    return centred


def _size(curve: Array) -> float:
    return float(np.sqrt((curve**2).sum(axis=1).mean()))


def named(skeleton: Skeleton, joints: Iterable[int]) -> str:
    """Names of joints for a message: the first three and the number of the others."""
    names = [f"'{skeleton.names[joint]}'" for joint in sorted(joints)]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
