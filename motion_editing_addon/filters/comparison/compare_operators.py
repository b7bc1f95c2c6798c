"""Looking at the original without losing the edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import EnumProperty
from bpy.types import Operator

from ...border import armature as rig
from ...border.lazy_modules import is_loaded
from ...document import scope
from ...interface.operators.long_work import LongWorkOperator
from ...interface.operators.polls import NeedsClip
from . import comparison

if TYPE_CHECKING:
    from bpy.types import Context, UILayout

    from ...border.steps import Steps

_MODES = (
    ("GHOST", "Ghost", "Show the original as a ghost beside the edited motion"),
    ("ORIGINAL", "Original", "Show the original instead of the edited motion"),
    ("OFF", "Off", "Show only the edited motion"),
)


class MOTIONEDIT_OT_compare_original(LongWorkOperator, NeedsClip, Operator):
    """Show the motion from before the first edit, or hide it again"""

    bl_idname = "motion_editing.compare_original"
    bl_label = "Compare with Original"

    mode: EnumProperty(name="Show", description="How the original is shown", items=_MODES, default="ORIGINAL")

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an action that was edited before."""
        reason = scope.why_not(context)
        if reason is None and scope.action_of(context.object).motion_editing.original is None:
            return "This action has not been edited by Motion Editing: its original is what you see"
        return reason

    def work(self, context: Context) -> Steps[None]:
        """Switch it on, or off if it is on already; a control rig has to play its original first."""
        armature = context.object
        if self.mode in (comparison.OFF, comparison.mode_of(armature)):
            comparison.stop()
            return
        if self.mode == comparison.GHOST and rig.why_sampled(armature):
            yield from comparison.sample_original(context, armature)
        comparison.start(context, armature, self.mode)


def draw_switches(layout: UILayout, context: Context) -> None:
    """Two buttons, pressed while they are on."""
    shown = comparison.mode_of(context.object) if is_loaded(comparison) else "OFF"
    row = layout.row(align=True)
    for mode, icon in (("GHOST", "GHOST_ENABLED"), ("ORIGINAL", "UV_SYNC_SELECT")):
        label = next(name for identifier, name, _text in _MODES if identifier == mode)
        row.operator(MOTIONEDIT_OT_compare_original.bl_idname, text=label, icon=icon, depress=shown == mode).mode = mode
