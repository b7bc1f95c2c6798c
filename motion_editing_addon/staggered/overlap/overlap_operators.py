"""Buttons for overlap of bones in a row; what each does is its tool."""

from __future__ import annotations

from typing import cast

from bpy.types import Operator

from ....core.staggered import Overlap
from ...interface.operators.operator import SLIDING, MotionEditOperator
from . import overlap_run


class _OverlapEdit:
    """Mixin of edits of bones in a row."""

    def run(self) -> overlap_run.OverlapRun:
        """On the chains of the chosen bones."""
        return overlap_run.OverlapRun(cast("MotionEditOperator", self))


class MOTIONEDIT_OT_overlap(_OverlapEdit, MotionEditOperator, Operator):
    bl_idname = "motion_editing.overlap"
    bl_label = "Overlap"
    bl_options = SLIDING
    tool = Overlap
