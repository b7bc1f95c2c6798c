"""What a spacetime edit may change: turns of joints and moves of roots."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import Motion, Skeleton, displaced
from ...numerics import Array

# How much a move of the root by the character's height counts beside a turn of one radian.
_MOVE_WEIGHT = 25.0


@dataclass(frozen=True, eq=False)
class Degrees:
    """Degrees of freedom of one character: three for every joint that turns, then three for every root.

    Attributes:
        skeleton: Of the character.
        turning: Joints that may turn.
        moving: Joints that may move.
        weights: (D,) how much a change of each counts.
    """

    skeleton: Skeleton
    turning: tuple[int, ...]
    moving: tuple[int, ...]
    weights: Array

    @classmethod
    def of_chains(cls, skeleton: Skeleton, ends: Iterable[int], *, joint_weights: Any = None) -> "Degrees":
        """The joints that some of the ends hang on; the object that carries the skeleton stays.

        Args:
            ends: Joints that constraints are about.
            joint_weights: (J,) how much a joint resists; one by default, infinite for joints that stay. Or (J, 4)
                of turns about each of its own axes and of moves; one that may not turn may still move.
        """
        resist = np.ones(len(skeleton)) if joint_weights is None else np.asarray(joint_weights, dtype=np.float64)
        resist = np.broadcast_to(resist.reshape(len(skeleton), -1), (len(skeleton), 4))
        chain = {joint for end in ends for joint in (end, *skeleton.ancestors(end))}
        if skeleton.has_placement and len(skeleton) > 1:
            chain.discard(0)
        turning = tuple(joint for joint in sorted(chain) if np.isfinite(resist[joint, :3]).all())
        carriers = {-1, 0} if skeleton.has_placement else {-1}
        roots = (joint for joint in sorted(chain) if int(skeleton.parents[joint]) in carriers)
        moving = tuple(joint for joint in roots if np.isfinite(resist[joint, 3]))
        moves = _MOVE_WEIGHT / size_of(skeleton) ** 2
        weights = [resist[list(turning), :3].reshape(-1), np.repeat(moves * resist[list(moving), 3], 3)]
        return cls(skeleton, turning, moving, np.concatenate(weights))

    def __len__(self) -> int:
        return 3 * (len(self.turning) + len(self.moving))

    def applied(self, motion: Motion, change: Array) -> Motion:
        """A motion of F frames with the change (F, D) put on."""
        frames, joints = len(motion), len(self.skeleton)
        turns, moves = np.zeros((2, frames, joints, 3))
        turns[:, list(self.turning)] = change[:, : 3 * len(self.turning)].reshape(frames, len(self.turning), 3)
        moves[:, list(self.moving)] = change[:, 3 * len(self.turning) :].reshape(frames, len(self.moving), 3)
        return displaced(motion, turns, moves, 0.0, 0.0)

    def turning_carriers(self, joint: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Which of the turning joints move the place of a joint, by their number, and the joint that each swings.

        That is the joint itself, or one above it that does not turn with its parent: from there on all
        only shift.
        """
        path = [joint, *self.skeleton.ancestors(joint)]
        numbers = self._carriers(joint, self.turning)
        swung = []
        for number in numbers:
            below = path[: path.index(self.turning[number])]
            swung.append(next((each for each in reversed(below) if not self._turns_along(each)), joint))
        return numbers, np.array(swung, dtype=np.intp)

    def orienting_carriers(self, joint: int) -> NDArray[np.intp]:
        """Which of the turning joints turn a joint or are it, by their number."""
        path = [joint, *self.skeleton.ancestors(joint)]
        loose = next((place for place, each in enumerate(path) if not self._turns_along(each)), len(path))
        among = set(path[: loose + 1])
        return np.array([number for number, each in enumerate(self.turning) if each in among], dtype=np.intp)

    def moving_carriers(self, joint: int) -> NDArray[np.intp]:
        """Which of the moving joints carry a joint or are it, by their number."""
        return self._carriers(joint, self.moving)

    def _carriers(self, joint: int, among: tuple[int, ...]) -> NDArray[np.intp]:
        above = {joint, *self.skeleton.ancestors(joint)}
        return np.array([number for number, carrier in enumerate(among) if carrier in above], dtype=np.intp)

    def _turns_along(self, joint: int) -> bool:
        return bool(self.skeleton.inherits_rotation[joint])


def size_of(skeleton: Skeleton) -> float:
    """The longest side of a box around the rest pose; one for a skeleton without extent."""
    return float(np.ptp(skeleton.rest_positions, axis=0).max()) or 1.0
