"""Features of a reference carried to one window or to all that are ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from ...document import scope
from ...interface.operators.operator import MotionEditOperator
from ...interface.shared_options import (
    CHANGE_AMOUNT,
    EASE,
    REFERENCE,
    REFERENCE_ACTION,
    REFERENCE_END,
    REFERENCE_OBJECT,
    REFERENCE_START,
)
from ..settings import REFERENCES
from ..timeline_operator import TimelineEdit

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, UILayout

    from ....core.motion import Motion
    from ...border.action_io import Clip
    from ...border.steps import Steps
    from ...interface.operators.operator import Carry
    from .reference import Choice
    from .transfers import Transfer

_ALL = -2


class TakesReference:
    """Mixin of operators that take something from a window, another action or another character."""

    reference: EnumProperty(**REFERENCE, items=REFERENCES)
    source_window: IntProperty(
        name="Source Window",
        description="Window to take it from; -1 is the operation window",
        default=-1,
        min=-1,
    )
    reference_action: StringProperty(**REFERENCE_ACTION)
    reference_object: StringProperty(**REFERENCE_OBJECT)
    reference_start: FloatProperty(**REFERENCE_START, default=1.0)
    reference_end: FloatProperty(**REFERENCE_END, default=50.0)
    target: IntProperty(
        name="Target",
        description="Window to change; -1 is the operation window, -2 all enabled ones",
        default=_ALL,
        min=_ALL,
    )
    amount: FloatProperty(**CHANGE_AMOUNT, default=1.0, min=0.0, max=1.0, subtype="FACTOR")

    def take_from_panel(self, context: Context) -> None:
        """Start from the panel's reference, unless the caller gave one."""
        if self.properties.is_property_set("reference"):
            return
        settings = scope.action_of(scope.armatures(context)[0]).motion_editing_timeline
        self.ease = settings.ease
        self.reference = settings.reference
        self.reference_action = settings.reference_action.name if settings.reference_action else ""
        self.reference_object = settings.reference_object.name if settings.reference_object else ""
        self.reference_start, self.reference_end = settings.reference_start, settings.reference_end

    def choice(self) -> Choice:
        """The reference as the edits take it."""
        from .reference import Choice

        name = self.reference_action if self.reference == "ACTION" else self.reference_object
        return Choice(self.reference, self.source_window, name, self.reference_start, self.reference_end)

    def draw_reference(self, layout: UILayout) -> None:
        """Source and target."""
        layout.prop(self, "reference")
        if self.reference == "WINDOW":
            layout.prop(self, "source_window")
        else:
            layout.prop(self, "reference_action" if self.reference == "ACTION" else "reference_object")
            layout.prop(self, "reference_start")
            layout.prop(self, "reference_end")
        layout.prop(self, "target")
        layout.prop(self, "amount")


class FeatureTransfer(TakesReference, TimelineEdit):
    """Mixin of operators that change poses in windows after a reference."""

    verb = "Changed"

    ease: FloatProperty(**EASE, default=0.25, min=0.0, max=0.5, subtype="FACTOR")

    def transferred(self, motion: Motion, window: tuple[float, float], transfer: Transfer) -> Motion:
        """The motion with one window changed."""
        raise NotImplementedError

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's choices."""
        self.take_from_panel(context)
        return super().invoke(context, event)

    def plan(self, clip: Clip, _joints: np.ndarray) -> Steps[Carry]:
        """Change every target and work out the keys."""
        from ...border import action_io
        from ..frames import scene_frames_told
        from ..subject import look_at
        from .transfers import prepared

        subject = yield from look_at(bpy.context, clip)
        with scene_frames_told(clip):
            transfer, targets = prepared(bpy.context, subject, self.choice(), self.target)
            motion = clip.motion
            for window in targets:
                motion = self.transferred(motion, (window.start, window.end), transfer)
        self.warn_of_changed_windows(clip)
        planned = yield from action_io.plan_write(clip, motion, self.key_options())
        return self.remembering(clip, planned.carry_out)

    def draw_own(self, layout: UILayout) -> None:
        """Source, target, ease."""
        self.draw_reference(layout)
        layout.prop(self, "ease")


class MOTIONEDIT_OT_transfer_mean(FeatureTransfer, MotionEditOperator, Operator):
    """Match the mean rotation of painted bones to the reference"""

    bl_idname = "motion_editing.transfer_mean"
    bl_label = "Transfer Mean Rotation"

    def transferred(self, motion: Motion, window: tuple[float, float], transfer: Transfer) -> Motion:
        """The mean of one window."""
        return transfer.mean(motion, window, self.amount, self.ease)


class MOTIONEDIT_OT_transfer_variance(FeatureTransfer, MotionEditOperator, Operator):
    """Match the range of motion of painted bones to the reference"""

    bl_idname = "motion_editing.transfer_variance"
    bl_label = "Transfer Rotation Variance"

    def transferred(self, motion: Motion, window: tuple[float, float], transfer: Transfer) -> Motion:
        """The intensity of one window."""
        return transfer.variance(motion, window, self.amount, self.ease)


class MOTIONEDIT_OT_transfer_trajectory(FeatureTransfer, MotionEditOperator, Operator):
    """Match the path of the painted hand or foot to the reference"""

    bl_idname = "motion_editing.transfer_trajectory"
    bl_label = "Transfer Trajectory"

    def transferred(self, motion: Motion, window: tuple[float, float], transfer: Transfer) -> Motion:
        """The path in one window."""
        return transfer.trajectory(motion, window, self.amount, self.ease)


class MOTIONEDIT_OT_transfer_coordination(FeatureTransfer, MotionEditOperator, Operator):
    """Match the time offset of painted bones to the reference"""

    bl_idname = "motion_editing.transfer_coordination"
    bl_label = "Transfer Coordination"

    shift: EnumProperty(
        name="Shift",
        description="What is offset in time",
        items=(
            ("AUTOMATIC", "Automatic", "Choose the method from what is painted"),
            ("JOINT_COORDINATION", "Bones", "Offset the painted bones against all others"),
            ("LIMB_COORDINATION", "Limb", "Offset the painted hand or foot against the rest of the body"),
            (
                "LIMB_AND_JOINT_COORDINATION",
                "Limb Against Bones",
                "Offset the painted hand or foot against the painted bones",
            ),
        ),
    )

    def transferred(self, motion: Motion, window: tuple[float, float], transfer: Transfer) -> Motion:
        """The coordination in one window."""
        return transfer.coordination(motion, window, self.shift, self.ease)

    def draw_own(self, layout: UILayout) -> None:
        """What is shifted, then source and target."""
        layout.prop(self, "shift")
        super().draw_own(layout)


classes = (
    MOTIONEDIT_OT_transfer_mean,
    MOTIONEDIT_OT_transfer_variance,
    MOTIONEDIT_OT_transfer_trajectory,
    MOTIONEDIT_OT_transfer_coordination,
)
