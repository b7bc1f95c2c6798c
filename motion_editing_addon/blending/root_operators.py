"""Buttons for the way over the ground; what each does is its tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from ...core.root_motion import ChangeHeading, FollowCurve, InPlace
from ..document import scope
from ..interface.operators.operator import SLIDING, MotionEditOperator, OperatorMixin
from .runs import ground_run

if TYPE_CHECKING:
    from bpy.types import Context, Event


class GroundEdit(OperatorMixin):
    """Mixin of operators that carry the character over the ground."""

    offers_range = False

    def run(self) -> ground_run.GroundRun:
        """On the whole character."""
        return ground_run.GroundRun(self)


class MOTIONEDIT_OT_in_place(GroundEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.in_place"
    bl_label = "In Place"
    tool = InPlace


class MOTIONEDIT_OT_follow_curve(GroundEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.follow_curve"
    bl_label = "Follow Curve"
    tool = FollowCurve

    def run(self) -> ground_run.GroundRun:
        """On the whole character and a curve."""
        return ground_run.CurveRun(self)


class MOTIONEDIT_OT_change_heading(GroundEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.change_heading"
    bl_label = "Change Heading"
    bl_options = SLIDING
    tool = ChangeHeading

    def invoke(self, context: Context, event: Event) -> set[str]:
        """A gradual turn begins at the current frame unless told otherwise."""
        if not self.properties.is_property_set("start_frame"):
            self.start_frame = context.scene.frame_current
            self.end_frame = self.start_frame + max(1, round(scope.scene_rate(context)))
        return super().invoke(context, event)
