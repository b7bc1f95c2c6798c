"""Tools that need another motion: which one it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ...interface.shared_options import OTHER_ACTION, OTHER_ARMATURE

if TYPE_CHECKING:
    from bpy.types import Context, UILayout

    from ...border.action_io import Clip
    from .other_motion import OtherMotion


class NeedsOtherMotion:
    """Mixin: properties for the other motion; where both are empty, what the panel shows counts."""

    action: StringProperty(**OTHER_ACTION)
    armature: StringProperty(**OTHER_ARMATURE)

    def other(self, context: Context, clip: Clip) -> OtherMotion:
        """The other motion, with the joints of this one."""
        from .other_motion import other_motion

        self.take_from_panel(context)
        return other_motion(context, clip, action=self.action, armature=self.armature)

    def knowing_other(self, context: Context, clip: Clip) -> Clip:
        """The clip with switches and other numbers that only the other motion animates."""
        from .other_motion import with_numbers_of

        self.take_from_panel(context)
        return with_numbers_of(context, clip, action=self.action, armature=self.armature)

    def take_from_panel(self, context: Context) -> None:
        """Fill in what is chosen in the panel, unless the tool was told."""
        chosen = context.scene.motion_editing_blend_loop
        if self.action or self.armature:
            return
        if chosen.armature is not None:
            self.armature = chosen.armature.name
        elif chosen.action is not None:
            self.action = chosen.action.name

    def draw_choice(self, layout: UILayout) -> None:
        """Two fields; an armature comes before an action."""
        row = layout.row()
        row.active = not self.armature
        row.prop_search(self, "action", bpy.data, "actions")
        layout.prop_search(self, "armature", bpy.data, "objects", icon="ARMATURE_DATA")
