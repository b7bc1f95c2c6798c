"""Panels "Reduce Keys" and "Keys", and the menu entries of the same tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..document import scope
from ..interface.panels import draw_note, draw_reason, in_every_editor
from .operators import MOTIONEDIT_OT_reduce_keys, draw_operators

if TYPE_CHECKING:
    from bpy.types import Context, UILayout


_BUTTONS = (
    ("Reduce Keys", "IPO_BEZIER", "SMOOTH", False),
    ("Fewest Keys", "HANDLE_FREE", "FEWEST", False),
    ("Pose Columns", "KEYFRAME_HLT", "SMOOTH", True),
)


class KeysPanel:
    """How densely the motion is keyed."""

    bl_label = "Keys"
    bl_order = 20

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, _context: Context) -> None:
        """The tools, one below the other."""
        draw_operators(self.layout.column(align=True))


class ReduceKeysPanel:
    """Few keys instead of many, with nothing that can be seen lost."""

    bl_label = "Reduce Keys"
    bl_order = 21
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """One button per way to reduce; the errors are in the panel that follows the click."""
        reason = scope.why_not(context)
        if reason:
            draw_reason(self.layout, context, reason)
            return
        column = self.layout.column(align=True)
        for text, icon, kind, pose_columns in _BUTTONS:
            # Both are set by each button: what is not set is as it was last time.
            button = column.operator(MOTIONEDIT_OT_reduce_keys.bl_idname, text=text, icon=icon)
            button.kind, button.pose_columns = kind, pose_columns
        draw_note(self.layout, context, "Errors, feet and outliers: press F9 after the click")


def draw_menu(layout: UILayout) -> None:
    """Entries in the menu of all tools."""
    layout.operator(MOTIONEDIT_OT_reduce_keys.bl_idname)
    draw_operators(layout)


panels = (*in_every_editor(KeysPanel), *in_every_editor(ReduceKeysPanel))
