"""Panel "Smooth" and the menu entry of the same tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import scope
from ..panels import in_every_editor
from .operators import MOTIONEDIT_OT_smooth

if TYPE_CHECKING:
    from bpy.types import Context, UILayout


class SmoothPanel:
    """Noise and jitter taken out."""

    bl_label = "Smooth"
    bl_order = 30

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, _context: Context) -> None:
        """The tool."""
        self.layout.operator(MOTIONEDIT_OT_smooth.bl_idname, icon="SMOOTHCURVE")


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.operator(MOTIONEDIT_OT_smooth.bl_idname)


classes = in_every_editor(SmoothPanel)
