"""Panel "Pose Timeline": edit one window, change all that are like it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpy.types import UIList

from ..border import armature as rig
from ..border.translation import counted_text, label_text
from ..document import scope
from ..interface.panels import draw_note, in_every_editor
from . import collisions
from .settings import has_window
from .windows import memory, window_contents

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup, UILayout

_TRANSFERS = ("transfer_mean", "transfer_variance", "transfer_trajectory", "transfer_coordination")


class MOTIONEDIT_UL_windows(UIList):
    """Propagation windows with tick, frames and similarity."""

    def draw_item(
        self, _context: Context, layout: UILayout, _data: Any, item: Any, _icon: int, _owner: Any, _name: str, *_: int
    ) -> None:
        """One row."""
        row = layout.row(align=True)
        row.prop(item, "ticked", text="")
        row.label(text=label_text("{start} to {end}", **_ends(item)))
        row.progress(factor=item.similarity, text=f"{item.similarity:.0%}", type="BAR")


def _ends(span: PropertyGroup) -> dict[str, str]:
    """The first and the last frame of a window or a collision, as texts have them."""
    return {"start": f"{span.start:.0f}", "end": f"{span.end:.0f}"}


class PoseTimelinePanel:
    """Edit one step, change all steps."""

    bl_label = "Pose Timeline"
    bl_order = 3

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature with an action."""
        chosen = scope.armatures(context)
        return bool(chosen) and scope.action_of(chosen[0]) is not None

    def draw(self, context: Context) -> None:
        """What can be done now: set a window, or edit it and all that are like it."""
        armature = scope.armatures(context)[0]
        settings, layout = scope.own_action(armature).motion_editing_timeline, self.layout
        row = layout.row(align=True)
        row.prop(settings, "icons")
        row.prop(settings, "view", text="")
        _draw_sampling(layout, armature)
        if not has_window(armature):
            _draw_start(layout, context)
        else:
            _draw_windows(layout, context, settings)
            _draw_propagation(layout, context, armature)
            _draw_painting(layout, settings)
            _draw_time(layout, settings)
            _draw_features(layout, settings)
        _draw_others(layout, context, armature)


def _draw_sampling(layout: UILayout, armature: Object) -> None:
    if rig.why_sampled(armature) is not None:
        layout.operator("motion_editing.show_icons", icon="FILE_REFRESH")


def _draw_start(layout: UILayout, context: Context) -> None:
    draw_note(layout, context, "Drag across the icons on the strip to choose a step or a punch; or choose it by")
    column = layout.column(align=True)
    for window, text, icon in (
        ("PREVIEW", "Preview Range", "PREVIEW_RANGE"),
        ("KEYS", "Selected Keys", "KEYFRAME_HLT"),
        ("MARKERS", "Selected Markers", "MARKER_HLT"),
    ):
        column.operator("motion_editing.find_similar", text=text, icon=icon).window = window


