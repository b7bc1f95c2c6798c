"""Buttons for this motion with another one; what each does is its tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from ...core.blending import AppendTransition, BlendAction
from ..document.action_users import result_choice
from ..interface.operators.operator import SLIDING, MotionEditOperator
from .new_motion import MakesMotion
from .partner.other_choice import NeedsOtherMotion
from .runs import append_run, blend_run

if TYPE_CHECKING:
    from bpy.types import Context, Event


class MOTIONEDIT_OT_blend_action(NeedsOtherMotion, MotionEditOperator, Operator):
    bl_idname = "motion_editing.blend_action"
    bl_label = "Blend With Action"
    bl_options = SLIDING
    tool = BlendAction

    def run(self) -> blend_run.BlendRun:
        """On both motions side by side."""
        return blend_run.BlendRun(self)


class MOTIONEDIT_OT_append_transition(NeedsOtherMotion, MakesMotion, MotionEditOperator, Operator):
    bl_idname = "motion_editing.append_transition"
    bl_label = "Append Transition"
    tool = AppendTransition
    offers_range = False

    result: result_choice("THIS")

    def run(self) -> append_run.AppendRun:
        """On one motion after the other."""
        return append_run.AppendRun(self)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Leave at the current frame unless told otherwise."""
        if not self.properties.is_property_set("leave_frame"):
            self.leave_frame = context.scene.frame_current
        return super().invoke(context, event)
