"""Warping time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import EnumProperty
from bpy.types import Operator

from ...core.guided_warp import WarpTime
from ..document import scope
from ..interface.operators.operator import SLIDING, MotionEditOperator
from ..interface.shared_options import RANGE
from . import warp_run
from .settings import guide_in

if TYPE_CHECKING:
    from bpy.types import Context, Event


class MOTIONEDIT_OT_warp_time(MotionEditOperator, Operator):
    bl_idname = "motion_editing.warp_time"
    bl_label = "Warp Time"
    bl_options = SLIDING
    offers_keys = False
    offers_range = False
    any_object = True
    tool = WarpTime

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})

    def run(self) -> warp_run.WarpRun:
        """With keytimes."""
        return warp_run.WarpRun(self)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's choices; with keytimes there is nothing left to slide but the influence."""
        settings = scope.action_of(scope.armatures(context, any_object=True)[0]).motion_editing_time
        guide = guide_in(settings) | {"use_keytimes": len(settings.keytimes) > 1}
        for name, value in guide.items():
            setattr(self, name, value)
        if guide["use_keytimes"] or guide["free_length"]:
            return self.execute(context)
        return super().invoke(context, event)
