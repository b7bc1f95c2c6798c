"""Panel "Time"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..document import scope
from ..interface.panels import draw_note, in_every_editor, side_by_side

if TYPE_CHECKING:
    from bpy.types import Context, PropertyGroup, UILayout


class TimePanel:
    """Make the motion longer or shorter, or let moments happen at other times."""

    bl_label = "Time"
    bl_order = 4

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an animated object."""
        chosen = scope.armatures(context, any_object=True)
        return bool(chosen) and scope.action_of(chosen[0]) is not None

    def draw(self, context: Context) -> None:
        """Keytimes, guide, and the warp."""
        layout = self.layout
        settings = scope.own_action(scope.armatures(context, any_object=True)[0]).motion_editing_time
        row = layout.row()
        row.scale_y = 1.3
        row.operator("motion_editing.warp_time", icon="MOD_TIME")
        _draw_events(layout, context, settings)
        _draw_keytimes(layout, context, settings)
        _draw_guide(layout, settings)
        _draw_more(layout, context)


def _draw_events(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    row = side_by_side(layout, context)
    row.operator("motion_editing.keep_this", icon="LOCKED")
    if settings.has_spans:
        row.operator("motion_editing.clear_spans", icon="X")
    else:
        row.operator("motion_editing.find_events", icon="VIEWZOOM")


def _draw_keytimes(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    layout.operator("motion_editing.add_keytime", icon="ADD")
    if len(settings.keytimes) < 2:
        draw_note(layout, context, "Warp Time changes the length; add keytimes and drag them on the strip")
        return
    column = layout.column(align=True)
    _draw_headings(column)
    for number, item in enumerate(settings.keytimes):
        _draw_keytime(column, number, item, last=len(settings.keytimes) - 1)
    row = side_by_side(layout, context)
    row.prop(settings, "ripple")
    row.operator("motion_editing.clear_keytimes", icon="X")


def _draw_headings(layout: UILayout) -> None:
    row, first, others = _columns(layout)
    first.label(text="Frame", icon="BLANK1")
    others.label(text="New")
    others.label(text="Speed")
    for _button in range(2):
        row.label(text="", icon="BLANK1")


def _draw_keytime(layout: UILayout, number: int, item: PropertyGroup, *, last: int) -> None:
    """When the moment was, when it shall be, its speed, the lock of the span after it, and a button to remove it."""
    row, first, others = _columns(layout)
    is_end = number in (0, last)
    first.label(text=f"{item.old:.0f}", icon="HANDLETYPE_VECTOR_VEC" if is_end else "KEYFRAME_HLT")
    others.prop(item, "new", text="")
    speed = others.row(align=True)
    speed.active = item.speed > 0.0
    speed.prop(item, "speed", text="")
    if number == last:
        row.label(text="", icon="BLANK1")
    else:
        lock = row.operator("motion_editing.lock_span", text="", icon="LOCKED" if item.locked else "UNLOCKED")
        lock.keytime, lock.locked = number, not item.locked
    if is_end:
        row.label(text="", icon="BLANK1")
    else:
        row.operator("motion_editing.remove_keytime", text="", icon="X").keytime = number


def _columns(layout: UILayout) -> tuple[UILayout, UILayout, UILayout]:
    """A row of the table, its first column, and those after it."""
    row = layout.row(align=True)
    split = row.split(factor=0.34, align=True)
    return row, split.row(align=True), split.row(align=True)


def _draw_guide(layout: UILayout, settings: PropertyGroup) -> None:
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    for name in ("influence", "smoothness", "speed_limit", "reverse", "reference"):
        column.prop(settings, name)
    if settings.reference == "ACTION":
        column.prop(settings, "reference_action")
    if settings.reference == "RANGE":
        row = column.row(align=True)
        row.prop(settings, "reference_start", text="Frames")
        row.prop(settings, "reference_end", text="")
        column.prop(settings, "keep_unlike")
    if settings.reference != "SELF":
        column.prop(settings, "free_length")
    if len(settings.keytimes) > 1 or settings.has_spans:
        column.prop(settings, "plot_height")


def _draw_more(layout: UILayout, context: Context) -> None:
    column = layout.column(align=True)
    row = side_by_side(column, context)
    row.operator("motion_editing.keytimes_from_events")
    row.operator("motion_editing.synchronize")
    row = side_by_side(column, context)
    row.operator("motion_editing.apply_time_map")
    row.operator("motion_editing.shift_time")
    row.operator("motion_editing.reverse_time")


def draw_menu(layout: UILayout) -> None:
    """Entries in the menu of all tools."""
    for name in (
        "warp_time",
        "find_events",
        "keep_this",
        "clear_spans",
        "add_keytime",
        "set_length",
        "keytimes_from_events",
        "synchronize",
        "apply_time_map",
        "shift_time",
        "reverse_time",
        "clear_keytimes",
    ):
        layout.operator(f"motion_editing.{name}")


panels = in_every_editor(TimePanel)
