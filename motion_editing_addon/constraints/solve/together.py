"""Characters that are edited together: who belongs together, and their motions over common frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion
from ...document import scope
from ...document.scene.carried_space import place_of, with_object
from ..kinds import KINDS
from .seen import as_shown, carried_on, carriers_of

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ...border.action_io import Clip

# Decimals to which frames of two actions have to agree.
_SAME_FRAME = 3


def items_of(armature: Object) -> Any:
    """The list of constraints that is saved with the armature's action."""
    return scope.own_action(armature).motion_editing_constraints.listed


def partner_of(item: PropertyGroup, armature: Object, among: list[Object]) -> Object | None:
    """The other character, one of those that may change, whose bone a constraint holds together with its own."""
    other = item.target_object
    if not KINDS[item.kind].ties or not item.target_bone or other in (None, armature):
        return None
    if not item.enabled or not item.belongs_to(armature):
        return None
    action = scope.action_of(other) if other in among else None
    return other if action is not None and action.is_editable else None


def group_of(armature: Object, chosen: list[Object]) -> list[Object]:
    """The armature and all that constraints tie it to, one by one, in the order in which they were chosen."""
    pairs = [
        {each, partner}
        for each in filter(scope.action_of, chosen)
        for item in items_of(each)
        if (partner := partner_of(item, each, chosen)) is not None
    ]
    found = {armature}
    while grown := {each for pair in pairs if pair & found for each in pair} - found:
        found |= grown
    return [armature, *(each for each in chosen if each in found and each != armature)]


@dataclass(frozen=True, eq=False)
class Member:
    """A character that may change.

    Attributes:
        clip: Its whole action.
        items: Its list of constraints.
        motion: Over the common frames; before and after its own frames it stands still.
        start: Row of the common frames at which its own begin.
        leave_out: Number of an item that does not count, because a drag takes its place.
    """

    clip: Clip
    items: Any
    motion: Motion
    start: int = 0
    leave_out: int = -1

    @classmethod
    def alone(cls, clip: Clip, items: Any, *, leave_out: int = -1) -> Member:
        """A character whose own frames are all there are."""
        return cls(clip, items, clip.motion, leave_out=leave_out)

    @property
    def stop(self) -> int:
        """Row of the common frames after its own last one."""
        return self.start + len(self.clip.frames)

    def own(self, motion: Motion, first: int = 0) -> Motion:
        """Its own frames of a motion over common frames, which begins with the first one given; at least one frame."""
        if motion is self.motion:
            return self.clip.motion
        start = min(max(self.start - first, 0), len(motion) - 1)
        stop = max(min(self.stop - first, len(motion)), start + 1)
        return motion if (start, stop) == (0, len(motion)) else motion.part(start, stop)

    def held_over(self, motion: Motion) -> Motion:
        """A motion over its own frames that stands still at the common frames before and after them."""
        if len(motion) == len(self.motion):
            return motion
        rows = np.clip(np.arange(len(self.motion)) - self.start, 0, len(motion) - 1)
        return _rows_of(motion, rows, self.motion.times)

    def seen(self, motion: Motion) -> Motion:
        """What its keys give at its own frames, over the common frames and in the scene; its object is not edited."""
        return with_object(self.held_over(as_shown(self.clip, motion)), place_of(self.motion))


def members_of(clips: list[Clip]) -> list[Member]:
    """Characters side by side, over all frames that any of them has.

    Raises:
        MotionEditError: Their keys are on frames that do not meet, or one carries another.
    """
    if len(clips) == 1:  # on its own it may play backwards
        return [Member.alone(clips[0], items_of(clips[0].armature))]
    armatures = {clip.armature for clip in clips}
    for clip in clips:
        if armatures & carriers_of(clip.armature):
            raise MotionEditError(
                f"'{clip.armature.name}' is carried by one that changes too: solve for one at a time in pose mode"
            )
    scene = [np.round(scope.to_scene(clip.armature, clip.frames), _SAME_FRAME) for clip in clips]
    common = np.unique(np.concatenate(scene))
    members = []
    for clip, frames in zip(clips, scene, strict=True):
        rows = np.searchsorted(common, frames)
        if (np.diff(rows) != 1).any():
            other = clips[1 if clip is clips[0] else 0].armature.name
            raise MotionEditError(
                f"'{clip.armature.name}' has its keys on other frames than '{other}': "
                "solve for one at a time, or resample one"
            )
        motion = clip.motion
        if len(common) > len(rows):
            held = np.clip(np.arange(len(common)) - rows[0], 0, len(rows) - 1)
            motion = _rows_of(motion, held, _times_at(common, frames, motion))
            motion = carried_on(clip, motion, common, np.flatnonzero(~np.isin(common, frames)))
        members.append(Member(clip, items_of(clip.armature), motion, int(rows[0])))
    return members


def _times_at(common: np.ndarray, frames: np.ndarray, motion: Motion) -> np.ndarray:
    """Times of a motion at all common frames, as they go on before and after its own frames."""
    pace = (motion.times[-1] - motion.times[0]) / (frames[-1] - frames[0]) if len(frames) > 1 else 1.0 / motion.rate
    return motion.times[0] + pace * (common - frames[0])


def _rows_of(motion: Motion, rows: np.ndarray, times: np.ndarray) -> Motion:
    names = ("rotations", "locations", "scales", "scalars")
    return replace(motion, times=times, **{name: getattr(motion, name)[rows] for name in names})
