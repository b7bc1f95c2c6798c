"""Operators that put poses into spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Operator

from ....core.errors import MotionEditError
from ....core.wording import number_text
from ...border.translation import counted_text, report_text
from ...document import transaction
from ...document.action_users import is_shared, layered_animation
from ...interface.shared_options import OTHER_ACTION, STATE
from .. import live, model, spaces
from ..poses import capture, stored_poses, suggestion
from ..solution import solution
from .tree_operator import NodeOperator, TreeOperator, refuse_damaged

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object

    from ..poses.stored_poses import StoredPoses
    from ..settings import MOTIONEDIT_PG_tree_node

_PLACES = (
    ("CURSOR", "At the Cursor", "At the node's cursor"),
    ("SUGGESTED", "At the Suggested Place", "Where the blend is already most similar to the pose"),
)


class _NewPose:
    """Mixin of tools that add a target."""

    place: EnumProperty(name="Place", description="Where to place the new target", items=_PLACES, default="CURSOR")

    def add(self, context: Context, owner: Object, name: str, pose: StoredPoses) -> str:
        """Add a target with a pose; gives what to report."""
        node = self.chosen_node(owner)
        target = spaces.add_target(owner, node.number, name, self._place(owner, node, pose), pose)
        context.view_layer.update()
        name = target.name
        shared = solution.neighbours_at_one_place(owner, name)
        if shared:
            mixed = "'{pose}' lies where {other} is, so the two are mixed: move one of them"
            self.report({"WARNING"}, report_text(mixed, pose=name, other=shared))
        return report_text("Added '{pose}' to '{node}'", pose=name, node=self.chosen_node(owner).name)

    def _place(self, owner: Object, node: MOTIONEDIT_PG_tree_node, pose: StoredPoses) -> tuple[float, ...]:
        if self.place == "SUGGESTED":
            known = solution.solved(owner)
            fitted = stored_poses.fitted(owner, [pose], skeleton=known.skeleton, scalar_names=known.scalar_names)
            return tuple(suggestion.suggestion(owner, node.number, fitted.poses).place)
        if not model.is_there(node.cursor):
            raise MotionEditError(f"The cursor of '{node.name}' was deleted: use Repair Tree")
        return tuple(solution.place_in(node, node.cursor))


class MOTIONEDIT_OT_add_tree_pose(_NewPose, NodeOperator, Operator):
    """Add the rig's present pose as a target of the node"""

    bl_idname = "motion_editing.add_tree_pose"
    bl_label = "Add Pose"

    name: StringProperty(name="Name", description="Name of the pose", default="Pose")

    def change(self, context: Context, owner: Object) -> str:
        """Add it."""
        return self.add(context, owner, self.name, capture.from_rig(owner))


class MOTIONEDIT_OT_add_action_pose(_NewPose, NodeOperator, Operator):
    """Add a frame of an action, such as a library pose, as a target"""

    bl_idname = "motion_editing.add_action_pose"
    bl_label = "Add Pose from Action"

    action: StringProperty(**OTHER_ACTION)
    frame: FloatProperty(name="Frame", description="Frame of the action", default=1.0)

    def change(self, context: Context, owner: Object) -> str:
        """Add it."""
        pose = capture.pose_from_action(context, owner, self.action, self.frame)
        return self.add(context, owner, self.action, pose)

    def draw(self, _context: Context) -> None:
        """A choice among the actions."""
        self.layout.use_property_split = True
        self.layout.prop_search(self, "action", bpy.data, "actions")
        self.layout.prop(self, "frame")
        self.layout.prop(self, "place")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the action."""
        return context.window_manager.invoke_props_dialog(self)


class _OneTarget:
    """Mixin of tools for one target: the named one, or the active object."""

    target: StringProperty(name="Target", description="Name of the target; the active object if empty")

    def chosen_target(self, context: Context, owner: Object) -> Object:
        """The target that is meant.

        Raises:
            MotionEditError: It is none of this tree.
        """
        thing = context.scene.objects.get(self.target) if self.target else context.object
        control = thing.motion_editing_control if thing is not None else None
        is_target = control is not None and control.kind == "TARGET" and control.owner == owner
        if thing is None or not is_target or model.node_of(thing) is None:
            raise MotionEditError("Click the target in the 3D View first, or name it")
        return thing


class MOTIONEDIT_OT_replace_tree_pose(_OneTarget, NodeOperator, Operator):
    """Replace a target's pose with the rig's present pose"""

    bl_idname = "motion_editing.replace_tree_pose"
    bl_label = "Replace Pose"

    def change(self, context: Context, owner: Object) -> str:
        """Replace it."""
        target = self.chosen_target(context, owner)
        stored_poses.save(target.motion_editing_control, capture.from_rig(owner))
        return f"'{target.name}' has the rig's pose"


class MOTIONEDIT_OT_go_to_tree_pose(_OneTarget, NodeOperator, Operator):
    """Move the cursor to a target to show its pose"""

    bl_idname = "motion_editing.go_to_tree_pose"
    bl_label = "Go to Pose"

    upwards: BoolProperty(name="Up the Tree", description="Move the cursors of all parent nodes too", default=True)

    def change(self, context: Context, owner: Object) -> str:
        """Move the cursors."""
        target = self.chosen_target(context, owner)
        node, thing = model.known_node(owner, target.motion_editing_control.node), target
        for each in (node, *(model.ancestors(owner, node) if self.upwards else ())):
            refuse_damaged(owner, each)
            each.follow = ""
            each.cursor.location = solution.place_in(each, thing)
            thing = each.place
        context.view_layer.update()
        return f"The cursor is at '{target.name}'"


class MOTIONEDIT_OT_suggest_tree_place(NodeOperator, Operator):
    """Show a ghost where the rig's pose fits best"""

    bl_idname = "motion_editing.suggest_tree_place"
    bl_label = "Suggest Place"

    follow: BoolProperty(name="Follow", description="Update the ghost while the rig is posed", default=True)

    def change(self, context: Context, owner: Object) -> str:
        """Place the ghost, and let it follow."""
        number = self.chosen_node(owner).number
        found = suggestion.suggestion(owner, number)
        spaces.ghost_of(context.scene, owner, number).location = tuple(found.place)
        model.tree_of(owner).suggesting = self.follow
        return f"The blend there is {number_text(found.distance)} away from the rig's pose"