def _draw_windows(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    row = layout.row(align=True)
    row.label(text=label_text("Window {start} to {end}", **_ends(settings)), icon="SELECT_SET")
    row.operator("motion_editing.find_similar", text="", icon="FILE_REFRESH")
    row.operator("motion_editing.clear_windows", text="", icon="X")
    text = window_contents.seen_text(context, scope.armatures(context)[0]) if settings.windows else ""
    if text:
        draw_note(layout, context, text)
    if not settings.windows:
        draw_note(
            layout, context, "Nothing else is like it. Choose a part that is done again, or raise Show Up To (F9)"
        )
        return
    row = layout.row()
    row.template_list("MOTIONEDIT_UL_windows", "", settings, "windows", settings, "active", rows=4)
    side = row.column(align=True)
    side.operator("motion_editing.tick_all_windows", text="", icon="CHECKBOX_HLT").ticked = True
    side.operator("motion_editing.tick_all_windows", text="", icon="CHECKBOX_DEHLT").ticked = False


def _draw_propagation(layout: UILayout, context: Context, armature: Object) -> None:
    edited = memory.is_edited(armature)
    row = layout.row(align=True)
    row.scale_y = 1.3
    row.operator("motion_editing.propagate_edit", icon="PASTEDOWN")
    row.operator("motion_editing.remember_window", text="", icon="BOOKMARKS")
    if not edited:
        draw_note(layout, context, "Change the window with any tool, then propagate the edit to the enabled windows")


def _draw_painting(layout: UILayout, settings: PropertyGroup) -> None:
    row = layout.row(align=True)
    count = len(settings.painted)
    row.label(text=counted_text(count, "painted bone") if count else "Whole body", icon="BRUSH_DATA")
    for how, icon in (("SET", "RESTRICT_SELECT_OFF"), ("ADD", "ADD"), ("REMOVE", "REMOVE"), ("CLEAR", "X")):
        row.operator("motion_editing.paint_bones", text="", icon=icon).how = how


def _draw_time(layout: UILayout, settings: PropertyGroup) -> None:
    header, body = layout.panel("MOTIONEDIT_timeline_time")
    header.label(text="Timing")
    if body is None:
        return
    column = body.column(align=True)
    row = column.row(align=True)
    row.operator("motion_editing.stretch_windows")
    row.operator("motion_editing.move_pose")
    row = column.row(align=True)
    row.operator("motion_editing.align_windows")
    row.operator("motion_editing.snap_to_beats")
    body.prop(settings, "sound_strip")


def _draw_features(layout: UILayout, settings: PropertyGroup) -> None:
    header, body = layout.panel("MOTIONEDIT_timeline_features", default_closed=True)
    header.label(text="Features")
    if body is None:
        return
    body.use_property_split = True
    body.use_property_decorate = False
    body.prop(settings, "reference")
    if settings.reference != "WINDOW":
        body.prop(settings, "reference_action" if settings.reference == "ACTION" else "reference_object")
        row = body.row(align=True)
        row.prop(settings, "reference_start", text="Frames")
        row.prop(settings, "reference_end", text="")
    body.prop(settings, "ease")
    column = body.column(align=True)
    for name in _TRANSFERS:
        column.operator(f"motion_editing.{name}")


def _draw_others(layout: UILayout, context: Context, armature: Object) -> None:
    settings = scope.own_action(armature).motion_editing_timeline
    # Blender remembers for each name whether it is open: this one closes by itself only as long as nobody is chosen.
    name = "second" if settings.second is None else "pair"
    header, body = layout.panel(f"MOTIONEDIT_timeline_{name}", default_closed=settings.second is None)
    header.label(text="Second Character")
    header.prop(settings, "second", text="")
    if body is None:
        return
    if settings.second is None:
        draw_note(body, context, "Choose an armature to see its poses above and where the two touch")
        return
    row = body.row(align=True)
    row.operator("motion_editing.find_collisions", icon="VIEWZOOM")
    if settings.collisions_of or settings.collisions:
        _draw_collisions(body, armature, settings)


def _draw_collisions(layout: UILayout, armature: Object, settings: PropertyGroup) -> None:
    """The list; pale, with a button that finds it anew, after a change of one of the motions."""
    known = collisions.are_known(armature)
    if not known:
        row = layout.row(align=True)
        row.label(text="Out of date", icon="ERROR")
        again = row.operator("motion_editing.find_collisions", text="Find Again", icon="FILE_REFRESH")
        again.margin = settings.collision_margin
    column = layout.column(align=True)
    column.active = known
    if not settings.collisions:
        column.label(text="They do not touch", icon="CHECKMARK")
    for item in settings.collisions:
        text = "{start} to {end}: {bone}, {other}"
        column.label(text=label_text(text, bone=item.bone, other=item.other, **_ends(item)))


def draw_menu(layout: UILayout) -> None:
    """Entries in the menu of all tools."""
    for name in (
        "find_similar",
        "show_icons",
        "clear_windows",
        "tick_window",
        "tick_all_windows",
        "paint_bones",
        "remember_window",
        "propagate_edit",
        "stretch_windows",
        "move_pose",
        "align_windows",
        "snap_to_beats",
        *_TRANSFERS,
        "find_collisions",
    ):
        layout.operator(f"motion_editing.{name}")


panels = in_every_editor(PoseTimelinePanel)
