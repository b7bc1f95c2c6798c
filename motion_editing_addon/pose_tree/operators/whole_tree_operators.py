"""Operators for a whole tree: make it, repair it, remove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, StringProperty
from bpy.types import Operator

from ....core.errors import MotionEditError
from ...interface.reports import guarded
from ...interface.shared_options import SHAPE_KEYS
from .. import live, model, repair, spaces
from ..poses import capture
from ..solution import solution
from .tree_operator import TreeOperator, why_not_owner

if TYPE_CHECKING:
    from bpy.types import Context, Object


class MOTIONEDIT_OT_add_pose_tree(Operator):
    """Add a space beside the rig in which a cursor blends poses"""

    bl_idname = "motion_editing.add_pose_tree"
    bl_label = "Add Pose Tree"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Name", description="Name of the first node", default="Body")
    shape_keys: BoolProperty(**SHAPE_KEYS, default=False)
    live: BoolProperty(name="Live", description="Pose the rig with the cursor from the start", default=True)

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an object without a tree."""
        owner = model.owner_in(context)
        reason = why_not_owner(owner)
        if reason is None and model.has_tree(owner):
            reason = f"'{owner.name}' has a pose tree already: use Add Node"
        if reason:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: Context) -> set[str]:
        """Make the tree."""
        owner = model.known_owner(context)

        def act() -> str:
            model.tree_of(owner).shape_keys = self.shape_keys
            capture.from_rig(owner)  # says so if there is nothing to pose
            spaces.add_tree(context.scene, owner, self.name)
            if self.live:
                live.start(owner)
            live.changed(owner)
            return f"'{owner.name}' has a pose tree: pose the rig, move the cursor, use Add Pose"

        return guarded(self, act)


class MOTIONEDIT_OT_remove_pose_tree(TreeOperator, Operator):
    """Remove the pose tree with all poses and paths; keys stay"""

    bl_idname = "motion_editing.remove_pose_tree"
    bl_label = "Remove Pose Tree"
    needs_node = False

    @classmethod
    def owner_in(cls, context: Context) -> Object | None:
        """Also of a character that was deleted: its targets and cursors are left, and lead to it."""
        active = context.object
        return model.left_by(active) or super().owner_in(context)

    def change(self, _context: Context, owner: Object) -> str:
        """Remove it."""
        spaces.remove_tree(owner)
        return f"Removed the pose tree of '{owner.name}'"


class MOTIONEDIT_OT_repair_pose_tree(TreeOperator, Operator):
    """Restore deleted objects of the tree and remove damaged data"""

    bl_idname = "motion_editing.repair_pose_tree"
    bl_label = "Repair Tree"
    needs_node = False

    def change(self, context: Context, owner: Object) -> str:
        """Make what is missing."""
        text = repair.repair(context.scene, owner)
        live.changed(owner)
        missing = _missing(owner)
        gone = "which are gone and skipped" if len(missing) > 1 else "which is gone and skipped"
        return f"{text}; poses speak of {', '.join(missing)}, {gone}" if missing else text


def _missing(owner: Object) -> tuple[str, ...]:
    """Bones and channels that poses speak of and that are gone; none of a tree without poses."""
    try:
        return solution.solved(owner).missing
    except MotionEditError:
        return ()
