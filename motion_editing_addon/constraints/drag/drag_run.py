"""Running Drag Bone: the dragged joint is one more thing that has to hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ...document import scope
from ..kinds import KINDS
from ..list_operators import constraints_of
from ..misses import note_miss
from ..settings import free_name
from ..solve.spacetime_run import SpacetimeRun
from ..solve.together import partner_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Object, PropertyGroup

    from ....core.solve.spacetime import Position
    from ...border.action_io import Clip
    from ..solve.spacetime_solve import Constrained, Miss
    from ..solve.together import Member


class DragRun(SpacetimeRun):
    """One call of Drag Bone."""

    def members(self, clips: list[Clip]) -> list[Member]:
        """The characters with their lists, without the handle that this drag moves on."""
        dragged, *others = super().members(clips)
        armature = dragged.clip.armature
        self._complete(armature)
        return [replace(dragged, leave_out=self._held_already(dragged.items, self._frame_of(armature))), *others]

    def handles(self, constrained: Constrained) -> tuple[Position, ...]:
        """The joint at its frame."""
        frame = self._frame_of(constrained.members[0].clip.armature)
        return (constrained.handle(self.operator.bone, frame, self.operator.move),)

    def look_back(self, constrained: Constrained, handles: tuple[Position, ...]) -> list[Miss]:
        """Look at what is missed; the handle stays as a constraint if that is wanted."""
        misses, bone = super().look_back(constrained, handles), self.operator.bone
        armature = constrained.members[0].clip.armature
        settings, frame = constraints_of(armature), self._frame_of(armature)
        number = self._held_already(settings.listed, frame)
        if number < 0 and not self.operator.add_constraint:
            return misses
        name = free_name(settings, f"{KINDS['POSITION'].label} {bone}")
        item = settings.listed[number] if number >= 0 else settings.new(armature, name)
        if number < 0:
            item.kind, item.bone, item.start, item.end = "POSITION", bone, frame, frame
        item.point = handles[0].target
        note_miss(item, next((each.violation for each in misses if each.number < 0), None))
        return misses

    def _frame_of(self, armature: Object) -> float:
        """The frame of the armature's action at which the joint is dragged."""
        return scope.from_scene(armature, self.operator.frame)

    def _complete(self, armature: Object) -> None:
        """Set bone and frame where they are not given; the redo panel shows them."""
        active = armature.data.bones.active
        if not self.operator.bone and active is not None:
            self.operator.bone = active.name
        if not self.operator.properties.is_property_set("frame"):
            self.operator.frame = bpy.context.scene.frame_current_final

    def _held_already(self, items: Iterable[PropertyGroup], frame: float) -> int:
        """Number of the constraint that holds the bone at a place at this frame alone; -1 if there is none.

        Raises:
            MotionEditError: The bone is held there in a way that the drag cannot change.
        """
        chosen, bone = scope.armatures(bpy.context), self.operator.bone
        for number, item in enumerate(items):
            about = item.enabled and item.belongs_to(chosen[0]) and item.bone == bone
            holds = about and item.start - 0.5 < frame < item.end + 0.5
            if not holds or item.kind not in ("POSITION", "KEEP") or item.tail or item.softness:
                continue
            if partner_of(item, chosen[0], chosen) is not None:
                continue  # the other one comes along
            if item.kind == "POSITION" and item.start == item.end and item.target_object is None:
                return number
            raise MotionEditError(f"'{bone}' is held here by '{item.name}': turn that off, or go to another frame")
        return -1
