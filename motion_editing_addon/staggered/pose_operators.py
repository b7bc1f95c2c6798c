"""Buttons that change what poses look like and the way between them; what each does is its tool."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bpy.types import Operator

from ...core.staggered import DetailStrength, EasePose, ExaggeratePose, SetTangents
from ..border.action_io.curves import handles
from ..border.key_options import AUTOMATIC
from ..document import scope
from ..interface.operators.operator import SLIDING, MotionEditOperator
from .edits.pose_options import PoseEdit

if TYPE_CHECKING:
    from bpy.types import Context

    from .edits.poses_run import Target
    from .keyed.keyed_handles import Shaping


class MOTIONEDIT_OT_exaggerate_pose(PoseEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.exaggerate_pose"
    bl_label = "Exaggerate Pose"
    bl_options = SLIDING
    tool = ExaggeratePose


class MOTIONEDIT_OT_detail_strength(PoseEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.detail_strength"
    bl_label = "Detail Strength"
    bl_options = SLIDING
    tool = DetailStrength

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs something between the poses."""
        reason = PoseEdit.why_not(context)
        if reason is None and scope.own_action(scope.known_object(context)).motion_editing_staggered.holds_all_keys:
            return "Every key belongs to a pose, so there is no detail between them: lower Poses Shown first"
        return reason


class MOTIONEDIT_OT_ease_pose(PoseEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.ease_pose"
    bl_label = "Ease Pose"
    bl_options = SLIDING
    tool = EasePose

    def shaping(self, target: Target) -> Shaping | None:
        """Scale the slopes of hand-keyed motion."""
        if not _shapes_handles(target, self.keying):
            return None
        tool = self.present_tool()
        return partial(handles.with_scaled_slopes, arriving=tool.arriving, leaving=tool.leaving)


class MOTIONEDIT_OT_set_tangents(PoseEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.set_tangents"
    bl_label = "Set Tangents"
    bl_options = SLIDING
    tool = SetTangents

    def shaping(self, target: Target) -> Shaping | None:
        """Replace the handles of hand-keyed motion."""
        if not _shapes_handles(target, self.keying):
            return None
        tool = self.present_tool()
        return partial(handles.with_shape, shape=tool.shape.lower(), **tool.lengths)


def _shapes_handles(target: Target, keying: str) -> bool:
    """Whether the keys stay and only their handles change."""
    return target.session.from_keys and keying == AUTOMATIC
