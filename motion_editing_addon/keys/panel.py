"""Panel "Keys" and the menu entries of the same tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import scope
from ..panels import in_every_editor
from .operators import draw_operators

if TYPE_CHECKING:
    from bpy.types import Context


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


classes = in_every_editor(KeysPanel)