class MOTIONEDIT_OT_end_suggesting(TreeOperator, Operator):
    """Hide the ghost"""

    bl_idname = "motion_editing.end_suggesting"
    bl_label = "End Suggesting"

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs a ghost."""
        reason = super().why_not(context)
        if reason is None and model.tree_of(model.known_owner(context)).ghost is None:
            return "No place is being suggested"
        return reason

    def change(self, _context: Context, owner: Object) -> str:
        """Remove it."""
        tree = model.tree_of(owner)
        ghost, tree.ghost, tree.suggesting = tree.ghost, None, False
        spaces.remove_object(owner, ghost)
        return report_text("The ghost is gone")


class MOTIONEDIT_OT_key_tree_cursor(NodeOperator, Operator):
    """Key the position of the cursor"""

    bl_idname = "motion_editing.key_tree_cursor"
    bl_label = "Key Cursor"

    every_node: BoolProperty(name="All Nodes", description="Key the cursors of all nodes", default=False)

    def change(self, context: Context, owner: Object) -> str:
        """Insert the keys."""
        frame = context.scene.frame_current_final
        nodes = list(model.tree_of(owner).nodes) if self.every_node else [self.chosen_node(owner)]
        keyed = [node for node in nodes if model.has_role(owner, node, "cursor")]
        with transaction.edit(*(node.cursor for node in keyed)):
            for node in keyed:
                node.cursor.keyframe_insert("location", frame=frame)
                if node.follow:
                    node.cursor.keyframe_insert("motion_editing_control.path_frame", frame=frame)
        cursors = counted_text(len(keyed), "cursor")
        return report_text("Keyed {cursors} at frame {frame}", cursors=cursors, frame=f"{frame:g}")


class MOTIONEDIT_OT_live_pose_tree(TreeOperator, Operator):
    """Pose the rig with the cursors, or with its keys again"""

    bl_idname = "motion_editing.live_pose_tree"
    bl_label = "Live Posing"

    state: EnumProperty(
        **STATE,
        items=(
            ("TOGGLE", "Toggle", "Turn on if off, turn off if on"),
            ("ON", "On", "Pose the rig with the cursors"),
            ("OFF", "Off", "Pose the rig with its keys"),
        ),
        default="TOGGLE",
    )

    def change(self, context: Context, owner: Object) -> str:
        """Switch."""
        wanted = not model.tree_of(owner).live if self.state == "TOGGLE" else self.state == "ON"
        if not wanted:
            live.stop(owner)
            context.view_layer.update()
            return report_text("The rig is left to its keys")
        live.start(owner)
        warning = layered_animation(owner) if owner.animation_data else None
        if warning is None and is_shared(owner):
            warning = report_text("Other objects use the same action: its curves are muted for them too")
        if warning:
            self.report({"WARNING"}, warning)
        muted = counted_text(len(model.tree_of(owner).muted), "curve is", "curves are")
        return report_text("The cursors pose '{rig}', {curves} muted", rig=owner.name, curves=muted)
