"""Constraints of a motion whose sides were exchanged: on the other side, at the place that is seen in the mirror."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core.numerics import quaternion
from ..border.armature import why_bones_move
from ..document import scope
from .kinds import KINDS

if TYPE_CHECKING:
    from ...core.motion import Motion
    from ..document.motion_changes import MotionChange


def mirror(change: MotionChange, items: list[Any]) -> None:
    """Give constraints to the bones that now do what theirs did.

    On control rigs those that hold a place stay: where it is in the mirror is not known.
    """
    partners, armature = change.partners, change.armature
    after = None if why_bones_move(armature) else scope.read_clip(bpy.context, armature).motion
    for item in items:
        has_place = item.target == "PLACE" and KINDS[item.kind].place in ("point", "turn")
        if has_place and after is None:
            continue
        if has_place and after is not None:
            _Reflection.at(change, after, item.start).apply(item, partners.get(item.bone, item.bone))
        item.bone = partners.get(item.bone, item.bone)
        if item.target_object in (None, armature) and item.target_bone:
            item.target_bone = partners.get(item.target_bone, item.target_bone)


@dataclass(frozen=True, eq=False)
class _Reflection:
    """The mirror at one moment.

    Attributes:
        before: One frame of the motion before.
        after: The same frame now.
        matrix: (3, 3) of the reflection that leads from one to the other.
        centres: (2, 3) points that are each other's image.
    """

    before: Motion
    after: Motion
    matrix: np.ndarray
    centres: np.ndarray

    @classmethod
    def at(cls, change: MotionChange, after: Motion, frame: float) -> _Reflection:
        """The mirror that lays the joints of before on those of now."""
        motion, partner = change.clip.motion, change.partner
        row = int(np.abs(change.clip.frames - frame).argmin())
        shown = after.rows(np.array([np.abs(after.times - motion.times[row]).argmin()]))
        old, new = motion.rows(np.array([row])), shown
        places = np.stack([old.poses.positions[0][partner], new.poses.positions[0]])[:, 1:]
        centres = places.mean(axis=1)
        left, _sizes, right = np.linalg.svd((places[0] - centres[0]).T @ (places[1] - centres[1]))
        flip = np.diag([1.0, 1.0, -np.linalg.det(right.T @ left.T)])
        return cls(old, new, right.T @ flip @ left.T, centres)

    def apply(self, item: Any, bone: str) -> None:
        """Give a constraint the place and the turn that it has in the mirror, on another bone."""
        item.point = self.centres[1] + self.matrix @ (np.array(item.point) - self.centres[0])
        index = self.before.skeleton.index
        if item.bone in index and bone in index:
            own, new = self.before.poses.rotations[0][index[item.bone]], self.after.poses.rotations[0][index[bone]]
            away = quaternion.to_matrix(quaternion.multiply(np.array(item.turn), quaternion.conjugate(own)))
            seen = quaternion.from_matrix(self.matrix @ away @ self.matrix.T)
            item.turn = quaternion.multiply(seen, new)
