"""Operators that make and change nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, StringProperty
from bpy.types import Operator

from ....core.errors import MotionEditError
from ...border.translation import counted_text, report_text
from ...document import scope
from ...interface.shared_options import PARENT_NODE
from .. import model, spaces
from ..solution import groups
from .tree_operator import NodeOperator, TreeOperator, whole_node

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object

    from ..settings import MOTIONEDIT_PG_tree_node


class MOTIONEDIT_OT_add_tree_node(TreeOperator, Operator):
    """Add a node whose blend can be a target of another node"""

    bl_idname = "motion_editing.add_tree_node"
    bl_label = "Add Node"
    needs_node = False

    name: StringProperty(name="Name", description="Name of the new node", default="Node")
    parent: StringProperty(**PARENT_NODE)
    limit: BoolProperty(name="Limit to Selected Bones", description="Drive only the selected bones", default=False)

    def change(self, context: Context, owner: Object) -> str:
        """Add it."""
        above = whole_node(owner, self.parent)
        place = spaces.free_place(owner, above) if above is not None else (0.0, 0.0, 0.0)
        number = spaces.add_node(context.scene, owner, self.name, parent=above.number if above else 0, place=place)
        if self.limit:
            _limit(model.known_node(owner, number), sorted(scope.picked_bones(owner)))
        return f"Added node '{model.known_node(owner, number).name}'"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Below the active node, if one is."""
        active = model.active_node(model.known_owner(context))
        self.parent = active.name if active is not None else ""
        return self.execute(context)


class MOTIONEDIT_OT_remove_tree_node(NodeOperator, Operator):
    """Remove a node with its poses and paths, but not its children"""

    bl_idname = "motion_editing.remove_tree_node"
    bl_label = "Remove Node"
    needs_whole = False

    def change(self, _context: Context, owner: Object) -> str:
        """Remove it."""
        node = self.chosen_node(owner)
        name = node.name
        spaces.remove_node(owner, list(model.tree_of(owner).nodes).index(node))
        return f"Removed node '{name}'"


class MOTIONEDIT_OT_rename_tree_node(NodeOperator, Operator):
    """Rename a node"""

    bl_idname = "motion_editing.rename_tree_node"
    bl_label = "Rename Node"
    needs_whole = False

    name: StringProperty(name="Name", description="The new name", default="Node")

    def change(self, _context: Context, owner: Object) -> str:
        """Rename it."""
        node = self.chosen_node(owner)
        before, node.name = node.name, self.name
        return f"'{before}' is now '{node.name}'"


class MOTIONEDIT_OT_set_tree_parent(NodeOperator, Operator):
    """Make a node's blend a target of another node, or of none"""

    bl_idname = "motion_editing.set_tree_parent"
    bl_label = "Set Parent Node"

    parent: StringProperty(**PARENT_NODE)

    def change(self, _context: Context, owner: Object) -> str:
        """Set the parent; a node cannot be its own ancestor."""
        node, above = self.chosen_node(owner), whole_node(owner, self.parent)
        spaces.set_parent(owner, node.number, above.number if above else 0)
        return f"'{self.chosen_node(owner).name}' is a target of '{self.parent}'" if above else "Now a node at the top"

    def draw(self, context: Context) -> None:
        """A choice among the nodes."""
        tree = model.tree_of(model.known_owner(context))
        self.layout.prop_search(self, "parent", tree, "nodes")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the parent."""
        return context.window_manager.invoke_props_dialog(self)


class MOTIONEDIT_OT_limit_tree_node(NodeOperator, Operator):
    """Limit a node to some bones or channels"""

    bl_idname = "motion_editing.limit_tree_node"
    bl_label = "Limit Node"
    needs_whole = False

    what: EnumProperty(
        name="Drive",
        description="What the node drives",
        items=(
            ("SELECTED", "Selected Bones", "Bones selected in pose mode"),
            ("NAMED", "Named", "Bones and channels named below"),
            ("ALL", "Everything", "Everything that its poses contain"),
        ),
        default="SELECTED",
    )
    names: StringProperty(name="Names", description="Names of bones or channels, separated by commas")

    def change(self, _context: Context, owner: Object) -> str:
        """Set the limit."""
        node = self.chosen_node(owner)
        if self.what == "ALL":
            _limit(node, None)
            return report_text("'{node}' drives all that its poses hold", node=node.name)
        named = [name.strip() for name in self.names.split(",") if name.strip()]
        names = sorted(scope.picked_bones(owner)) if self.what == "SELECTED" else named
        if not names:
            raise MotionEditError("Select bones in pose mode first, or name bones or channels")
        _limit(node, names)
        driven = counted_text(len(names), "bone or channel", "bones or channels")
        return report_text("'{node}' drives {channels}", node=node.name, channels=driven)

    def draw(self, _context: Context) -> None:
        """The names only where they are asked for."""
        self.layout.use_property_split = True
        self.layout.prop(self, "what")
        if self.what == "NAMED":
            self.layout.prop(self, "names")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask."""
        return context.window_manager.invoke_props_dialog(self)


def _limit(node: MOTIONEDIT_PG_tree_node, names: list[str] | None) -> None:
    node.limited = names is not None
    node.owned.clear()
    for name in names or ():
        node.owned.add().name = name


class MOTIONEDIT_OT_cluster_tree_node(NodeOperator, Operator):
    """Group a node's poses by similarity into child nodes"""

    bl_idname = "motion_editing.cluster_tree_node"
    bl_label = "Cluster into Children"

    count: IntProperty(name="Groups", description="Number of groups", default=3, min=1, soft_max=12)

    def change(self, context: Context, owner: Object) -> str:
        """Make the children."""
        return groups.cluster(context.scene, owner, self.chosen_node(owner).number, self.count)


class MOTIONEDIT_OT_arrange_tree_node(NodeOperator, Operator):
    """Arrange a node's targets so that they are well apart in this view"""

    bl_idname = "motion_editing.arrange_tree_node"
    bl_label = "Arrange for This View"

    clusters: IntProperty(
        name="Groups", description="Number of groups that are rotated separately", default=1, min=1, soft_max=8
    )
    size: FloatProperty(
        name="Size", description="Part of the view to fill", default=0.6, min=0.01, max=1.0, subtype="FACTOR"
    )
    view_rotation: FloatVectorProperty(
        name="View Rotation", description="Rotation of the view", size=4, default=(1, 0, 0, 0), options={"HIDDEN"}
    )
    view_centre: FloatVectorProperty(name="View Centre", description="Centre of the view", size=3, options={"HIDDEN"})
    view_width: FloatProperty(name="View Width", description="Width of the view", default=4.0, options={"HIDDEN"})
    view_height: FloatProperty(name="View Height", description="Height of the view", default=3.0, options={"HIDDEN"})

    def change(self, context: Context, owner: Object) -> str:
        """Arrange them for the view that the properties tell of."""
        view = groups.ViewOfScene(self.view_rotation, self.view_centre, self.view_width, self.view_height)
        count = groups.arrange(context, owner, self.chosen_node(owner), view, self.clusters, self.size)
        return report_text("Arranged {targets} for this view", targets=counted_text(count, "target"))

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Take the view from the 3D View."""
        owner = model.known_owner(context)
        if context.region_data is not None and model.damage_of(owner, self.chosen_node(owner)) is None:
            view = groups.view_of(context, self.chosen_node(owner))
            self.view_rotation, self.view_centre = view.rotation, view.centre
            self.view_width, self.view_height = view.width, view.height
        return self.execute(context)
