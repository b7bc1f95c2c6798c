"""Inverse kinematics of chains of any length, all frames at once: a spine, a tail, an arm with its clavicle.

Every frame starts from its own pose and takes the same damped least-squares steps. How strongly a
step is damped follows smoothly from how far the end still is from its target, so frames that are
alike stay alike. Joints swing their bones and never twist them about themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Motion, Skeleton, with_scene_turns
from ..numerics import Array, quaternion, soft_reach

# Part of the chain's length by which an end may miss its target and still count as there.
_THERE = 1e-9
# Damping that is left when the end is there: keeps the equations solvable.
_LEAST_DAMPING = 1e-12
# How quickly trust in the pose of a chain ends as it gets straight: a power of its straightness.
_STRAIGHT = 64


@dataclass(frozen=True)
class Chain:
    """Joints from the first that may turn to the end that is brought to a target, each the parent of the next.

    Attributes:
        joints: At least two.
        largest_bends: For each joint but the end the largest angle, in radians, between the bone to the
            next joint and its direction in the rest pose; none are limited by default.
    """

    joints: tuple[int, ...]
    largest_bends: tuple[float, ...] | None = None

    @classmethod
    def between(
        cls, skeleton: Skeleton, first: str, end: str, *, largest_bends: tuple[float, ...] | None = None
    ) -> "Chain":
        """All joints from one to another one below it."""
        joints = [skeleton.index[end], *skeleton.ancestors(skeleton.index[end])]
        if skeleton.index[first] not in joints[1:]:
            raise ValueError(f"'{end}' does not hang on '{first}'")
        return cls(tuple(reversed(joints[: joints.index(skeleton.index[first]) + 1])), largest_bends)


@dataclass(frozen=True, eq=False)
class _Bend:
    """How far bones may bend: directions (N, F, 3) at rest, carried by the joint before, and angles (N, 1)."""

    rest: Array
    largest: Array


def reach_with_chain(
    motion: Motion, chain: Chain, targets: Any, *, end_rotations: Any = None, softness: float = 0.01, steps: int = 40
) -> Motion:
    """Turn the joints of a chain so that its end sits on the targets; the rest of the pose changes little.

    Args:
        targets: (F, 3) places of the chain's end, in scene space.
        end_rotations: (F, 4) orientation of the end joint in scene space; when not given the end keeps
            the one it had.
        softness: Part of the chain's length, 0 to 1, over which it slows down before it is straight;
            0 switches it off.
        steps: At most. More help chains with limits.

    Raises:
        ValueError: The joints are no chain of this skeleton, or an array does not fit.
    """
    _check(motion, chain, softness)
    targets = _rows(targets, (len(motion), 3), "targets")
    positions, rotations = motion.poses.positions, motion.poses.rotations
    bones = np.stack([positions[:, end] - positions[:, start] for start, end in _pairs(chain)])
    aim = _softened(bones, targets - positions[:, chain.joints[0]], softness)
    final = _solved(bones, aim, _bend(motion, chain, bones), _hinges(motion, chain, bones), steps)
    end_turn = quaternion.identity(len(motion))
    if end_rotations is not None:
        wanted = _rows(end_rotations, (len(motion), 4), "end_rotations")
        end_turn = quaternion.multiply(wanted, quaternion.conjugate(rotations[:, chain.joints[-1]]))
    edited = with_scene_turns(motion, chain.joints, [*_turns(bones, final), end_turn])
    still = _length(bones.sum(axis=0) - aim) <= _THERE * _full(bones)
    return _unchanged_where(edited, motion, still, chain.joints if end_rotations is None else chain.joints[:-1])


def _check(motion: Motion, chain: Chain, softness: float) -> None:
    skeleton = motion.skeleton
    pairs = _pairs(chain)
    if not pairs or any(int(skeleton.parents[below]) != above for above, below in pairs):
        names = ", ".join(f"'{skeleton.names[joint]}'" for joint in chain.joints)
        raise ValueError(f"A chain needs joints that are each the parent of the next, not {names}")
    for joint in chain.joints[1:-1]:
        if not skeleton.inherits_rotation[joint]:
            raise ValueError(f"'{skeleton.names[joint]}' does not turn with the chain that it is part of")
    if chain.largest_bends is not None and len(chain.largest_bends) != len(pairs):
        raise ValueError(f"A chain of {len(pairs)} bones needs as many largest bends, not {len(chain.largest_bends)}")
    if not 0.0 <= softness < 1.0:
        raise ValueError("softness must be at least 0 and below 1")


def _pairs(chain: Chain) -> list[tuple[int, int]]:
    return list(zip(chain.joints, chain.joints[1:], strict=False))


def _rows(values: Any, shape: tuple[int, int], name: str) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite numbers of shape {shape}")
    return array


def _full(bones: Array) -> Array:
    """(F,) length of the straight chain."""
    full: Array = _length(bones).sum(axis=0)
    return np.where(full > 0.0, full, 1.0)


def _softened(bones: Array, aim: Array, softness: float) -> Array:
    """(F, 3) where the end goes, from the first joint."""
    distance = _length(aim)
    reached = soft_reach(distance, _full(bones), _length(bones.sum(axis=0)), softness)
    return aim * np.where(reached == distance, 1.0, reached / np.where(distance > 0.0, distance, 1.0))[:, None]


def _solved(bones: Array, aim: Array, bend: _Bend | None, hinges: Array, steps: int) -> Array:
    """(N, F, 3) bones that lead to the aim, as near as can be."""
    full = _full(bones)[:, None]
    now, aim = bones / full, aim / full
    now = _carried(_opening(now, aim, hinges), now)
    for _ in range(steps):
        missing = aim - now.sum(axis=0)
        if np.abs(missing).max() <= 0.1 * _THERE:
            break
        now = _carried(_swings(now, missing), now)
        if bend is not None:
            now = _within(now, bones, bend)
    return now * full


def _swings(bones: Array, missing: Array) -> Array:
    """(N, F, 3) turns of the joints, each at right angles to its bone, that bring the end nearer.

    With arms r from joints to the end and unit bones u, J J' is the sum of |r|^2 - r r' - (r x u)(r x u)'.
    """
    arms = np.cumsum(bones[::-1], axis=0)[::-1]
    length = _length(bones)[..., None]
    along = bones / np.where(length > 0.0, length, 1.0)
    across = np.cross(arms, along)
    damping = 0.5 * (missing**2).sum(axis=1) + _LEAST_DAMPING
    system = ((arms**2).sum(axis=(0, 2)) + damping)[:, None, None] * np.eye(3)
    system -= np.einsum("nfi,nfj->fij", arms, arms) + np.einsum("nfi,nfj->fij", across, across)
    pull = np.linalg.solve(system, missing[..., None])[..., 0]
    swings = np.cross(arms, pull)
    return np.asarray(swings - quaternion.dot(swings, along)[..., None] * along)


def _carried(vectors: Array, bones: Array) -> Array:
    """(N, F, 3) bones after turns (N, F, 3) of their joints: each carries all bones below it."""
    carried, found = quaternion.identity(bones.shape[1]), []
    for vector, bone in zip(vectors, bones, strict=True):
        carried = quaternion.multiply(carried, quaternion.exp(vector))
        found.append(quaternion.rotate(carried, bone))
    return np.stack(found)


def _turns(bones: Array, final: Array) -> list[Array]:
    """For each bone (F, 4) its turn in scene space: with the one before, and from there by the shortest way."""
    turn, found = quaternion.identity(bones.shape[1]), []
    for bone, goal in zip(bones, final, strict=True):
        turn = quaternion.multiply(_shortest(quaternion.rotate(turn, bone), goal), turn)
        found.append(turn)
    return found


def _bend(motion: Motion, chain: Chain, bones: Array) -> _Bend | None:
    if chain.largest_bends is None:
        return None
    rest = []
    for (joint, _), bone in zip(_pairs(chain), bones, strict=True):
        # The bone as it would be without the joint's own rotation.
        own = motion.rotations[:, joint]
        axes = motion.poses.rotations[:, joint]
        unturned = quaternion.multiply(axes, quaternion.conjugate(own))
        rest.append(quaternion.rotate(unturned, quaternion.rotate(quaternion.conjugate(axes), bone)))
    return _Bend(np.stack(rest), np.asarray(chain.largest_bends, dtype=np.float64)[:, None])


def _within(now: Array, bones: Array, bend: _Bend) -> Array:
    """(N, F, 3) bones that bend no further than they may, from the first one on; what hangs on them follows."""
    turn, back, found = quaternion.identity(now.shape[1]), quaternion.identity(now.shape[1]), []
    for bone, before, rest, largest in zip(now, bones, bend.rest, bend.largest, strict=True):
        bone = quaternion.rotate(back, bone)
        swung = quaternion.log(_shortest(quaternion.rotate(turn, rest), bone))
        angle = _length(swung)
        extra = np.where(angle > largest, largest / np.where(angle > 0.0, angle, 1.0) - 1.0, 0.0)
        correction = quaternion.exp(swung * extra[:, None])
        back, bone = quaternion.multiply(correction, back), quaternion.rotate(correction, bone)
        turn = quaternion.multiply(_shortest(quaternion.rotate(turn, before), bone), turn)
        found.append(bone)
    return np.stack(found)


def _hinges(motion: Motion, chain: Chain, bones: Array) -> Array:
    """(F, 3) the axis about which the chain is bent on the whole, carried by its first joint; for straight frames."""
    axes = motion.poses.rotations[:, chain.joints[0]]
    normals = np.cross(bones[:-1], bones[1:]).sum(axis=0) if len(bones) > 1 else np.zeros_like(bones[0])
    mean = quaternion.rotate(quaternion.conjugate(axes), normals).sum(axis=0)
    if not mean.any():
        along = quaternion.rotate(quaternion.conjugate(axes), bones.sum(axis=0)).sum(axis=0)
        mean = np.cross(along, np.eye(3)[np.abs(along).argmin()])
    unit = mean / max(float(np.sqrt((mean**2).sum())), 1e-300)
    return quaternion.rotate(axes, unit)


def _opening(bones: Array, aim: Array, hinges: Array) -> Array:
    """(N, F, 3) first turns that bend straight chains whose target is nearer: no step could tell to which side."""
    end = bones.sum(axis=0)
    span = _length(end)
    shorter = np.maximum(span - _length(aim), 0.0)
    angle = np.sqrt(shorter) * np.minimum(span, 1.0) ** _STRAIGHT
    across = hinges - quaternion.dot(hinges, end)[:, None] * end / np.maximum(span, 1e-300)[:, None] ** 2
    bent = np.ones(len(bones))
    # All bones bend alike, and the first one turns back so that the chain still points where it did.
    bent[0] = -0.5 * (len(bones) - 1)
    return np.asarray(bent[:, None, None] * (angle[:, None] * across))


def _unchanged_where(edited: Motion, motion: Motion, still: NDArray[np.bool_], joints: Sequence[int]) -> Motion:
    """The edited motion with joints at some frames bit for bit as they were."""
    rotations = edited.rotations.copy()
    chosen = np.ix_(np.flatnonzero(still), np.asarray(joints))
    rotations[chosen] = motion.rotations[chosen]
    return edited.with_rotations(rotations)


def _shortest(start: Array, end: Array) -> Array:
    """(F, 4) rotations by the shortest way between directions."""
    start, end = (each / np.maximum(_length(each), 1e-300)[:, None] for each in (start, end))
    half = np.concatenate([1.0 + quaternion.dot(start, end)[:, None], np.cross(start, end)], axis=1)
    half[_length(half) <= 1e-12] = (0.0, 1.0, 0.0, 0.0)
    return quaternion.normalize(half)


def _length(vectors: Array) -> Array:
    return np.asarray(np.sqrt(quaternion.dot(vectors, vectors)))
