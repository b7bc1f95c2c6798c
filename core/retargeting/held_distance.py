"""Hands that carry something: the distance between two joints is kept."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..contact_lock.held_limb import solvable
from ..contact_lock.windows import Mask, faded
from ..errors import SkeletonMismatchError
from ..limb_ik import Limb, reach_targets
from ..motion import Motion
from ..quaternion import Array
from .ground import Ground
from .report import MissedDistance

# Share of the target's legs by which a distance may be missed and still counts as kept.
_KEPT = 1e-4
# Most rounds in which one hand takes over what the other one could not reach, and when it is enough.
_ROUNDS, _MET = 20, 1e-9


@dataclass(frozen=True)
class HeldDistance:
    """Two source joints, ends of limbs, that hold something between them for a time.

    Attributes:
        first: Name of a source joint.
        second: Name of the other one.
        start: Seconds.
        end: Seconds.
        scale: Factor on the distance: 1 keeps what is carried as it is, the ratio of the characters' heights lets
            it grow and shrink with the character.
    """

    first: str
    second: str
    start: float
    end: float
    scale: float = 1.0

    def active(self, times: Array) -> Mask:
        """(F,) frames in which it holds."""
        return np.asarray((times >= self.start - 1e-9) & (times <= self.end + 1e-9))


def with_distances_kept(
    motion: Motion, source: Motion, ground: Ground, held: Sequence[HeldDistance], *, fade: float
) -> tuple[Motion, tuple[MissedDistance, ...]]:
    """The target's motion with distances kept, both limbs going half of the way, and what is missed."""
    missed = []
    for each in held:
        motion, miss = _kept(motion, source, ground, each, fade)
        if miss.amount > _KEPT * ground.measures[1].leg:
            missed.append(miss)
    return motion, tuple(sorted(missed, key=lambda miss: -miss.amount))


def _kept(
    motion: Motion, source: Motion, ground: Ground, held: HeldDistance, fade: float
) -> tuple[Motion, MissedDistance]:
    joints = [_target_joint(ground, source, name) for name in (held.first, held.second)]
    limbs = [_limb_of(motion, ground, joint) for joint in joints]
    ends = source.poses.positions[:, [source.skeleton.index[name] for name in (held.first, held.second)]]
    wanted = held.scale * np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    active = held.active(motion.times)
    for _ in range(_ROUNDS):
        apart = _missing(motion, joints, wanted)
        if np.abs(apart[active]).max(initial=0.0) <= _MET * ground.measures[1].leg:
            break
        motion = _nearer(motion, limbs, joints, apart, active, fade)
    amounts = np.where(active, np.abs(_missing(motion, joints, wanted)), 0.0)
    worst = int(np.argmax(amounts))
    names = [motion.skeleton.names[joint] for joint in joints]
    return motion, MissedDistance(names[0], names[1], float(motion.times[worst]), float(amounts[worst]))


def _missing(motion: Motion, joints: list[int], wanted: Array) -> Array:
    """(F,) how much too far apart two joints are."""
    places = motion.poses.positions
    return np.asarray(np.linalg.norm(places[:, joints[1]] - places[:, joints[0]], axis=1) - wanted)


def _nearer(motion: Motion, limbs: list[Limb], joints: list[int], apart: Array, active: Mask, fade: float) -> Motion:
    """Both ends moved towards each other by half of what is too much, along the line between them."""
    places = motion.poses.positions
    line = places[:, joints[1]] - places[:, joints[0]]
    line = line / np.maximum(np.linalg.norm(line, axis=1), 1e-300)[:, None]
    ways = faded(0.5 * apart[:, None] * line, active, motion.times, fade)
    for limb, sign in zip(limbs, (1.0, -1.0), strict=True):
        motion = reach_targets(motion, limb, places[:, limb.end] + sign * ways, softness=0.0)
    return motion


def _target_joint(ground: Ground, source: Motion, name: str) -> int:
    number = source.skeleton.index.get(name, -1)
    found = next((joint for joint, partner in ground.between.partners.items() if partner == number), None)
    if found is None:
        raise SkeletonMismatchError(f"'{name}' has no partner on the target; pair it or drop what it holds")
    return found


def _limb_of(motion: Motion, ground: Ground, joint: int) -> Limb:
    body = ground.between.target.body
    limb = next((limb for limb in body.limbs if limb.end == joint), None)
    found = None if limb is None else solvable(body.skeleton, limb, motion.poses)
    if found is None:
        raise SkeletonMismatchError(
            f"'{motion.skeleton.names[joint]}' is not the end of an arm or leg that can bend; choose hands or feet"
        )
    return found
