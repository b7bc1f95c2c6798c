"""What all operators of pose trees have in common: whose tree, which node, and what to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import StringProperty

from ....core.errors import MotionEditError
from ...interface.reports import guarded
from .. import live, model

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..settings import MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path


def why_not_owner(owner: Object | None) -> str | None:
    """Why an object cannot have its tree changed, or None."""
    if owner is None:
        return "Select an armature, or an object with shape keys or custom properties"
    if not owner.is_editable:
        return f"'{owner.name}' is linked: make it local, or a library override, first"
    if owner.motion_editing_posing.action is not None:
        return "A pose is being edited: apply or cancel it first"
    return None


def refuse_damaged(owner: Object, node: MOTIONEDIT_PG_tree_node) -> None:
    """Say what of a node is gone, if anything is.

    Raises:
        MotionEditError: With the way out.
    """
    damage = model.damage_of(owner, node)
    if damage:
        raise MotionEditError(damage)


def whole_node(owner: Object, name: str) -> MOTIONEDIT_PG_tree_node | None:
    """The node of a name, of which nothing may be missing; None for none."""
    found = model.node_by_name(owner, name) if name else None
    if name and found is None:
        raise MotionEditError(f"There is no node '{name}' to be the parent")
    if found is not None:
        refuse_damaged(owner, found)
    return found


class TreeOperator:
    """Mixin: a tool implements `change` and gives the line to report; the tree is taken up again after it."""

    bl_options = {"REGISTER", "UNDO"}
    needs_node = True
    needs_path = False

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Why the tool cannot run, or None."""
        owner = cls.owner_in(context)
        reason = why_not_owner(owner)
        if owner is None or reason:
            return reason
        if not model.has_tree(owner):
            return f"'{owner.name}' has no pose tree: use Add Pose Tree"
        node = model.active_node(owner)
        if cls.needs_node and node is None:
            return "The pose tree has no nodes: use Add Node"
        if cls.needs_path and node is not None and not len(node.paths):
            return "The node has no paths: use Embed Action"
        return None

    @classmethod
    def owner_in(cls, context: Context) -> Object | None:
        """The object whose tree is meant."""
        return model.owner_in(context)

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs a tree that can be changed."""
        reason = cls.why_not(context)
        if reason:
            cls.poll_message_set(reason)
        return reason is None

    def refuse(self, owner: Object) -> None:
        """Refuse what cannot be worked on."""

    def change(self, context: Context, owner: Object) -> str:
        """Do it; gives what to report."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Change the tree of the active object."""
        return guarded(self, lambda: self._changed(context, self.owner_in(context)))

    def _changed(self, context: Context, owner: Object | None) -> str:
        assert owner is not None
        self.refuse(owner)
        text = self.change(context, owner)
        live.changed(owner)
        return text


class NodeOperator(TreeOperator):
    """Mixin of tools for one node: the named one, or the active one."""

    needs_whole = True

    node: StringProperty(name="Node", description="Name of the node; the active one if empty")

    def refuse(self, owner: Object) -> None:
        """A node with something missing is to be repaired first."""
        if self.needs_whole:
            refuse_damaged(owner, self.chosen_node(owner))

    def chosen_node(self, owner: Object) -> MOTIONEDIT_PG_tree_node:
        """The node that is meant.

        Raises:
            MotionEditError: There is none of that name.
        """
        found = model.node_by_name(owner, self.node) if self.node else model.active_node(owner)
        if found is None:
            raise MotionEditError(f"There is no node '{self.node}': choose one of the list")
        return found


class NeedsPath:
    """Mixin of tools for one path of a node: the named one, or the active one."""

    needs_path = True

    path: StringProperty(name="Path", description="Name of the path or branch; the active one if empty")

    def chosen_path(self, node: MOTIONEDIT_PG_tree_node) -> MOTIONEDIT_PG_tree_path:
        """The path that is meant.

        Raises:
            MotionEditError: There is none of that name.
        """
        found = model.path_by_name(node, self.path) if self.path else model.active_path(node)
        if found is None:
            raise MotionEditError(f"'{node.name}' has no path '{self.path}': choose one of the list")
        return found
