"""Buttons of tools that change how a motion is keyed; what each does is its tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from ...core.keys import ContinuousRotations, ConvertKeys, ReduceKeys, SwitchLimbs
from ..interface.operators.operator import MotionEditOperator
from . import key_runs, switch_run

if TYPE_CHECKING:
    from bpy.types import UILayout


class MOTIONEDIT_OT_reduce_keys(MotionEditOperator, Operator):
    bl_idname = "motion_editing.reduce_keys"
    bl_label = "Reduce Keys"
    tool = ReduceKeys
    offers_keys = False

    def run(self) -> key_runs.ReduceRun:
        """Fit keys to the chosen bones."""
        return key_runs.ReduceRun(self)


class MOTIONEDIT_OT_convert_keys(MotionEditOperator, Operator):
    bl_idname = "motion_editing.convert_keys"
    bl_label = "Convert Keys"
    tool = ConvertKeys
    offers_keys = False

    def run(self) -> key_runs.ConvertRun:
        """Key the chosen bones anew."""
        return key_runs.ConvertRun(self)


class MOTIONEDIT_OT_continuous_rotations(MotionEditOperator, Operator):
    bl_idname = "motion_editing.continuous_rotations"
    bl_label = "Make Rotations Continuous"
    tool = ContinuousRotations
    offers_keys = False

    def run(self) -> key_runs.ContinuousRun:
        """Repair the chosen bones."""
        return key_runs.ContinuousRun(self)


class MOTIONEDIT_OT_switch_limbs(MotionEditOperator, Operator):
    bl_idname = "motion_editing.switch_limbs"
    bl_label = "Switch IK/FK"
    tool = SwitchLimbs

    def run(self) -> switch_run.SwitchRun:
        """Give keys to the other controls."""
        return switch_run.SwitchRun(self)


def draw_operators(layout: UILayout) -> None:
    """The tools of this package but Reduce Keys, for the panel and the menus."""
    for cls in (MOTIONEDIT_OT_convert_keys, MOTIONEDIT_OT_continuous_rotations, MOTIONEDIT_OT_switch_limbs):
        layout.operator(cls.bl_idname)
