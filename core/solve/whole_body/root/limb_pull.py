"""Limbs that pull at the root: they have to reach what they hold, and are to be as bent as they were."""

from dataclasses import dataclass, replace

import numpy as np

from ....motion import GlobalPoses, Mask
from ....numerics import Array
from ..limb_goal import LimbGoal
from ..raised_heel import further_reach
from ..reach import Reach, bend_at, reach_of

# What it counts on the way there that a limb does not reach.
_MISSED = 1e3
# Share of its knee's weight that a leg loses over toes that stand alone, as the foot gives way.
_LOOSE = 0.9
# Body heights by which an edit may carry a hip away over its standing foot; beyond that it is drawn back so strongly.
_AWAY, _DRAWN_BACK = 0.15, 10.0
# Share of a limb's length by which nobody sees that it misses something.
_UNSEEN = 1e-6


@dataclass(eq=False)
class Pulls:
    """What pulls at a path (F, 3): stiffness (F, 3, 3), and stiffness times where it is pulled to (F, 3)."""

    stiffness: Array
    right: Array

    @classmethod
    def none(cls, frames: int) -> "Pulls":
        """Nothing pulls yet."""
        return cls(np.zeros((frames, 3, 3)), np.zeros((frames, 3)))

    def copy(self) -> "Pulls":
        """The same, to which others can be added."""
        return Pulls(self.stiffness.copy(), self.right.copy())

    def add_along(self, directions: Array, stiffness: Array, aim: Array) -> None:
        """Pull along unit vectors (F, 3) or (3,) to where the path's part along them is the aim (F,)."""
        held = directions * stiffness[:, None]
        self.stiffness += held[:, :, None] * np.broadcast_to(directions, held.shape)[:, None, :]
        self.right += held * aim[:, None]

    def add_everywhere(self, stiffness: Array, aim: Array) -> None:
        """Pull in all directions to an aim (F, 3)."""
        self.stiffness += stiffness[:, None, None] * np.eye(3)
        self.right += stiffness[:, None] * aim


@dataclass(frozen=True, eq=False)
class LimbPull:
    """A limb whose end is held while its upper joint goes with the root.

    Attributes:
        active: (F,) frames in which it is held.
        upper: (F, 3) its upper joint before the root is moved.
        place: (F, 3) where its end is held.
        way_before: (F, 3) from end to upper joint as it is to be like.
        reach: How far it reaches.
        knee: (F,) what a change of its bend by one radian counts beside a root that is moved by the body's height.
        height: The body's.
    """

    active: Mask
    upper: Array
    place: Array
    way_before: Array
    reach: Reach
    knee: Array
    height: float

    @classmethod
    def of(
        cls, goal: LimbGoal, edited: GlobalPoses, like: GlobalPoses, *, softness: float, knee: float, height: float
    ) -> "LimbPull":
        """What a limb's goal pulls with; goals of limbs that have joints only."""
        joints = goal.limb.joints
        assert joints is not None
        reach = reach_of(joints, edited, like, softness)
        reach = replace(reach, soft=reach.soft + further_reach(goal, edited))
        way = like.positions[:, joints.upper] - like.positions[:, joints.end]
        weight = knee * (1.0 - _LOOSE * goal.loose) * goal.limb.is_leg
        return cls(goal.active, edited.positions[:, joints.upper], goal.end_place, way, reach, weight, height)

    def shifted(self, ways: Array) -> "LimbPull":
        """The same after the root was moved by (F, 3)."""
        return replace(self, upper=self.upper + ways)

    def pull(self, pulls: Pulls, path: Array, same: float) -> None:
        """Pull at the path that the root has now; changes of length below a share of the body's height are alike."""
        self.draw_back(pulls, path)
        along, length = self._along(path)
        aim = (along * path).sum(axis=1) - length + self._length_before
        pulls.add_along(along, self._knee_stiffness(length, same) * self.active, aim)

    def hold(self, pulls: Pulls, path: Array, beyond: Mask, stiffness: float) -> None:
        """Pull a way from the path that the root has now, in frames (F,) in which it would not reach."""
        along, length = self._along(path)
        pulls.add_along(along, np.where(beyond, stiffness, 0.0), self.reach.soft - length)

    def draw_back(self, pulls: Pulls, path: Array) -> None:
        """Pull at a path that carries the limb's upper joint far away from over its end."""
        aside, share = self._away(path)
        pulls.add_everywhere(_DRAWN_BACK * share * self.active, path - aside * share[:, None])

    def misses(self, path: Array) -> bool:
        """Whether it does not reach somewhere, by more than anybody sees."""
        missed = self._along(path)[1] - self.reach.soft
        return bool((missed > _UNSEEN * self.reach.full)[self.active].any())

    def beyond(self, path: Array, way: Array | None = None) -> Mask:
        """(F,) frames in which it does not reach; a way (F, 3) further on as it looks from the path."""
        along, length = self._along(path)
        length = length if way is None else length + (along * way).sum(axis=1)
        return np.asarray(self.active & (length > self.reach.soft))

    def cost(self, path: Array, same: float) -> float:
        """What it costs that the limb is not as it should be."""
        length = self._along(path)[1]
        beyond = np.maximum(length - self.reach.soft, 0.0)
        aside, share = self._away(path)
        away = ((share[:, None] * aside) ** 2).sum(axis=1)
        return float((self._bend_cost(length, same) + _MISSED * beyond**2 + _DRAWN_BACK * away)[self.active].sum())

    def _along(self, path: Array) -> tuple[Array, Array]:
        """(F, 3) directions from end to upper joint, and (F,) how far that is."""
        way = self.upper + path - self.place
        length = np.linalg.norm(way, axis=1)
        return way / np.maximum(length, 1e-12)[:, None], length

    def _away(self, path: Array) -> tuple[Array, Array]:
        """(F, 3) how far the upper joint is from where it was over the end, and (F,) what share of that is too far."""
        aside = self.upper + path - self.place - self.way_before
        far = np.linalg.norm(aside, axis=1)
        return aside, np.maximum(1.0 - _AWAY * self.height / np.maximum(far, 1e-12), 0.0)

    @property
    def _length_before(self) -> Array:
        return np.asarray(np.minimum(np.linalg.norm(self.way_before, axis=1), self.reach.full))

    def _knee_stiffness(self, length: Array, same: float) -> Array:
        """(F,) stiffness of a spring that pulls as strongly at a length as the change of the bend there."""
        change = np.maximum(np.abs(length - self._length_before), same * self.height)
        bent, slope = self._bend_change(change)
        return np.asarray(self.knee * self.height**2 * bent * slope / change)

    def _bend_cost(self, length: Array, same: float) -> Array:
        """(F,) what the change of the bend costs, as a spring does where lengths are the same."""
        change, least = np.abs(length - self._length_before), np.full(len(length), same * self.height)
        spring = self._knee_stiffness(self._length_before, same)
        squares = [self._bend_change(each)[0] ** 2 for each in (np.maximum(change, least), least)]
        cost = self.knee * self.height**2 * (squares[0] - squares[1]) + spring * np.minimum(change, least) ** 2
        return np.asarray(cost)

    def _bend_change(self, change: Array) -> tuple[Array, Array]:
        """(F,) radians that a limb bends more when it is shorter by so much (F,), and how they grow with that."""
        upper, lower = self.reach.bones
        length = np.maximum(self._length_before - change, np.abs(upper - lower))
        bend = bend_at(self.reach, length)
        slope = length / np.maximum(upper * lower * np.sin(bend), 1e-300)
        return bend - bend_at(self.reach, self._length_before), slope
