"""Feet that slide, locked where they stand."""

from __future__ import annotations

from bpy.types import Operator

from ...core.contacts import LockFeet
from ..interface.operators.operator import MotionEditOperator
from . import lock_run


class MOTIONEDIT_OT_lock_feet(MotionEditOperator, Operator):
    bl_idname = "motion_editing.lock_feet"
    bl_label = "Lock Feet"
    tool = LockFeet

    def run(self) -> lock_run.LockRun:
        """On limbs in contact."""
        return lock_run.LockRun(self)
