"""What the timeline's operators have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..document import scope
from ..interface import strip
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Object, PropertyGroup

    from ..border.action_io import Clip, WriteReport
    from ..interface.operators.operator import Carry

# No frame of any scene.
NOT_SET = -1.0e6


class TimelineChoice(NeedsClip):
    """Mixin of operators that change windows, ticks or painting, but no keys."""

    bl_options = {"REGISTER", "UNDO"}

    def change(self, context: Context, armature: Object, settings: PropertyGroup) -> str | None:
        """Change the settings and say what was done."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Change and redraw."""
        armature = scope.armatures(context)[0]

        def change() -> str | None:
            text = self.change(context, armature, scope.action_of(armature).motion_editing_timeline)
            strip.redraw()
            return text

        return guarded(self, change)


class TimelineEdit:
    """Mixin of operators that edit windows of the active armature; painted bones are their scope."""

    offers_range = False

    def chosen(self, context: Context) -> list[Object]:
        """Windows belong to one character: others in pose mode stay as they are."""
        return scope.armatures(context)[:1]

    def joints(self, armature: Object, clip: Clip) -> np.ndarray:
        """(J,) the painted bones, or all joints and the object."""
        import numpy as np

        from .features.painted_bones import painted_mask, refuse_lost

        refuse_lost(armature)
        painted = painted_mask(armature, clip.motion.skeleton)
        return painted if painted.any() else np.ones(len(painted), dtype=bool)

    def warn_of_changed_windows(self, clip: Clip) -> None:
        """Say where ticked windows may no longer lie right."""
        from .windows.window_contents import changed_text

        text = changed_text(clip)
        if text:
            self.report({"WARNING"}, text)

    @staticmethod
    def remembering(clip: Clip, carry_out: Carry) -> Carry:
        """The same edit, after which the window is remembered as it then is."""

        def edit_and_remember() -> WriteReport:
            from ..document.character.joint_positions import positions_of
            from .windows.memory import remember_anew

            report = carry_out()
            edited = scope.read_clip(bpy.context, clip.armature)
            remember_anew(edited)
            positions_of(bpy.context, edited)  # of a control rig, so that its icons stay
            strip.redraw()
            return report

        return edit_and_remember
