"""From the list in Blender to constraints of core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import MotionEditError
from ...core.motion import Motion, Skeleton
from ...core.numerics import quaternion
from ..border.hidden_objects import is_deleted
from ..document.scene.targets import Targets
from .figure_clip import bone_in, point_in, turn_in
from .kinds import KINDS

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ...core.solve.spacetime import Constraint
    from ..border.action_io import Clip

# Part of a frame by which spans may miss a frame because of rounding.
_ROUNDING = 1e-3


@dataclass(frozen=True, eq=False)
class Listed:
    """Constraints of a list as core takes them.

    Attributes:
        constraints: In the order of the list, without those that are off or beyond the frames.
        numbers: The number in the list of each.
        companions: Motions that constraints refer to besides the character's own; nothing may change them.
    """

    constraints: tuple[Constraint, ...]
    numbers: tuple[int, ...]
    companions: tuple[Motion, ...]


@dataclass(frozen=True, eq=False)
class Subject:
    """What a constraint is about: an item of the list, its joint and its frames; companions are added to."""

    clip: Clip
    item: Any
    joint: int
    rows: np.ndarray
    companions: list[Motion]
    targets: Targets

    @property
    def offset(self) -> np.ndarray:
        """(3,) of the held point in the joint's axes."""
        return point_in(self.clip, self.item.bone, tail=self.item.tail)

    def turned(self, turns: np.ndarray) -> np.ndarray:
        """(..., 4) orientations of the joint with which the bone has some."""
        return quaternion.multiply(turns, quaternion.conjugate(turn_in(self.clip, self.item.bone)))

    @property
    def own(self) -> dict[str, Any]:
        """What all kinds of constraints take."""
        return {"frames": self.rows, "joint": self.joint, "name": self.item.name, "softness": self.item.softness}

    def target(self) -> Object | None:
        """The object that it is held to.

        Raises:
            MotionEditError: There is none although there shall be one, because it was not chosen yet or is deleted.
        """
        item = self.item
        thing: Object | None = item.target_object
        own_bone = KINDS[item.kind].needs_target and item.target == "BONE"
        if is_deleted(thing) if thing is not None else item.target != "PLACE" and not own_bone:
            raise MotionEditError(f"'{item.name}' has no target object: choose one below the list, or another target")
        return thing

    def matrices(self) -> np.ndarray:
        """(N, 4, 4) of the target object."""
        return self.targets.matrices(self.item.target_object, self.item.target_bone, self.rows)

    def joint_of(self, bone: str) -> int:
        """The joint of another bone of its armature.

        Raises:
            MotionEditError: There is no such bone.
        """
        return _joint_of(self.clip, bone, self.item.name)

    def with_companion(self, places: np.ndarray) -> int:
        """The number of a further character: a point that is at the places (N, 3)."""
        self.companions.append(_moving_point(self.clip.motion, self.rows, places))
        return len(self.companions)


def read_list(
    clip: Clip, items: list[PropertyGroup], *, first: int, last: int, every: int = 1, leave_out: int = -1
) -> Listed:
    """The enabled constraints that hold between two rows of the clip.

    Args:
        clip: Whole action.
        items: The list.
        first: First row of the clip that may change.
        last: Last row.
        every: Frames from one to the next at which spans are held; their ends always are.
        leave_out: Number of an item that does not count.
    """
    constraints, numbers, targets = [], [], Targets(clip)
    companions: list[Motion] = []
    for number, item in enumerate(items):
        rows = rows_of(clip.frames, item.start, item.end)
        rows = rows[(rows >= first) & (rows <= last)]
        if not item.enabled or number == leave_out or not item.belongs_to(clip.armature) or _is_held(item, rows):
            continue
        joint = _joint_of(clip, item.bone, item.name)
        subject = Subject(clip, item, joint, _thinned(rows, every), companions, targets)
        constraints.append(KINDS[item.kind].make(subject))
        numbers.append(number)
    return Listed(tuple(constraints), tuple(numbers), tuple(companions))


def rows_of(frames: np.ndarray, start: float, end: float) -> np.ndarray:
    """Rows whose frames (F,) are in a span; the nearest one where the span is between two frames."""
    inside = np.flatnonzero((frames >= start - _ROUNDING) & (frames <= end + _ROUNDING))
    if len(inside) or end < frames[0] or start > frames[-1]:
        return inside
    return np.array([np.abs(frames - start).argmin()])


def _is_held(item: PropertyGroup, rows: np.ndarray) -> bool:
    """Whether nothing is to hold in the rows of an item, since none is left, or a foot stands in the only one."""
    return not len(rows) or (item.kind == "NO_SKID" and len(rows) == 1 and item.end > item.start)


def _thinned(rows: np.ndarray, every: int) -> np.ndarray:
    return np.union1d(rows[::every], rows[-1:])


def _joint_of(clip: Clip, bone: str, name: str) -> int:
    if not bone:  # the object itself goes by the empty name
        raise MotionEditError(f"'{name}' needs a bone, or a second one: choose it below the list")
    shown = bone_in(clip, bone)
    if shown not in clip.motion.skeleton.index:
        raise MotionEditError(f"'{name}' is about the bone '{bone}', which '{clip.armature.name}' has not: change it")
    return clip.motion.skeleton.index[shown]


def _moving_point(motion: Motion, rows: np.ndarray, places: np.ndarray) -> Motion:
    """A motion of one joint that is at the places (N, 3) at the rows (N,)."""
    locations = np.zeros((len(motion), 1, 3))
    locations[rows, 0] = places
    skeleton = Skeleton.build(["target"], [-1], np.zeros((1, 3)))
    return Motion.build(
        skeleton, quaternion.identity(len(motion), 1), rate=motion.rate, times=motion.times, locations=locations
    )
