"""Which joints carry a character over the ground.

Mostly it is the one joint without parent. A game skeleton has a bone on the ground above it, which may stand
still while the pelvis travels, and a control rig has controls for body, feet and hands that travel side by side.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .motion import Carriers, Motion
from .skeleton import Skeleton

# What moves by less is rounding: of the figure's size, and of a unit quaternion's numbers.
_STILL = 1e-4


def carriers_of(motion: Motion) -> Carriers:
    """Those that the motion names; else the joints without parent, or right below the object that places them."""
    if motion.carriers is not None:
        return motion.carriers
    return with_free_joints(motion.skeleton, _tops(motion.skeleton))


def find_carriers(motions: Sequence[Motion], root: int | None, *, movable: Any = None) -> Carriers:
    """The joints that carry the character: those that do so now, while what stands on the ground stays.

    From the top down to the body's root the first joint that moves carries it, or the root if none does. What
    travels beside it, below joints that stay or in trees of its own, is carried too.

    Args:
        motions: One or more of the same skeleton, which get the same carriers.
        root: The body's root; if it is not known, all that travels is carried.
        movable: (J,) joints that may be moved; all if not given. Joints on their parents' tips never are.
    """
    skeleton = motions[0].skeleton
    activity = _Activity.of(motions, movable)
    path = [] if root is None else [*reversed(skeleton.ancestors(root)), root]
    able = [joint for joint in path if activity.movable[joint]]
    if not able:
        return with_free_joints(skeleton, activity.travelling(_tops(skeleton)) or _tops(skeleton))
    main = next((joint for joint in able if activity.moves[joint]), able[-1])
    passed = path[: path.index(main)]
    beside = [child for joint in passed for child in skeleton.children[joint] if child not in path]
    trees = [joint for joint in np.flatnonzero(skeleton.parents < 0).tolist() if joint != path[0]]
    return with_free_joints(skeleton, [main, *activity.travelling([*beside, *trees])], movable=activity.movable)


def with_free_joints(skeleton: Skeleton, moved: Iterable[int], *, movable: Any = True) -> Carriers:
    """Carriers, and the joints below them that do not turn with their parents and so are turned as well."""
    carrying = tuple(sorted(moved))
    free = ~skeleton.inherits_rotation & np.broadcast_to(movable, (len(skeleton),))
    free[0] &= not skeleton.has_placement
    below = {joint for joint in np.flatnonzero(free).tolist() if not {*carrying}.isdisjoint(skeleton.ancestors(joint))}
    return Carriers(carrying, tuple(sorted({*carrying, *below})))


def _tops(skeleton: Skeleton) -> list[int]:
    if skeleton.has_placement:
        return list(skeleton.children[0])
    return np.flatnonzero(skeleton.parents < 0).tolist()


@dataclass(frozen=True, eq=False)
class _Activity:
    """What the joints of a skeleton do.

    Attributes:
        skeleton: J joints.
        movable: (J,) whether a joint may be moved.
        travels: (J,) whether its location changes.
        moves: (J,) whether location or rotation change.
    """

    skeleton: Skeleton
    movable: NDArray[np.bool_]
    travels: NDArray[np.bool_]
    moves: NDArray[np.bool_]

    @classmethod
    def of(cls, motions: Sequence[Motion], movable: Any) -> "_Activity":
        skeleton = motions[0].skeleton
        size = float(np.ptp(skeleton.rest_positions, axis=0).max(initial=0.0)) or 1.0
        able = ~skeleton.connected & (True if movable is None else np.asarray(movable, dtype=np.bool_))
        travels = _changes([motion.locations for motion in motions], size) & able
        turns = _changes([motion.rotations for motion in motions], 1.0) & able
        return cls(skeleton, able, travels, travels | turns)

    def travelling(self, joints: Iterable[int]) -> list[int]:
        """The topmost joints that travel, among the given ones and those below them."""
        found: list[int] = []
        waiting = list(joints)
        for joint in waiting:
            if self.travels[joint]:
                found.append(joint)
            else:
                waiting.extend(self.skeleton.children[joint])
        return found


def _changes(values: Sequence[Any], size: float) -> NDArray[np.bool_]:
    """(J,) whether any of several (F, J, N) changes over time."""
    changes: NDArray[np.bool_] = np.any([np.ptp(each, axis=0).max(axis=-1) > _STILL * size for each in values], axis=0)
    return changes
