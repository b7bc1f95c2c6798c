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

from ..registering import attaching

if TYPE_CHECKING:
    from bpy.types import Context

# Trees of library overrides are saved with the file that overrides.
_KEPT = {"LIBRARY_OVERRIDABLE"}
_KEPT_LIST = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}

KINDS = (
    ("NONE", "None", "No part of a pose tree"),
    ("TARGET", "Target", "A pose at a place"),
    ("CURSOR", "Cursor", "Where it is decides about the pose"),
    ("PLACE", "Place of a Node", "Where a node is a target of its parent"),
    ("SPACE", "Space", "What cursor and targets of a node are parented to"),
    ("GHOST", "Ghost", "Where the rig's pose would fit best"),
)


def _show(self: MOTIONEDIT_PG_tree_node, _context: Context) -> None:
    from . import spaces

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
    from . import live

    live.pose_owner(self.id_data.motion_editing_control.owner)


class MOTIONEDIT_PG_control(PropertyGroup):
    """What an Empty stands for in a pose tree; a target's pose is kept beside these as arrays."""

    kind: EnumProperty(name="Kind", items=KINDS, default="NONE", override=_KEPT)
    owner: PointerProperty(name="Owner", type=bpy.types.Object, override=_KEPT)
    node: IntProperty(name="Node", description="Number of the node in whose space it lies", override=_KEPT)
    child: IntProperty(name="Child", description="Number of the node that a place stands for", override=_KEPT)
    path: StringProperty(name="Path", description="The path that a target changes a frame of", override=_KEPT)
    frame: IntProperty(name="Frame", description="The frame of that path, from 0 on", default=-1, override=_KEPT)
    path_frame: FloatProperty(
        name="Path Frame",
        description="How far along the followed path the cursor is, in frames of the path",
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
    slot: IntProperty(override=_KEPT)
    path: StringProperty(override=_KEPT)
    index: IntProperty(override=_KEPT)


class MOTIONEDIT_PG_tree_path(PropertyGroup):
    """A motion in a space; its poses and places are kept as arrays in a store."""

    # Blender copies what is kept with an animated object for every frame that it plays, so long motions are kept
    # elsewhere: with a mesh that no object shows, and that goes when no path needs it any more.
    store: PointerProperty(name="Store", type=bpy.types.Mesh, override=_KEPT)
    name: StringProperty(name="Name", description="Name of the path or branch", override=_KEPT)
    source: StringProperty(name="Branch Of", description="The path that it was made from", override=_KEPT)
    frames: IntProperty(name="Frames", override=_KEPT)
    rate: FloatProperty(name="Rate", description="Frames per second", default=24.0, override=_KEPT)
    step: FloatProperty(
        name="Step",
        description="Frames of the action from one frame of the path to the next",
        default=1.0,
        override=_KEPT,
    )
    start: IntProperty(name="Start", description="Last frame that is as in the source", default=-1, override=_KEPT)
    end: IntProperty(name="End", description="First frame that is as in the source again", default=-1, override=_KEPT)


class MOTIONEDIT_PG_tree_node(PropertyGroup):
    """A control space of a tree."""

    name: StringProperty(name="Name", description="Name of the node", override=_KEPT, update=_free_name)
    number: IntProperty(name="Number", description="Never changes and is used once in a tree", override=_KEPT)
    parent: IntProperty(name="Parent", description="Number of the node that this one is a target of", override=_KEPT)
    space: PointerProperty(name="Space", type=bpy.types.Object, override=_KEPT)
    cursor: PointerProperty(name="Cursor", type=bpy.types.Object, override=_KEPT)
    place: PointerProperty(name="Place in Parent", type=bpy.types.Object, override=_KEPT)
    collection: PointerProperty(name="Collection", type=bpy.types.Collection, override=_KEPT)
    limited: BoolProperty(name="Limited", description="Drives only the bones and channels below", override=_KEPT)
    owned: CollectionProperty(type=MOTIONEDIT_PG_tree_name, override=_KEPT_LIST)
    paths: CollectionProperty(type=MOTIONEDIT_PG_tree_path, override=_KEPT_LIST)
    active_path: IntProperty(name="Path", description="The path to work on", override=_KEPT)
    follow: StringProperty(name="Follows", description="The path that gives the poses", override=_KEPT)
    shown: BoolProperty(
        name="Show",
        description="Show the targets of this node; several nodes can be shown together",
        default=True,
        override=_KEPT,
        update=_show,
    )


class MOTIONEDIT_PG_tree(PropertyGroup):
    """The pose tree of an object."""

    version: IntProperty(default=0, override=_KEPT)
    revision: IntProperty(description="Counts the changes of poses, so that they are noticed", override=_KEPT)
    nodes: CollectionProperty(type=MOTIONEDIT_PG_tree_node, override=_KEPT_LIST)
    active: IntProperty(name="Node", description="The node to work on", override=_KEPT)
    live: BoolProperty(description="Cursors pose the rig", override=_KEPT)
    suggesting: BoolProperty(description="The ghost follows while the rig is posed", override=_KEPT)
    ghost: PointerProperty(name="Ghost", type=bpy.types.Object, override=_KEPT)
    shape_keys: BoolProperty(
        name="Shape Keys",
        description="Poses hold the shape keys of the character's meshes too",
        default=False,
        override=_KEPT,
    )
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
