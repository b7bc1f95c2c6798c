"""Panel "Clip": what is being edited, and facts about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..border import action_io
from ..border.translation import label_text
from ..document import scope
from ..document.take.reference_pose import is_reference_deleted
from ..interface.panels import draw_note, draw_reason, draw_unlinking, in_every_editor, side_by_side
from .scope_text import scope_text

if TYPE_CHECKING:
    from bpy.types import Action, Context, Menu, Object, UILayout


class ClipPanel:
    """The armature's action, its rate and its original keys."""

    bl_label = "Clip"
    bl_order = 0

    def draw(self, context: Context) -> None:
        """Facts about the clip, or how to get one."""
        layout = self.layout
        chosen = scope.armatures(context)
        action = scope.action_of(chosen[0]) if chosen else None
        if action is None:
            _draw_start(layout, context)
            return
        _draw_facts(layout, context, action)
        _draw_rate(layout, context, action)
        row = side_by_side(layout, context)
        row.operator("motion_editing.trim_clip", icon="ARROW_LEFTRIGHT")
        row.operator("motion_editing.split_clip", icon="MOD_EDGESPLIT")
        row = side_by_side(layout, context)
        row.operator("motion_editing.export_bvh", text="Export BVH", icon="EXPORT")
        row.operator("motion_editing.restore_original", text="Restore Original", icon="LOOP_BACK")
        layout.operator("motion_editing.run_recipe", icon="PRESET")


def _draw_start(layout: UILayout, context: Context) -> None:
    """What to do where there is nothing to edit."""
    draw_reason(layout, context, scope.why_not(context) or "")
    if scope.armatures(context) and scope.known_object(context).motion_editing_posing.action is not None:
        return
    column = layout.column(align=True)
    column.scale_y = 1.4
    column.operator("motion_editing.load_sample_motion", icon="ARMATURE_DATA")
    column.operator("motion_editing.bring_in_motion", icon="IMPORT")


def _draw_facts(layout: UILayout, context: Context, action: Action) -> None:
    column = layout.column(align=True)
    column.label(text=action.name, icon="ACTION", translate=False)
    column.label(text=_length_text(context, scope.armatures(context)[0]), icon="BLANK1")
    column.label(text=scope_text(context), icon="BLANK1")
    if not action.is_editable:
        column.label(text="Linked from another file", icon="BLANK1")
        draw_unlinking(column, context)


def _length_text(context: Context, armature: Object) -> str:
    """Where the keys begin and end, and how long that is."""
    ends = action_io.key_ends(armature)
    if ends is None:
        return "No keys"
    first, last = ends
    length = (last - first) / scope.source_rate(context, armature)
    text = "Frames {first} to {last}, {length} s"
    return label_text(text, first=f"{first:g}", last=f"{last:g}", length=f"{length:.2f}")


def _draw_rate(layout: UILayout, context: Context, action: Action) -> None:
    settings = action.motion_editing
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    row = column.row(align=True)
    row.prop(settings, "source_rate")
    row.operator("motion_editing.guess_source_rate", text="", icon="VIEWZOOM")
    row.operator("motion_editing.conform_rate", text="", icon="FILE_REFRESH")
    column.prop(settings, "skipped_frames")
    column.prop(context.scene, "motion_editing_scene_follows")
    if is_reference_deleted(scope.armatures(context)[0]):
        draw_note(layout, context, "The reference pose was deleted: nothing is left out")
    note = settings.source_rate_reason
    if settings.source_rate == 0.0:
        note = label_text("Taken as the scene's {rate} a second", rate=f"{scope.scene_rate(context):g}")
    if note:
        draw_note(layout, context, note)


def draw_menu(layout: UILayout) -> None:
    """Entries in the menu of all tools."""
    for name in (
        "trim_clip",
        "split_clip",
        "conform_rate",
        "guess_source_rate",
        "restore_original",
        "make_action_local",
        "load_sample_motion",
    ):
        layout.operator(f"motion_editing.{name}")


def draw_add_menu(self: Menu, _context: Context) -> None:
    """Entry in Add > Armature."""
    self.layout.operator("motion_editing.load_sample_motion", text="Sample Motion", icon="ARMATURE_DATA")


panels = in_every_editor(ClipPanel)
