"""Operators for motions in a space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from ....core.errors import MotionEditError
from ...interface.shared_options import TARGET_COUNT
from .. import model, paths, spaces
from ..poses import saved_poses
from ..solution import evaluation, solution
from .tree_operator import NeedsPath, NodeOperator

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object


class MOTIONEDIT_OT_remove_tree_path(NeedsPath, NodeOperator, Operator):
    """Remove a path or branch; targets picked from it stay"""

    bl_idname = "motion_editing.remove_tree_path"
    bl_label = "Remove Path"
    needs_whole = False

    def change(self, _context: Context, owner: Object) -> str:
        """Remove it."""
        node = self.chosen_node(owner)
        name = self.chosen_path(node).name
        node.paths.remove(node.paths.find(name))
        node.active_path = min(node.active_path, max(len(node.paths) - 1, 0))
        node.follow = "" if node.follow == name else node.follow
        return f"Removed '{name}'"


class MOTIONEDIT_OT_pick_path_pose(NeedsPath, NodeOperator, Operator):
    """Make a target of the path's pose at the cursor"""

    bl_idname = "motion_editing.pick_path_pose"
    bl_label = "Pick Pose on Path"

    frame: IntProperty(
        name="Frame", description="Frame of the path; the nearest to the cursor if negative", default=-1, min=-1
    )

    def change(self, context: Context, owner: Object) -> str:
        """Pick it."""
        node = self.chosen_node(owner)
        item = self.chosen_path(node)
        number, name = node.number, item.name
        path = evaluation.path_of(owner, solution.solved(owner), node, item)
        frame = paths.nearest_frame(path, solution.place_in(node, node.cursor)) if self.frame < 0 else self.frame
        paths.check_pick(node, item, frame)
        pose = saved_poses.poses_of_path(item).chosen([frame])
        target = spaces.add_target(owner, number, f"{name} {frame}", path.places[frame], pose)
        target.motion_editing_control.path, target.motion_editing_control.frame = name, frame
        context.view_layer.update()
        return f"'{target.name}' is frame {frame} of '{name}': go to it, change the rig, use Replace Pose"


class MOTIONEDIT_OT_make_tree_branch(NeedsPath, NodeOperator, Operator):
    """Make a branch of a path through its edited targets"""

    bl_idname = "motion_editing.make_tree_branch"
    bl_label = "Make Branch"

    method: EnumProperty(
        name="Method",
        description="How the branch is computed",
        items=(
            ("DISPLACEMENT", "Displacement", "Keep all detail of the motion"),
            ("BLEND", "Interpolation", "Blend the poses along a path through the edited targets"),
        ),
        default="DISPLACEMENT",
    )
    margin: IntProperty(
        name="Margin", description="Frames over which the change eases in and out", default=20, min=1, soft_max=200
    )
    count: IntProperty(**TARGET_COUNT, default=16, min=1)

    def change(self, _context: Context, owner: Object) -> str:
        """Make it."""
        node = self.chosen_node(owner)
        name = self.chosen_path(node).name
        branch = paths.make_branch(owner, node.number, name, method=self.method, margin=self.margin, count=self.count)
        return f"'{branch.name}' differs from '{name}' between its frames {branch.start} and {branch.end}"


class MOTIONEDIT_OT_blend_tree_branches(NeedsPath, NodeOperator, Operator):
    """Blend two paths of the same length into a new branch"""

    bl_idname = "motion_editing.blend_tree_branches"
    bl_label = "Blend Branches"

    other: StringProperty(name="Other Path", description="Path to blend in")
    share: FloatProperty(
        name="Share", description="Share of the other path", default=0.5, min=0.0, max=1.0, subtype="FACTOR"
    )
    count: IntProperty(**TARGET_COUNT, default=16, min=1)

    def change(self, _context: Context, owner: Object) -> str:
        """Mix them."""
        node = self.chosen_node(owner)
        if self.other == self.chosen_path(node).name:
            raise MotionEditError(f"'{self.other}' cannot be mixed with itself: choose another path")
        shares = {self.chosen_path(node).name: 1.0 - self.share, self.other: self.share}
        mixed = paths.mix_branches(owner, node.number, shares, count=self.count)
        return f"'{mixed.name}' has {self.share:.0%} of '{self.other}'"

    def draw(self, context: Context) -> None:
        """A choice among the paths."""
        self.layout.use_property_split = True
        self.layout.prop_search(self, "other", self.chosen_node(model.known_owner(context)), "paths")
        self.layout.prop(self, "share", slider=True)
        self.layout.prop(self, "count")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the other path."""
        return context.window_manager.invoke_props_dialog(self)


class MOTIONEDIT_OT_follow_tree_path(NeedsPath, NodeOperator, Operator):
    """Key the cursor along a path, so that the rig plays its motion"""

    bl_idname = "motion_editing.follow_tree_path"
    bl_label = "Follow Path"

    use_current: BoolProperty(name="From Current Frame", description="Start at the current frame", default=True)
    first_frame: IntProperty(name="First Frame", description="Scene frame to start at", default=1)
    speed: FloatProperty(name="Speed", description="Playback speed of the path", default=1.0, min=0.01, soft_max=10.0)
    reverse: BoolProperty(name="Reverse", description="Play from the end to the start", default=False)

    def change(self, context: Context, owner: Object) -> str:
        """Key the cursor."""
        node = self.chosen_node(owner)
        name = self.chosen_path(node).name
        first = context.scene.frame_current if self.use_current else self.first_frame
        last = paths.follow(owner, node.number, name, first_frame=first, speed=self.speed, reverse=self.reverse)
        context.view_layer.update()
        return f"The cursor follows '{name}' from frame {first} to {last}"


class MOTIONEDIT_OT_leave_tree_path(NodeOperator, Operator):
    """Blend poses freely with the cursor again; its keys stay"""

    bl_idname = "motion_editing.leave_tree_path"
    bl_label = "Leave Path"
    needs_whole = False

    def change(self, _context: Context, owner: Object) -> str:
        """Leave it."""
        node = self.chosen_node(owner)
        before, node.follow = node.follow, ""
        return f"The cursor no longer follows '{before}'" if before else "The cursor followed no path"
