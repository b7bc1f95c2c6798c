"""Panel "Blend & Loop" and the menu of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Menu

from ..document import scope
from ..interface.panels import draw_reason, in_every_editor

if TYPE_CHECKING:
    from bpy.types import Context, PropertyGroup, UILayout


class BlendLoopPanel:
    """This motion with another one, over and over, mirrored, and along another way."""

    bl_label = "Blend & Loop"
    bl_order = 31
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """The tools in groups."""
        layout = self.layout
        reason = scope.why_not(context)
        if reason:
            draw_reason(layout, context, reason)
            return
        settings = context.scene.motion_editing_blend_loop
        _draw_blend(layout, settings)
        column = layout.column(align=True)
        column.label(text="Within This Motion")
        row = column.row(align=True)
        row.operator("motion_editing.make_loop", icon="FILE_REFRESH")
        row.operator("motion_editing.bridge_gap")
        column.operator("motion_editing.mirror_motion", icon="MOD_MIRROR")
        _draw_ground(layout, settings)


def _draw_blend(layout: UILayout, settings: PropertyGroup) -> None:
    column = layout.column(align=True)
    column.label(text="With Another Motion")
    fields = _fields(column)
    action = fields.row(align=True)
    action.active = settings.armature is None
    action.prop(settings, "action")
    fields.prop(settings, "armature", icon="ARMATURE_DATA")
    row = column.row(align=True)
    row.operator("motion_editing.blend_action", text="Blend", icon="ARROW_LEFTRIGHT")
    row.operator("motion_editing.append_transition", text="Append", icon="TRACKING_FORWARDS_SINGLE")


def _draw_ground(layout: UILayout, settings: object) -> None:
    column = layout.column(align=True)
    column.label(text="Way Over the Ground")
    row = column.row(align=True)
    row.operator("motion_editing.in_place")
    row.operator("motion_editing.change_heading")
    _fields(column).prop(settings, "curve", icon="OUTLINER_OB_CURVE")
    column.operator("motion_editing.follow_curve")


def _fields(column: UILayout) -> UILayout:
    """Room for choices with their names on the left."""
    fields = column.column(align=True)
    fields.use_property_split = True
    fields.use_property_decorate = False
    return fields


class MOTIONEDIT_MT_blend_loop(Menu):
    """Blends, loops, mirror and ways over the ground."""

    bl_label = "Blend & Loop"

    def draw(self, _context: Context) -> None:
        """All tools."""
        for group in _MENU:
            for name in group:
                self.layout.operator(f"motion_editing.{name}")
            self.layout.separator()


_MENU = (
    ("blend_action", "append_transition"),
    ("make_loop", "bridge_gap", "mirror_motion"),
    ("in_place", "follow_curve", "change_heading"),
)


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.menu(MOTIONEDIT_MT_blend_loop.__name__)


panels = in_every_editor(BlendLoopPanel)
