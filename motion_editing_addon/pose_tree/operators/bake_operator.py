"""Baking what a pose tree does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import EnumProperty
from bpy.types import Operator

from ....core.pose_tree import BakePoseTree
from ...border.key_options import EVERY_FRAME, KEY_CHOICES
from ...document import scope
from ...document.action_users import result_choice
from ...interface.operators.operator import MotionEditOperator
from ...interface.shared_options import KEYING
from .. import model
from ..solution import bake
from .tree_operator import TreeOperator

if TYPE_CHECKING:
    from bpy.types import Context, Object, UILayout


class MOTIONEDIT_OT_bake_pose_tree(MotionEditOperator, Operator):
    bl_idname = "motion_editing.bake_pose_tree"
    bl_label = "Bake Pose Tree"
    tool = BakePoseTree
    offers_range = False

    result: result_choice("NEW")
    range: EnumProperty(items=scope.RANGES, default="ACTION", options={"HIDDEN"})
    keying: EnumProperty(**KEYING, items=KEY_CHOICES, default=EVERY_FRAME)

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs a tree that can be changed."""
        reason = TreeOperator.why_not(context)
        if reason:
            cls.poll_message_set(reason)
        return reason is None

    def chosen(self, context: Context) -> list[Object]:
        """The owner of the tree."""
        owner = model.owner_in(context)
        return [] if owner is None else [owner]

    def run(self) -> bake.BakeRun:
        """On all frames of the range."""
        return bake.BakeRun(self)

    def changes_others(self, context: Context) -> bool:
        """A new action is this character's alone."""
        return self.result == "THIS" and super().changes_others(context)

    def draw_own(self, layout: UILayout) -> None:
        """Where the keys go, and the range."""
        layout.prop(self, "result")
        super().draw_own(layout)
