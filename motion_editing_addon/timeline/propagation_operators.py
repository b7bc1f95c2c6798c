"""Edit one, change all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import FloatProperty
from bpy.types import Operator

from ..document import pose_models, scope
from ..interface.operators.operator import MotionEditOperator
from ..interface.shared_options import CHANGE_AMOUNT, EASE
from .timeline_operator import TimelineEdit

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, UILayout

    from ..border.action_io import Clip
    from ..border.steps import Steps
    from ..interface.operators.operator import Carry


class MOTIONEDIT_OT_propagate_edit(TimelineEdit, MotionEditOperator, Operator):
    """Copy the edit of the operation window to all enabled windows"""

    bl_idname = "motion_editing.propagate_edit"
    bl_label = "Propagate Edit"
    verb = "Carried the edit of"

    amount: FloatProperty(**CHANGE_AMOUNT, default=1.0, min=0.0, soft_max=2.0, subtype="FACTOR")
    ease: FloatProperty(**EASE, default=0.25, min=0.0, max=0.5, subtype="FACTOR")

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's ease."""
        self.ease = scope.action_of(scope.armatures(context)[0]).motion_editing_timeline.ease
        return super().invoke(context, event)

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Compare the window with how it was, and do the same in the others."""
        from ...core.timeline import carry_offsets
        from ..border import action_io
        from ..document.character.saved_body import body_of
        from .frames import scene_frames_told
        from .windows.memory import before
        from .windows.memory import remembered as arrays_of
        from .windows.window_contents import refuse_changed
        from .windows.windows import NoWindowError, windows_of

        windows = windows_of(clip)
        if not windows.ticked():
            raise NoWindowError(
                "No window is enabled: enable those to carry the edit to, or use Find Similar with another "
                "window or a larger Enable Up To"
            )
        remembered, body = before(clip), body_of(clip.armature, clip)
        refuse_changed(clip)
        span = windows.operation.start, windows.operation.end
        if joints.all():
            known, others = arrays_of(clip.armature), windows.ticked()
            write = pose_models.carried(clip, known, span, others, amount=self.amount, body=body)
            if write is not None:
                return self.remembering(clip, lambda: write(self.key_options()))
        with scene_frames_told(clip):
            motion = carry_offsets(
                remembered,
                clip.motion,
                span,
                windows.ticked(),
                joints=None if joints.all() else joints,
                amount=self.amount,
                ease=self.ease,
                body=body,
            )
        planned = yield from action_io.plan_write(clip, motion, self.key_options())
        return self.remembering(clip, planned.carry_out)

    def draw_own(self, layout: UILayout) -> None:
        """How much, and how softly."""
        layout.prop(self, "amount")
        layout.prop(self, "ease")


classes = (MOTIONEDIT_OT_propagate_edit,)
