"""Buttons that change when poses and their parts happen; what each does is its tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty
from bpy.types import Operator

from ... import core
from ...core.staggered import CopyStagger, RandomStagger, Restagger, RetimePose, ScaleStagger, Succession, Unstagger
from ..border.translation import report_text
from ..interface.operators.operator import SLIDING, MotionEditOperator
from ..interface.shared_options import ALL_POSES
from .edits.pose_options import TimingEdit

if TYPE_CHECKING:
    from bpy.types import Context, Event

    from ...core.staggered import StaggeredMotion
    from .edits.poses_run import Target

_LATEST = "Pose {pose} can go no later than frame {frame}"
_EARLIEST = "Pose {pose} can go no earlier than frame {frame}"


class MOTIONEDIT_OT_succession(TimingEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.succession"
    bl_label = "Succession"
    bl_options = SLIDING
    tool = Succession
    # IK feet that were late would have to be brought back to where they stood.
    leaves_planted = True

    def examine(self, target: Target) -> None:
        """Refuse at once where there is no bone to start from."""
        target.joint_named(self.present_tool().bone)


class MOTIONEDIT_OT_random_stagger(TimingEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.random_stagger"
    bl_label = "Random Stagger"
    bl_options = SLIDING
    tool = RandomStagger


class MOTIONEDIT_OT_scale_stagger(TimingEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.scale_stagger"
    bl_label = "Scale Stagger"
    bl_options = SLIDING
    tool = ScaleStagger


class MOTIONEDIT_OT_unstagger(TimingEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.unstagger"
    bl_label = "Un-stagger"
    tool = Unstagger


class MOTIONEDIT_OT_restagger(TimingEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.restagger"
    bl_label = "Re-stagger"
    tool = Restagger


class MOTIONEDIT_OT_copy_stagger(TimingEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.copy_stagger"
    bl_label = "Copy Stagger"
    tool = CopyStagger

    all_poses: BoolProperty(**ALL_POSES, default=True, options={"HIDDEN"})


class MOTIONEDIT_OT_retime_pose(TimingEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.retime_pose"
    bl_label = "Retime Pose"
    tool = RetimePose

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the current frame."""
        self.frame = context.scene.frame_current_final
        return super().invoke(context, event)

    def change(self, target: Target) -> StaggeredMotion:
        """Move the pose or the knot."""
        tool = self.present_tool()
        if not (tool.bone or tool.shape_key):
            self._tell_limits(target, target.seconds(tool.frame))
        return super().change(target)

    def _tell_limits(self, target: Target, time: float) -> None:
        """Say so where a neighbouring pose stops this one."""
        earliest, latest = core.staggered.time_limits(target.model, target.active)
        if earliest <= time <= latest:
            return
        told, limit, other = (_LATEST, latest, 2) if time > latest else (_EARLIEST, earliest, 0)
        text = report_text(told, pose=target.active + 1, frame=f"{target.scene_frame(limit):.1f}")
        if 0 < target.active + other <= len(target.model):
            text += report_text(": pose {pose} is there", pose=target.active + other)
        self.report({"WARNING"}, text)
