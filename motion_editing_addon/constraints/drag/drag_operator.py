"""Dragging a joint in the 3D View: the whole motion follows, all constraints held."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, StringProperty
from bpy.types import Operator

from ....core.errors import MotionEditError
from ...document import scope
from ...document.action_users import is_shared
from ...interface.operators.operator import MotionEditOperator
from ...interface.shared_options import CHOSEN_BONE, CURRENT_FRAME, KEEP_CONTACTS
from ..kinds import KINDS
from ..list_operators import constraints_of
from ..settings import free_name
from ..spacetime_edit import SpacetimeEdit, note_miss

if TYPE_CHECKING:
    from bpy.types import Context, Event, Menu, Object

    from ....core.constraints import Position
    from ...border.action_io import Clip
    from ..solve.spacetime_solve import Constrained, Miss
    from ..solve.together import Member

_ONLY_NOW = {"SKIP_SAVE"}


class MOTIONEDIT_OT_drag_joint(SpacetimeEdit, MotionEditOperator, Operator):
    """Drag the active bone with the mouse; the whole motion follows"""

    bl_idname = "motion_editing.drag_joint"
    bl_label = "Drag Bone"
    bl_options = {"REGISTER", "UNDO", "PRESET", "BLOCKING", "GRAB_CURSOR"}
    verb = "Dragged"
    own = ("bone", "frame", "move", "add_constraint")

    bone: StringProperty(**CHOSEN_BONE, options=_ONLY_NOW)
    frame: FloatProperty(**CURRENT_FRAME, options=_ONLY_NOW)
    move: FloatVectorProperty(
        name="Move",
        description="Distance to move the bone's head, in the scene",
        subtype="XYZ",
        unit="LENGTH",
        precision=3,
        options=_ONLY_NOW,
    )
    add_constraint: BoolProperty(name="Add Constraint", description="Add a constraint that holds the bone there")

    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=True)

    # What is solved

    def chosen(self, context: Context) -> list[Object]:
        """The active armature, and those in pose mode that constraints tie it to."""
        from ..solve.together import group_of

        chosen = scope.armatures(context)
        return group_of(chosen[0], chosen) if chosen else []

    def members(self, clips: list[Clip]) -> list[Member]:
        """The characters with their lists, without the handle that this drag moves on."""
        dragged, *others = super().members(clips)
        armature = dragged.clip.armature
        self._complete(armature)
        handle = self._held_already(dragged.items, scope.from_scene(armature, self.frame))
        return [replace(dragged, leave_out=handle), *others]

    def handles(self, constrained: Constrained) -> tuple[Position, ...]:
        """The joint at its frame."""
        armature = constrained.members[0].clip.armature
        return (constrained.handle(self.bone, scope.from_scene(armature, self.frame), self.move),)

    def look_back(self, constrained: Constrained, handles: tuple[Position, ...]) -> list[Miss]:
        """Look at what is missed; the handle stays as a constraint if that is wanted."""
        misses = super().look_back(constrained, handles)
        armature = constrained.members[0].clip.armature
        settings, frame = constraints_of(armature), scope.from_scene(armature, self.frame)
        number = self._held_already(settings.listed, frame)
        if number < 0 and not self.add_constraint:
            return misses
        name = free_name(settings, f"{KINDS['POSITION'].label} {self.bone}")
        item = settings.listed[number] if number >= 0 else settings.new(armature, name)
        if number < 0:
            item.kind, item.bone, item.start, item.end = "POSITION", self.bone, frame, frame
        item.point = handles[0].target
        note_miss(item, next((each.violation for each in misses if each.number < 0), None))
        return misses

    def _complete(self, armature: Object) -> None:
        """Set bone and frame where they are not given; the redo panel shows them."""
        active = armature.data.bones.active
        if not self.bone and active is not None:
            self.bone = active.name
        if not self.properties.is_property_set("frame"):
            self.frame = bpy.context.scene.frame_current_final

    def _held_already(self, items: bpy.types.bpy_prop_collection, frame: float) -> int:
        """Number of the constraint that holds the bone at a place at this frame alone; -1 if there is none.

        Raises:
            MotionEditError: The bone is held there in a way that the drag cannot change.
        """
        from ..solve.together import partner_of

        chosen = scope.armatures(bpy.context)
        for number, item in enumerate(items):
            about = item.enabled and item.belongs_to(chosen[0]) and item.bone == self.bone
            holds = about and item.start - 0.5 < frame < item.end + 0.5
            if not holds or item.kind not in ("POSITION", "KEEP") or item.tail or item.softness:
                continue
            if partner_of(item, chosen[0], chosen) is not None:
                continue  # the other one comes along
            if item.kind == "POSITION" and item.start == item.end and item.target_object is None:
                return number
            raise MotionEditError(f"'{self.bone}' is held here by '{item.name}': turn that off, or go to another frame")
        return -1

    # While the mouse moves

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start the drag, after a question if others use the animation; without a 3D View do as other tools do."""
        from .joint_gesture import JointGesture

        if bpy.app.background or context.area is None or context.area.type != "VIEW_3D":
            return self.execute(context)
        if any(map(is_shared, self.chosen(context))) and not self.properties.is_property_set("if_shared"):
            context.window_manager.popup_menu(_ask_about_sharing, title="Shared Action")
            return {"CANCELLED"}
        return self.follow_mouse(context, event, JointGesture(self, self.run()))


def _ask_about_sharing(menu: Menu, _context: Context) -> None:
    """The two ways to drag a character whose animation others use; a click starts the drag."""
    menu.layout.operator_context = "INVOKE_DEFAULT"
    menu.layout.operator_enum(MOTIONEDIT_OT_drag_joint.bl_idname, "if_shared")


classes = (MOTIONEDIT_OT_drag_joint,)
