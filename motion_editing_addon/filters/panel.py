"""Panel "Clean & Filter" and the menu of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Menu, UIList

from ..document import scope
from ..interface.panels import in_every_editor

if TYPE_CHECKING:
    from bpy.types import Context, UILayout


class CleanFilterPanel:
    """Flaws found and put right, waves taken out, made stronger or limited."""

    bl_label = "Clean & Filter"
    bl_order = 30
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """The tools in groups."""
        layout = self.layout
        _draw_cleaning(layout, context)
        _draw_filters(layout)
        _draw_equalizer(layout, context)
        _draw_shaping(layout)


def _draw_cleaning(layout: UILayout, context: Context) -> None:
    column = layout.column(align=True)
    column.label(text="Clean Up")
    row = column.row(align=True)
    row.operator("motion_editing.find_flaws", icon="VIEWZOOM")
    row.operator("motion_editing.remove_outliers")
    action = scope.action_of(scope.armatures(context)[0])
    if action is None or not action.motion_editing_flaws.searched:
        return
    flaws = action.motion_editing_flaws
    if not flaws.found:
        column.label(text="No flaws left", icon="CHECKMARK")
        return
    column.template_list("MOTIONEDIT_UL_flaws", "", flaws, "found", flaws, "active", rows=4)
    row = column.row(align=True)
    ticked = sum(item.ticked for item in flaws.found)
    row.operator("motion_editing.repair_flaws", text=f"Repair Enabled ({ticked})").which = "TICKED"
    row.operator("motion_editing.repair_flaws", text="Repair All").which = "ALL"


class MOTIONEDIT_UL_flaws(UIList):
    """Flaws with tick, kind, bone and frames."""

    def draw_item(
        self, _context: Context, layout: UILayout, _data: Any, item: Any, _icon: int, _owner: Any, _name: str, *_: int
    ) -> None:
        """One row."""
        word, icon = _KINDS.get(item.kind, ("damaged", "ERROR"))
        row = layout.row(align=True)
        row.prop(item, "ticked", text="")
        split = row.split(factor=0.72)
        split.label(text=f"{item.bone or 'Object'}: {word}", icon=icon)
        split.label(text=f"{item.first:.0f}" if item.first == item.last else f"{item.first:.0f}-{item.last:.0f}")


# Word and icon of the kinds of flaws.
_KINDS = {
    "SPIKE": ("spike", "SHARPCURVE"),
    "HELD": ("gap", "NOCURVE"),
    "MISSING": ("gap", "NOCURVE"),
    "JUMP": ("flip", "MOD_MIRROR"),
    "BELOW_FLOOR": ("below floor", "TRIA_DOWN_BAR"),
}


def _draw_filters(layout: UILayout) -> None:
    column = layout.column(align=True)
    column.label(text="Filter")
    column.operator("motion_editing.smooth", icon="SMOOTHCURVE")
    row = column.row(align=True)
    for name in ("low_pass", "high_pass", "band_pass"):
        row.operator(f"motion_editing.{name}")


def _draw_equalizer(layout: UILayout, context: Context) -> None:
    settings = context.window_manager.motion_editing_equalizer
    if not settings.is_open:
        layout.operator("motion_editing.equalize", icon="SEQ_HISTOGRAM")
        return
    box = layout.box()
    box.label(text="Equalizer, in hertz", icon="SEQ_HISTOGRAM")
    column = box.column(align=True)
    column.use_property_split = True
    column.use_property_decorate = False
    for band, name in enumerate(settings.names.split("|")):
        column.prop(settings, "gains", index=band, text=name, slider=True)
    row = box.row(align=True)
    row.operator("motion_editing.close_equalizer", text="Apply", icon="CHECKMARK").apply = True
    row.operator("motion_editing.close_equalizer", text="Cancel", icon="X").apply = False
    row.operator("motion_editing.reset_equalizer", text="", icon="LOOP_BACK")


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


_MENU = (
    ("find_flaws", "repair_flaws", "remove_outliers"),
    ("smooth", "low_pass", "high_pass", "band_pass", "equalize"),
    ("exaggerate_motion", "soft_limit", "compress_range"),
)
_WITHOUT_RANGE = ("repair_flaws",)
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


panels = in_every_editor(CleanFilterPanel)
