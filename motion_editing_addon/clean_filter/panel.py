"""Panel "Clean & Filter" and the menu of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.types import Menu

from .. import scope
from ..panels import in_every_editor

if TYPE_CHECKING:
    from bpy.types import Context, UILayout


class CleanFilterPanel:
    """Flaws found and put right, waves taken out, made stronger or limited."""

    bl_label = "Clean & Filter"
    bl_order = 30

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, _context: Context) -> None:
        """The tools in groups."""
        layout = self.layout
        _draw_filters(layout)
        _draw_shaping(layout)


def _draw_filters(layout: UILayout) -> None:
    column = layout.column(align=True)
    column.label(text="Filter")
    column.operator("motion_editing.smooth", icon="SMOOTHCURVE")
    row = column.row(align=True)
    for name in ("low_pass", "high_pass", "band_pass"):
        row.operator(f"motion_editing.{name}")


def _draw_shaping(layout: UILayout) -> None:
    column = layout.column(align=True)
    column.label(text="Shape")
    row = column.row(align=True)
    row.operator("motion_editing.exaggerate_motion", text="Exaggerate")
    row.operator("motion_editing.soft_limit")
    row.operator("motion_editing.compress_range", text="Compress")


class MOTIONEDIT_MT_clean_filter(Menu):
    """Tools that change a motion as a signal."""

    bl_label = "Clean & Filter"

    def draw(self, context: Context) -> None:
        """All tools; in the Graph Editor they keep to the range of the selected keys."""
        in_curves = getattr(context.area, "type", "") == "GRAPH_EDITOR"
        for group in _MENU:
            for name in group:
                entry = self.layout.operator(f"motion_editing.{name}")
                if in_curves and name not in _WITHOUT_RANGE:
                    entry.range = "KEYS"
            self.layout.separator()


_MENU = (("smooth", "low_pass", "high_pass", "band_pass"), ("exaggerate_motion", "soft_limit", "compress_range"))
_WITHOUT_RANGE: tuple[str, ...] = ()
# Where Blender has its own sliders for poses and its own filters of curves.
_PLACES = ("VIEW3D_MT_pose_slide", "GRAPH_MT_key_smoothing")


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.menu(MOTIONEDIT_MT_clean_filter.__name__)


def _draw_in_menu(self: Menu, _context: Context) -> None:
    self.layout.separator()
    draw_menu(self.layout)


def add_to_menus() -> None:
    """Put the menu where people look for such tools."""
    for place in _PLACES:
        getattr(bpy.types, place).append(_draw_in_menu)


def remove_from_menus() -> None:
    """Take the menu away again."""
    for place in _PLACES:
        getattr(bpy.types, place).remove(_draw_in_menu)


classes = (MOTIONEDIT_MT_clean_filter, *in_every_editor(CleanFilterPanel))
