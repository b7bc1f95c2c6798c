"""What is saved of a pose tree: its nodes with their owner, and what every Empty of a space stands for.

Nodes are known by numbers that never change, so that they, their objects and the character can be
renamed at will. Poses are kept by the names of bones and channels, see `stored_poses`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

from ..border.registration import attaching
from ..interface.shared_options import SHAPE_KEYS
from . import live, spaces

if TYPE_CHECKING:
    from bpy.types import Context

# Trees of library overrides are saved with the file that overrides.
_KEPT = {"LIBRARY_OVERRIDABLE"}
_KEPT_LIST = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}

KINDS = (
    ("NONE", "None", "Not part of a pose tree"),
    ("TARGET", "Target", "A pose at a position"),
    ("CURSOR", "Cursor", "Position that controls the pose"),
    ("PLACE", "Place of a Node", "Position of a node as a target of its parent"),
    ("SPACE", "Space", "Parent of a node's cursor and targets"),
    ("GHOST", "Ghost", "Position where the rig's pose fits best"),
)


def _show(self: MOTIONEDIT_PG_tree_node, _context: Context) -> None:
    spaces.show_node(self)


def _free_name(self: MOTIONEDIT_PG_tree_node, _context: Context) -> None:
    """Nodes are chosen by their names: no two have the same, and none is without."""
    others = {node.name for node in self.id_data.motion_editing_tree.nodes if node != self}
    stem, number, name = self.name or "Node", 0, self.name or "Node"
    while name in others:
        number += 1
        name = f"{stem}.{number:03d}"
    if name != self.name:
        self.name = name


def _pose_again(self: PropertyGroup, _context: Context) -> None:
    live.pose_owner(self.id_data.motion_editing_control.owner)


class MOTIONEDIT_PG_control(PropertyGroup):
    """What an Empty stands for in a pose tree; a target's pose is kept beside these as arrays."""

    kind: EnumProperty(
        name="Role", description="Role of the object in the pose tree", items=KINDS, default="NONE", override=_KEPT
    )
    owner: PointerProperty(
        name="Owner", description="Object that the pose tree belongs to", type=bpy.types.Object, override=_KEPT
    )
    node: IntProperty(name="Node Number", description="Number of the node whose space it is in", override=_KEPT)
    child: IntProperty(name="Child", description="Number of the node that it represents", override=_KEPT)
    path: StringProperty(name="Edited Path", description="Path that the target edits", override=_KEPT)
    frame: IntProperty(name="Frame on Path", description="Frame of the path, from 0", default=-1, override=_KEPT)
    path_frame: FloatProperty(
        name="Path Frame",
        description="Position of the cursor on the path, in frames",
        min=0.0,
        override=_KEPT,
        update=_pose_again,
    )


class MOTIONEDIT_PG_tree_name(PropertyGroup):
    """A bone or channel by its name."""

    name: StringProperty(name="Name", override=_KEPT)


class MOTIONEDIT_PG_tree_muted(PropertyGroup):
    """A curve that is muted because a live tree drives its channel.

    Files of the first versions point to its action. Blender loses count of such pointers when characters are copied.
    """

    action: PointerProperty(type=bpy.types.Action, override=_KEPT)
    thing: StringProperty(description="Name of the shape keys that play it; empty for the object", override=_KEPT)
    slot: IntProperty(description="Handle of the action's slot", override=_KEPT)
    path: StringProperty(description="Data path of the muted F-Curve", override=_KEPT)
    index: IntProperty(description="Array index of the muted F-Curve", override=_KEPT)


