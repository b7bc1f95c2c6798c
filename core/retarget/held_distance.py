"""Hands that carry something: the distance between two joints is kept."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import SkeletonMismatchError
from ..motion import Motion
from ..numerics import Array
from ..solve import Limb, reach_targets
from ..solve.contact_lock import Mask, faded
from ..solve.whole_body import solvable
from .ground import Ground
from .report import MissedDistance

# Share of the target's height by which a distance may be missed and still counts as kept.
_KEPT = 1e-4
# Most rounds in which one hand takes over what the other one could not reach, and the share of the tolerance
# that is near enough.
_ROUNDS, _MET = 20, 1e-5


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


@dataclass(frozen=True, eq=False)
class KeptDistance:
    """Two ends of limbs, of one character or of two, whose distance is given.

    Attributes:
        owners: Whose the ends are: places in a list of motions.
        limbs: Their limbs.
        wanted: (F,) distance.
        active: (F,) frames in which it counts.
        tolerance: Distance that may be missed without a word.
    """

    owners: tuple[int, int]
    limbs: tuple[Limb, Limb]
    wanted: Array
    active: Mask
    tolerance: float

    def missing(self, motions: Sequence[Motion]) -> Array:
        """(F,) how much too far apart the ends are."""
        return np.asarray(np.linalg.norm(self.between(motions), axis=1) - self.wanted)

    def between(self, motions: Sequence[Motion]) -> Array:
        """(F, 3) from the first end to the second."""
        first, second = (motions[who].poses.positions[:, limb.end] for who, limb in self.ends)
        return np.asarray(second - first)

    @property
    def ends(self) -> list[tuple[int, Limb]]:
        """Owner and limb of both ends."""
        return list(zip(self.owners, self.limbs, strict=True))

    def miss(self, motions: Sequence[Motion]) -> MissedDistance | None:
        """What is missing most; None if it is kept."""
        amounts = np.where(self.active, np.abs(self.missing(motions)), 0.0)
        worst = int(np.argmax(amounts))
        if amounts[worst] <= self.tolerance:
            return None
        names = [motions[who].skeleton.names[limb.end] for who, limb in self.ends]
        time = float(motions[self.owners[0]].times[worst])
        return MissedDistance(names[0], names[1], time, float(amounts[worst]))


def with_distances_kept(
    motion: Motion, source: Motion, ground: Ground, held: Sequence[HeldDistance], *, fade: float
) -> tuple[Motion, tuple[MissedDistance, ...]]:
    """The target's motion with distances kept, both limbs going half of the way, and what is missed."""
    kept = [_kept_distance(motion, source, ground, each) for each in held]
    (final,) = closed([motion], kept, fade=fade)
    return final, misses([final], kept)


def closed(motions: Sequence[Motion], kept: Sequence[KeptDistance], *, fade: float) -> list[Motion]:
    """Motions whose limbs reach until the distances are kept, as far as they can."""
    found = list(motions)
    for each in kept:
        for _ in range(_ROUNDS):
            apart = np.where(each.active, each.missing(found), 0.0)
            if np.abs(apart).max(initial=0.0) <= _MET * each.tolerance:
                break
            _bring_nearer(found, each, apart, fade)
    return found


def misses(motions: Sequence[Motion], kept: Sequence[KeptDistance]) -> tuple[MissedDistance, ...]:
    """Distances that are not kept, worst first."""
    found = [miss for each in kept if (miss := each.miss(motions)) is not None]
    return tuple(sorted(found, key=lambda miss: -miss.amount))


def _bring_nearer(motions: list[Motion], kept: KeptDistance, apart: Array, fade: float) -> None:
    """Move both ends towards each other by half of what is too much, along the line between them."""
    line = kept.between(motions)
    line = line / np.maximum(np.linalg.norm(line, axis=1), 1e-300)[:, None]
    ways = faded(0.5 * apart[:, None] * line, kept.active, motions[kept.owners[0]].times, fade)
    targets = [motions[who].poses.positions[:, limb.end] for who, limb in kept.ends]
    for (who, limb), target, sign in zip(kept.ends, targets, (1.0, -1.0), strict=True):
        motions[who] = reach_targets(motions[who], limb, target + sign * ways, softness=0.0)


def _kept_distance(motion: Motion, source: Motion, ground: Ground, held: HeldDistance) -> KeptDistance:
    names = (held.first, held.second)
    first, second = (target_limb(motion, source, ground, name) for name in names)
    ends = source.poses.positions[:, [source.skeleton.index[name] for name in names]]
    wanted = held.scale * np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    tolerance = _KEPT * float(ground.between.target.body.height or ground.measures[1].leg)
    return KeptDistance((0, 0), (first, second), wanted, held.active(motion.times), tolerance)


def target_limb(motion: Motion, source: Motion, ground: Ground, name: str) -> Limb:
    """The target's limb whose end is the partner of a source joint.

    Raises:
        SkeletonMismatchError: There is none that can bend.
    """
    return _limb_of(motion, ground, _target_joint(ground, source, name))


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
