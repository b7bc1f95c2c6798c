"""Buttons that edit windows; what each does is its tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from ...core.timeline import (
    NOT_SET,
    AlignWindows,
    MovePose,
    PropagateEdit,
    SnapToBeats,
    StretchWindows,
    TransferCoordination,
    TransferMean,
    TransferTrajectory,
    TransferVariance,
)
from ..interface.operators.operator import MotionEditOperator
from . import timeline_run
from .timeline_operator import TimelineEdit

if TYPE_CHECKING:
    from bpy.types import Context, Event


class MOTIONEDIT_OT_propagate_edit(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.propagate_edit"
    bl_label = "Propagate Edit"
    tool = PropagateEdit

    def run(self) -> timeline_run.PropagationRun:
        """Staggered poses carry what they know."""
        return timeline_run.PropagationRun(self)


class MOTIONEDIT_OT_stretch_windows(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.stretch_windows"
    bl_label = "Stretch Windows"
    offers_keys = False
    tool = StretchWindows


class MOTIONEDIT_OT_move_pose(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.move_pose"
    bl_label = "Move Pose"
    offers_keys = False
    tool = MovePose

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Take the current frame if none is given."""
        tool = self.present_tool()
        self.frame = float(context.scene.frame_current_final) if tool.frame == NOT_SET else tool.frame
        self.to_frame = self.frame + 5.0 if tool.to_frame == NOT_SET else tool.to_frame
        return super().invoke(context, event)


class MOTIONEDIT_OT_align_windows(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.align_windows"
    bl_label = "Align Windows"
    offers_keys = False
    tool = AlignWindows


class MOTIONEDIT_OT_snap_to_beats(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.snap_to_beats"
    bl_label = "Snap to Beats"
    offers_keys = False
    tool = SnapToBeats


class MOTIONEDIT_OT_transfer_mean(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.transfer_mean"
    bl_label = "Transfer Mean Rotation"
    tool = TransferMean


class MOTIONEDIT_OT_transfer_variance(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.transfer_variance"
    bl_label = "Transfer Rotation Variance"
    tool = TransferVariance


class MOTIONEDIT_OT_transfer_trajectory(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.transfer_trajectory"
    bl_label = "Transfer Trajectory"
    tool = TransferTrajectory


class MOTIONEDIT_OT_transfer_coordination(TimelineEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.transfer_coordination"
    bl_label = "Transfer Coordination"
    tool = TransferCoordination
