"""Tools that need another motion: which one it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...interface.operators.operator import OperatorMixin

if TYPE_CHECKING:
    from bpy.types import Context, Event


class NeedsOtherMotion(OperatorMixin):
    """Mixin of operators whose tool names another motion; where it does not, what the panel shows counts."""

    if TYPE_CHECKING:
        action: str
        armature: str

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Without another motion ask for it first."""
        self.take_from_panel(context)
        if not (self.action or self.armature) and not bpy.app.background:
            return context.window_manager.invoke_props_dialog(self, title=self.bl_label)
        return super().invoke(context, event)

    def take_from_panel(self, context: Context) -> None:
        """Fill in what is chosen in the panel, unless the tool was told."""
        chosen = context.scene.motion_editing_blend_loop
        if self.action or self.armature:
            return
        if chosen.armature is not None:
            self.armature = chosen.armature.name
        elif chosen.action is not None:
            self.action = chosen.action.name
