"""Panel "Strip": what is shown at the bottom of the Dope Sheet and the Timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...document import scope
from ..panels import in_every_editor
from .lanes import all_lanes

if TYPE_CHECKING:
    from bpy.types import Context, Menu, UILayout


class StripPanel:
    """Toggles of the strip and its lanes."""

    bl_label = "Strip"
    bl_order = 90
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature and something to show for it."""
        return bool(scope.armatures(context)) and bool(all_lanes())

    def draw_header(self, context: Context) -> None:
        """The toggle of the whole strip."""
        self.layout.prop(context.scene.motion_editing_strip, "show", text="")

    def draw(self, context: Context) -> None:
        """A toggle for every lane."""
        settings = context.scene.motion_editing_strip
        column = self.layout.column(align=True)
        column.active = settings.show
        for lane in reversed(all_lanes()):
            shown = settings.is_shown(lane.name)
            icon = "CHECKBOX_HLT" if shown else "CHECKBOX_DEHLT"
            row = column.row()
            row.alignment = "LEFT"
            row.operator("motion_editing.strip_lane", text=lane.label, icon=icon, emboss=False).lane = lane.name
        hint = self.layout.row()
        hint.active = False
        hint.label(text="In the Dope Sheet and Timeline")


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.prop(bpy.context.scene.motion_editing_strip, "show")


def draw_view_menu(self: Menu, context: Context) -> None:
    """Entry in the Dope Sheet's View menu."""
    self.layout.separator()
    self.layout.prop(context.scene.motion_editing_strip, "show", text="Motion Strip")


# Only where the strip is, or beside what it is about.
panels = tuple(cls for cls in in_every_editor(StripPanel) if cls.bl_space_type != "GRAPH_EDITOR")
