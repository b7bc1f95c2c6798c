"""Dragging a joint in the 3D View: the whole motion follows, all constraints held."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.types import Operator

from ....core.constraints import DragJoint
from ...document import scope
from ...document.action_users import is_shared
from ...interface.operators.operator import MotionEditOperator
from ..solve import together
from . import drag_run, joint_gesture

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object, UIPopupMenu


class MOTIONEDIT_OT_drag_joint(MotionEditOperator, Operator):
    bl_idname = "motion_editing.drag_joint"
    bl_label = "Drag Bone"
    bl_options = {"REGISTER", "UNDO", "PRESET", "BLOCKING", "GRAB_CURSOR"}
    tool = DragJoint

    def chosen(self, context: Context) -> list[Object]:
        """The active armature, and those in pose mode that constraints tie it to."""
        chosen = scope.armatures(context)
        return together.group_of(chosen[0], chosen) if chosen else []

    def run(self) -> drag_run.DragRun:
        """On the lists of all that are tied together, and the dragged joint."""
        return drag_run.DragRun(self)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start the drag, after a question if others use the animation; without a 3D View do as other tools do."""
        if bpy.app.background or context.area is None or context.area.type != "VIEW_3D":
            return self.execute(context)
        if any(map(is_shared, self.chosen(context))) and not self.properties.is_property_set("if_shared"):
            context.window_manager.popup_menu(_ask_about_sharing, title="Shared Action")
            return {"CANCELLED"}
        return self.follow_mouse(context, event, joint_gesture.JointGesture(self, self.run()))


def _ask_about_sharing(menu: UIPopupMenu, _context: Context) -> None:
    """The two ways to drag a character whose animation others use; a click starts the drag."""
    menu.layout.operator_context = "INVOKE_DEFAULT"
    menu.layout.operator_enum(MOTIONEDIT_OT_drag_joint.bl_idname, "if_shared")
