"""Panel "Time"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import scope
from ..panels import draw_note, in_every_editor

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
        settings = scope.action_of(scope.armatures(context, any_object=True)[0]).motion_editing_time
        _draw_keytimes(layout, context, settings)
        _draw_guide(layout, settings)
        row = layout.row()
        row.scale_y = 1.3
        row.operator("motion_editing.warp_time", icon="MOD_TIME")
        _draw_more(layout)


def _draw_keytimes(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    row = layout.row(align=True)
    row.operator("motion_editing.set_length", icon="ARROW_LEFTRIGHT")
    row.operator("motion_editing.add_keytime", icon="ADD")
    if len(settings.keytimes) < 2:
        draw_note(layout, context, "Warp Time changes the length; add keytimes to hold moments, drag them on the strip")
        return
    column = layout.column(align=True)
    for number, item in enumerate(settings.keytimes):
        _draw_keytime(column, number, item, is_end=number in (0, len(settings.keytimes) - 1))
    row = layout.row(align=True)
    row.prop(settings, "ripple", toggle=True)
    row.operator("motion_editing.clear_keytimes", icon="X")


def _draw_keytime(layout: UILayout, number: int, item: PropertyGroup, *, is_end: bool) -> None:
    row = layout.row(align=True)
    row.label(text=f"{item.old:.0f}", icon="KEYFRAME_HLT" if not is_end else "HANDLETYPE_VECTOR_VEC")
    row.label(text="", icon="FORWARD")
    row.prop(item, "new", text="")
    row.prop(item, "speed", text="")
    lock = row.operator("motion_editing.lock_span", text="", icon="LOCKED" if item.locked else "UNLOCKED")
    lock.keytime, lock.locked = number, not item.locked
    if is_end:
        row.label(text="", icon="BLANK1")
    else:
        row.operator("motion_editing.remove_keytime", text="", icon="X").keytime = number


def _draw_guide(layout: UILayout, settings: PropertyGroup) -> None:
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    for name in ("influence", "smoothness", "speed_limit", "reference"):
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


def _draw_more(layout: UILayout) -> None:
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator("motion_editing.keytimes_from_events")
    row.operator("motion_editing.apply_time_map")
    row = column.row(align=True)
    row.operator("motion_editing.shift_time")
    row.operator("motion_editing.reverse_time")


def draw_menu(layout: UILayout) -> None:
    """Entries in the menu of all tools."""
    for name in (
        "warp_time",
        "add_keytime",
        "set_length",
        "keytimes_from_events",
        "apply_time_map",
        "shift_time",
        "reverse_time",
        "clear_keytimes",
    ):
        layout.operator(f"motion_editing.{name}")


classes = in_every_editor(TimePanel)
