"""Panel "Constraints" and its menu entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.types import UIList

from .. import scope
from ..panels import draw_note, in_every_editor
from .settings import LABELS

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup, UILayout

# What of an item is shown for each kind, besides bone, frames and softness.
_SHOWN = {
    "POSITION": ("tail", "target_object"),
    "KEEP": ("tail",),
    "NO_SKID": ("tail",),
    "ORIENTATION": ("target_object",),
    "ABOVE_PLANE": ("tail", "target_object"),
    "DISTANCE": ("tail", "target_object", "distance"),
    "JOINT_LIMIT": ("angle",),
}
# What is shown where there is no target object.
_INSTEAD = {"POSITION": "point", "ORIENTATION": "turn", "ABOVE_PLANE": "height"}


class MOTIONEDIT_UL_constraints(UIList):
    """Constraints with name, frames and whether they hold."""

    def draw_item(
        self, _context, layout, _data, item, _icon, _active_data, _active_property, _index=0, _flag=0
    ) -> None:
        """One row: on or off, its name, its frames."""
        row = layout.row(align=True)
        row.prop(item, "enabled", text="")
        split = row.split(factor=0.6, align=True)
        split.active = item.enabled
        split.prop(item, "name", text="", emboss=False, icon="ERROR" if item.missed and item.enabled else "NONE")
        split.label(text=f"{item.start:.0f}" if item.start == item.end else f"{item.start:.0f}-{item.end:.0f}")


class ConstraintsPanel:
    """What has to hold, and joints that are dragged while it does."""

    bl_label = "Constraints"
    bl_order = 7
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """Drag, list, the active constraint, solve."""
        layout, reason = self.layout, scope.why_not(context)
        if reason:
            draw_note(layout, context, reason)
            return
        armature = scope.armatures(context)[0]
        settings = scope.action_of(armature).motion_editing_constraints
        if context.area.type == "VIEW_3D":
            layout.operator("motion_editing.drag_joint", icon="VIEW_PAN")
        _draw_list(layout, settings)
        if 0 <= settings.active < len(settings.listed):
            _draw_item(layout, armature, settings.listed[settings.active])
        else:
            draw_note(layout, context, "Select bones in pose mode and add what they have to hold")
        layout.operator("motion_editing.solve_constraints", icon="CON_FOLLOWPATH")


def _draw_list(layout: UILayout, settings: PropertyGroup) -> None:
    row = layout.row()
    row.template_list("MOTIONEDIT_UL_constraints", "", settings, "listed", settings, "active", rows=4)
    side = row.column(align=True)
    side.operator_menu_enum("motion_editing.add_constraint", "kind", text="", icon="ADD")
    side.operator("motion_editing.remove_constraint", text="", icon="REMOVE")
    side.operator("motion_editing.jump_to_constraint", text="", icon="TIME")
    layout.operator_menu_enum("motion_editing.add_footplants", "kind", text="Footplants from Contacts")


def _draw_item(layout: UILayout, armature: Object, item: PropertyGroup) -> None:
    column = layout.column(align=True)
    column.use_property_split, column.use_property_decorate = True, False
    column.label(text=LABELS[item.kind])
    column.prop_search(item, "bone", armature.pose, "bones")
    column.prop(item, "start")
    column.prop(item, "end")
    for name in _SHOWN[item.kind]:
        column.prop(item, name)
    if item.kind in _INSTEAD and item.target_object is None:
        column.prop(item, _INSTEAD[item.kind])
    _draw_target_bone(column, armature, item)
    column.prop(item, "softness")
    if item.missed:
        column.label(text=f"Missed by {item.missed:.3g} at frame {item.missed_frame:g}", icon="ERROR")


def _draw_target_bone(column: UILayout, armature: Object, item: PropertyGroup) -> None:
    rig = item.target_object or (armature if item.kind == "DISTANCE" else None)
    if rig is not None and rig.pose is not None and "target_object" in _SHOWN[item.kind]:
        column.prop_search(item, "target_bone", rig.pose, "bones")


class MOTIONEDIT_MT_constraints(bpy.types.Menu):
    """Constraints and edits that hold them."""

    bl_label = "Constraints"

    def draw(self, _context: Context) -> None:
        """All tools."""
        self.layout.operator("motion_editing.drag_joint")
        self.layout.operator("motion_editing.solve_constraints")
        self.layout.separator()
        self.layout.operator_menu_enum("motion_editing.add_constraint", "kind")
        for name in ("add_footplants", "remove_constraint", "jump_to_constraint"):
            self.layout.operator(f"motion_editing.{name}")


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.menu(MOTIONEDIT_MT_constraints.__name__)


classes = (MOTIONEDIT_UL_constraints, MOTIONEDIT_MT_constraints, *in_every_editor(ConstraintsPanel))
