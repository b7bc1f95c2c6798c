"""Operators on the length and the rate of a clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import EnumProperty, FloatProperty
from bpy.types import Operator

from ...core.guided_warp import ConformRate, TrimClip
from ..border.tool_properties import setting_of
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.stack.settings import is_replaying
from ..interface.operators.operator import MotionEditOperator
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import CURRENT_FRAME, RANGE
from . import length_runs

if TYPE_CHECKING:
    from bpy.types import Context

    from ..border.steps import Steps


# No frame of any scene.
_NOT_SET = -1.0e6


class MOTIONEDIT_OT_trim_clip(MotionEditOperator, Operator):
    bl_idname = "motion_editing.trim_clip"
    bl_label = "Trim Clip"
    offers_keys = False
    any_object = True
    tool = TrimClip

    def recorded_work(self, context: Context) -> Steps[None]:
        """Of the whole action nothing would be removed: the range is then that which is played."""
        if self.present_tool().part != "RANGE":
            self.range = "ACTION"
        elif self.range == "ACTION" and not is_replaying():
            self.range = "PREVIEW" if context.scene.use_preview_range else "SCENE"
        return super().recorded_work(context)

    def run(self) -> length_runs.TrimRun:
        """By cutting off keys."""
        return length_runs.TrimRun(self)


class MOTIONEDIT_OT_split_clip(NeedsClip, Operator):
    """Make an action of every part of the motion; the motion stays as it is"""

    bl_idname = "motion_editing.split_clip"
    bl_label = "Split Clip"
    bl_options = {"REGISTER", "UNDO"}

    by: EnumProperty(
        name="At",
        description="Where parts begin",
        items=(
            ("MARKERS", "Markers", "Split at the action's markers, or at the scene's if it has none"),
            ("IDLE", "Idle", "Split in the middle of every pause"),
            ("FRAME", "Current Frame", "Split at the current frame"),
        ),
        default="MARKERS",
    )
    frame: FloatProperty(**CURRENT_FRAME, default=_NOT_SET)
    to_start: setting_of(TrimClip, "to_start")

    def execute(self, context: Context) -> set[str]:
        """Copy and trim."""

        def split() -> str:
            frame = context.scene.frame_current_final if self.frame == _NOT_SET else self.frame
            armature = scope.armatures(context)[0]
            parts = length_runs.split(context, armature, self.by, frame=frame, to_start=self.to_start)
            names = ", ".join(part.name for part in parts)
            return report_text("Made {actions}: {names}", actions=counted_text(len(parts), "action"), names=names)

        return guarded(self, split)


class MOTIONEDIT_OT_conform_rate(MotionEditOperator, Operator):
    bl_idname = "motion_editing.conform_rate"
    bl_label = "Conform Rate"
    offers_keys = False
    offers_range = False
    tool = ConformRate

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})

    def run(self) -> length_runs.ConformRun:
        """To the scene's rate."""
        return length_runs.ConformRun(self)
