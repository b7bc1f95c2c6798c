"""Panel "Pose Tree" of the 3D View, and the menu entries of the same tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpy.types import Menu, Panel, UIList

from ..border.registration import classes_of
from ..border.translation import counted_text, label_text
from ..interface.panels import draw_note
from . import live, model
from .operators import node_operators, path_operators, pose_operators, whole_tree_operators

if TYPE_CHECKING:
    from bpy.types import Context, Object, UILayout

    from .settings import MOTIONEDIT_PG_tree_node


class MOTIONEDIT_UL_tree_nodes(UIList):
    """Nodes, children indented below their parents."""

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        tree: Any,
        node: Any,
        _icon: int,
        _owner: Any,
        _name: str,
        index: int = 0,
        *_more: int,
    ) -> None:
        """One row: the name to be changed, how many poses, whether it is shown."""
        depths = {each.number: depth for depth, each in model.in_tree_order(tree.id_data)}
        row = layout.row(align=True)
        for _level in range(depths.get(node.number, 0)):
            row.label(text="", icon="BLANK1")
        broken = model.problem_of(tree.id_data, node) is not None
        row.prop(node, "name", text="", emboss=False, icon="ERROR" if broken else "EMPTY_AXIS")
        count = row.row()
        count.alignment = "RIGHT"
        count.label(text=str(model.target_count(tree.id_data, node)))
        row.prop(node, "shown", text="", emboss=False, icon="HIDE_OFF" if node.shown else "HIDE_ON")

    def filter_items(self, _context: Context, tree: Any, _property: str) -> tuple[list[int], list[int]]:
        """In the order of the tree."""
        order = [node.number for _depth, node in model.in_tree_order(tree.id_data)]
        places = {number: place for place, number in enumerate(order)}
        return [], [places.get(node.number, len(order)) for node in tree.nodes]


class MOTIONEDIT_UL_tree_paths(UIList):
    """Paths and branches of a node."""

    def draw_item(
        self, _context: Context, layout: UILayout, node: Any, path: Any, _icon: int, _owner: Any, _name: str, *_: int
    ) -> None:
        """One row: name, and how long it is."""
        followed = node.follow == path.name
        icon = "PLAY" if followed else ("CURVE_PATH" if not path.source else "CON_FOLLOWPATH")
        split = layout.split(factor=0.7)
        split.label(text=path.name, icon=icon, translate=False)
        split.label(text=str(path.frames))


class MOTIONEDIT_PT_pose_tree(Panel):
    """Poses blended by moving a cursor through space."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Motion"
    bl_label = "Pose Tree"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an object."""
        return context.object is not None

    def draw(self, context: Context) -> None:
        """The tree, or how to get one."""
        layout, owner = self.layout, model.owner_in(context)
        left_by = model.left_by(context.object)
        if left_by is not None:
            draw_note(layout, context, f"'{left_by.name}' was deleted, this is left of its pose tree")
            layout.operator("motion_editing.remove_pose_tree", icon="TRASH")
            return
        if not model.has_tree(owner):
            layout.operator("motion_editing.add_pose_tree", icon="ADD")
            draw_note(layout, context, "A space beside the character: put poses into it, then move the cursor to blend")
            return
        _draw_live(layout, context, owner)
        _draw_nodes(layout, owner)
        node = model.active_node(owner)
        if node is not None:
            _draw_node(layout, context, owner, node)


def _draw_live(layout: UILayout, context: Context, owner: Object) -> None:
    tree = model.tree_of(owner)
    row = layout.row(align=True)
    row.operator("motion_editing.live_pose_tree", icon="PLAY" if not tree.live else "PAUSE", depress=tree.live)
    row.operator("motion_editing.bake_pose_tree", text="Bake", icon="KEYFRAME_HLT")
    if tree.live:
        muted = counted_text(len(tree.muted), "curve is", "curves are")
        told = label_text("'{rig}' follows its cursors; {curves} muted", rig=owner.name, curves=muted)
        draw_note(layout, context, told)
    note = live.note_of(owner)
    if note:
        draw_note(layout, context, note)
    problem = live.problem_of(owner)
    if problem:
        layout.label(text=problem, icon="ERROR")


def _draw_nodes(layout: UILayout, owner: Object) -> None:
    tree = model.tree_of(owner)
    row = layout.row()
    row.template_list("MOTIONEDIT_UL_tree_nodes", "", tree, "nodes", tree, "active", rows=3)
    side = row.column(align=True)
    side.operator("motion_editing.add_tree_node", text="", icon="ADD")
    side.operator("motion_editing.remove_tree_node", text="", icon="REMOVE")
    side.separator()
    side.operator("motion_editing.repair_pose_tree", text="", icon="TOOL_SETTINGS")
    side.operator("motion_editing.remove_pose_tree", text="", icon="TRASH")


def _draw_node(layout: UILayout, context: Context, owner: Object, node: MOTIONEDIT_PG_tree_node) -> None:
    box = layout.box()
    problem = model.problem_of(owner, node)
    if problem:
        draw_note(box, context, problem)
    above = model.parent_of(owner, node)
    row = box.row(align=True)
    row.operator("motion_editing.set_tree_parent", text=f"In {above.name}" if above else "At the Top", icon="OUTLINER")
    limit = f"{len(node.owned)} Channels" if node.limited else "Everything"
    row.operator("motion_editing.limit_tree_node", text=limit, icon="GROUP_BONE")
    _draw_poses(box, owner)
    _draw_arranging(box)
    _draw_paths(box, context, node)


def _draw_poses(layout: UILayout, owner: Object) -> None:
    tree = model.tree_of(owner)
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator("motion_editing.add_tree_pose", icon="ADD").place = "CURSOR"
    row.operator("motion_editing.add_tree_pose", text="Where It Fits").place = "SUGGESTED"
    column.operator("motion_editing.add_action_pose", icon="ASSET_MANAGER")
    row = column.row(align=True)
    row.operator("motion_editing.go_to_tree_pose", icon="PIVOT_CURSOR")
    row.operator("motion_editing.replace_tree_pose", icon="FILE_REFRESH")
    row = column.row(align=True)
    row.operator("motion_editing.suggest_tree_place", icon="GHOST_ENABLED", depress=tree.suggesting)
    if tree.ghost is not None:
        row.operator("motion_editing.end_suggesting", text="", icon="X")
    column.operator("motion_editing.key_tree_cursor", icon="KEY_HLT")
    layout.prop(tree, "shape_keys")


def _draw_arranging(layout: UILayout) -> None:
    row = layout.row(align=True)
    row.operator("motion_editing.cluster_tree_node", text="Cluster", icon="OUTLINER_OB_GROUP_INSTANCE")
    row.operator("motion_editing.arrange_tree_node", text="Arrange", icon="VIEW_ORTHO")


def _draw_paths(layout: UILayout, context: Context, node: MOTIONEDIT_PG_tree_node) -> None:
    layout.operator("motion_editing.embed_action", icon="CURVE_PATH")
    if not len(node.paths):
        draw_note(layout, context, "Embed an action to see it as a path and to change its poses")
        return
    row = layout.row()
    row.template_list("MOTIONEDIT_UL_tree_paths", "", node, "paths", node, "active_path", rows=2)
    row.operator("motion_editing.remove_tree_path", text="", icon="REMOVE")
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator("motion_editing.pick_path_pose", text="Pick Pose", icon="EYEDROPPER")
    row.operator("motion_editing.make_tree_branch", icon="CON_FOLLOWPATH")
    column.operator("motion_editing.blend_tree_branches")
    row = column.row(align=True)
    row.operator("motion_editing.follow_tree_path", icon="PLAY")
    if node.follow:
        row.operator("motion_editing.leave_tree_path", text="", icon="X")
        draw_note(layout, context, f"The poses are those of '{node.follow}', wherever the cursor is")
        if node.cursor is not None:
            layout.prop(node.cursor.motion_editing_control, "path_frame")


class MOTIONEDIT_MT_pose_tree(Menu):
    """All tools of pose trees."""

    bl_label = "Pose Tree"

    def draw(self, _context: Context) -> None:
        """Nodes, then poses, then paths."""
        for modules in ((whole_tree_operators, node_operators), (pose_operators,), (path_operators,)):
            for tool in classes_of(*modules):
                self.layout.operator(tool.bl_idname)
            self.layout.separator()


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.menu(MOTIONEDIT_MT_pose_tree.__name__)
