"""Buttons for what is made of one motion; what each does is its tool."""

from __future__ import annotations

from bpy.props import EnumProperty
from bpy.types import Operator

from ...core.blending import BridgeGap, MakeLoop, MirrorMotion
from ..document import scope
from ..document.action_users import result_choice
from ..interface.operators.operator import MotionEditOperator
from ..interface.shared_options import RANGE
from .mirror import mirror_run
from .new_motion import MakesMotion
from .runs import bridge_run, loop_run


class MOTIONEDIT_OT_bridge_gap(MotionEditOperator, Operator):
    bl_idname = "motion_editing.bridge_gap"
    bl_label = "Bridge Gap"
    tool = BridgeGap

    range: EnumProperty(**RANGE, items=scope.RANGES, default="KEYS")

    def run(self) -> bridge_run.BridgeRun:
        """On the range within the whole action."""
        return bridge_run.BridgeRun(self)


class MOTIONEDIT_OT_make_loop(MakesMotion, MotionEditOperator, Operator):
    bl_idname = "motion_editing.make_loop"
    bl_label = "Make Loop"
    tool = MakeLoop
    adds_modifiers = True

    result: result_choice("NEW")

    def run(self) -> loop_run.LoopRun:
        """On a part of the action, which becomes another one."""
        return loop_run.LoopRun(self)


class MOTIONEDIT_OT_mirror_motion(MotionEditOperator, Operator):
    bl_idname = "motion_editing.mirror_motion"
    bl_label = "Mirror Motion"
    tool = MirrorMotion

    def run(self) -> mirror_run.MirrorRun:
        """On the whole character, or what is picked and its other side."""
        return mirror_run.MirrorRun(self)