class MOTIONEDIT_PG_tree_path(PropertyGroup):
    """A motion in a space; its poses and places are kept as arrays in a store."""

    # Blender copies what is kept with an animated object for every frame that it plays, so long motions are kept
    # elsewhere: with a mesh that no object shows, and that goes when no path needs it any more.
    store: PointerProperty(name="Store", type=bpy.types.Mesh, override=_KEPT)
    name: StringProperty(name="Name", description="Name of the path or branch", override=_KEPT)
    source: StringProperty(name="Branch Of", description="Path that it was made from", override=_KEPT)
    frames: IntProperty(name="Frames", description="Number of frames", override=_KEPT)
    rate: FloatProperty(name="Frame Rate", description="Frames per second", default=24.0, override=_KEPT)
    step: FloatProperty(
        name="Step",
        description="Frames of the action per frame of the path",
        default=1.0,
        override=_KEPT,
    )
    start: IntProperty(name="Branch Start", description="Last frame that equals the source", default=-1, override=_KEPT)
    end: IntProperty(
        name="Branch End", description="First frame that equals the source again", default=-1, override=_KEPT
    )


class MOTIONEDIT_PG_tree_node(PropertyGroup):
    """A control space of a tree."""

    name: StringProperty(name="Name", description="Name of the node", override=_KEPT, update=_free_name)
    number: IntProperty(name="Node Number", description="Unique number of the node in the tree", override=_KEPT)
    parent: IntProperty(name="Parent Number", description="Number of the parent node", override=_KEPT)
    space: PointerProperty(name="Space", type=bpy.types.Object, override=_KEPT)
    cursor: PointerProperty(name="Cursor", type=bpy.types.Object, override=_KEPT)
    place: PointerProperty(name="Place in Parent", type=bpy.types.Object, override=_KEPT)
    collection: PointerProperty(name="Collection", type=bpy.types.Collection, override=_KEPT)
    limited: BoolProperty(name="Limited", description="Drive only the bones and channels below", override=_KEPT)
    owned: CollectionProperty(type=MOTIONEDIT_PG_tree_name, override=_KEPT_LIST)
    paths: CollectionProperty(type=MOTIONEDIT_PG_tree_path, override=_KEPT_LIST)
    active_path: IntProperty(name="Path", description="Active path of the node", override=_KEPT)
    follow: StringProperty(name="Follows", description="Path that the cursor follows", override=_KEPT)
    shown: BoolProperty(
        name="Show",
        description="Show the targets of this node",
        default=True,
        override=_KEPT,
        update=_show,
    )


class MOTIONEDIT_PG_tree(PropertyGroup):
    """The pose tree of an object."""

    version: IntProperty(description="Version of the saved data", default=0, override=_KEPT)
    revision: IntProperty(description="Number of changes of the poses", override=_KEPT)
    nodes: CollectionProperty(type=MOTIONEDIT_PG_tree_node, override=_KEPT_LIST)
    active: IntProperty(name="Node", description="Active node of the list", override=_KEPT)
    live: BoolProperty(description="Pose the rig with the cursors", override=_KEPT)
    suggesting: BoolProperty(description="Update the ghost while the rig is posed", override=_KEPT)
    ghost: PointerProperty(name="Ghost", type=bpy.types.Object, override=_KEPT)
    shape_keys: BoolProperty(**SHAPE_KEYS, default=False, override=_KEPT)
    muted: CollectionProperty(type=MOTIONEDIT_PG_tree_muted, override=_KEPT_LIST)


classes = (
    MOTIONEDIT_PG_control,
    MOTIONEDIT_PG_tree_name,
    MOTIONEDIT_PG_tree_muted,
    MOTIONEDIT_PG_tree_path,
    MOTIONEDIT_PG_tree_node,
    MOTIONEDIT_PG_tree,
)

register, unregister = attaching(
    classes,
    {
        (bpy.types.Object, "motion_editing_tree"): PointerProperty(type=MOTIONEDIT_PG_tree, override=_KEPT),
        (bpy.types.Action, "motion_editing_muted"): CollectionProperty(type=MOTIONEDIT_PG_tree_muted),
        (bpy.types.Object, "motion_editing_control"): PointerProperty(type=MOTIONEDIT_PG_control, override=_KEPT),
    },
)
