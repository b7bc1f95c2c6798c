"""Reading a pose tree: nodes, targets, cursors and paths as they are in the file. Changes nothing, draws nothing.

Light enough for panels; what needs NumPy is imported when it is asked for. Weights and blended
poses are in `solving`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Mesh, Object
    from mathutils import Matrix

    from ...core.motion import Motion
    from .settings import MOTIONEDIT_PG_tree, MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path

# Of what is saved with the owner.
VERSION = 1


# Trees and nodes


def has_tree(thing: Object | None) -> bool:
    """Whether an object has a pose tree."""
    return thing is not None and thing.motion_editing_tree.version > 0


def owners() -> list[Object]:
    """All objects of the file that have a tree and are in a scene."""
    return [thing for thing in bpy.data.objects if has_tree(thing) and thing.users_scene]


def tree_of(owner: Object) -> MOTIONEDIT_PG_tree:
    """The tree saved with an object."""
    return owner.motion_editing_tree


def owner_in(context: Context) -> Object | None:
    """The object whose tree is meant: the active one, or that of the active target or cursor."""
    active = context.object
    if active is None:
        return None
    control = active.motion_editing_control
    return control.owner if control.kind != "NONE" and is_there(control.owner) else active


def active_node(owner: Object) -> MOTIONEDIT_PG_tree_node | None:
    """The node that is active in the list."""
    tree = tree_of(owner)
    return tree.nodes[tree.active] if 0 <= tree.active < len(tree.nodes) else None


def node_by_number(owner: Object, number: int) -> MOTIONEDIT_PG_tree_node | None:
    """The node with this number; numbers never change."""
    return next((node for node in tree_of(owner).nodes if node.number == number), None)


def node_by_name(owner: Object, name: str) -> MOTIONEDIT_PG_tree_node | None:
    """The first node of this name."""
    return next((node for node in tree_of(owner).nodes if node.name == name), None)


def parent_of(owner: Object, node: MOTIONEDIT_PG_tree_node) -> MOTIONEDIT_PG_tree_node | None:
    """The node that this one is a target of; None at the top."""
    return node_by_number(owner, node.parent) if node.parent else None


def children_of(owner: Object, node: MOTIONEDIT_PG_tree_node) -> list[MOTIONEDIT_PG_tree_node]:
    """Nodes that are targets of this one."""
    return [each for each in tree_of(owner).nodes if each.parent == node.number]


def in_tree_order(owner: Object) -> list[tuple[int, MOTIONEDIT_PG_tree_node]]:
    """(depth, node) of all nodes, every parent before its children."""
    return list(_below(owner, 0, 0))


def _below(owner: Object, parent: int, depth: int) -> Iterator[tuple[int, MOTIONEDIT_PG_tree_node]]:
    known = {node.number for node in tree_of(owner).nodes}
    for node in tree_of(owner).nodes:
        # A node whose parent is gone is shown at the top.
        at_top = node.parent not in known
        if node.parent == parent or (parent == 0 and at_top):
            yield depth, node
            yield from _below(owner, node.number, depth + 1)


def shown_nodes(owner: Object) -> list[MOTIONEDIT_PG_tree_node]:
    """Nodes whose spaces are to be seen."""
    return [node for node in tree_of(owner).nodes if node.shown]


# Objects of a space


def targets_of(node: MOTIONEDIT_PG_tree_node) -> list[Object]:
    """The Empties that are targets of a node, in the order of its collection."""
    if node.collection is None:
        return []
    return [thing for thing in node.collection.objects if is_target(thing, node)]


def has_targets(node: MOTIONEDIT_PG_tree_node) -> bool:
    """Whether a node has any target of its own."""
    return node.collection is not None and any(is_target(thing, node) for thing in node.collection.objects)


def target_count(owner: Object, node: MOTIONEDIT_PG_tree_node) -> int:
    """How many targets a node has, quick enough for lists: what else was put into its collection counts too."""
    return len(node.collection.objects) - len(places_of_children(owner, node)) if node.collection is not None else 0


def is_target(thing: Object, node: MOTIONEDIT_PG_tree_node) -> bool:
    """Whether an object is a target of a node."""
    control = thing.motion_editing_control
    return control.kind == "TARGET" and control.node == node.number and control.owner == node.id_data


def places_of_children(owner: Object, node: MOTIONEDIT_PG_tree_node) -> list[tuple[MOTIONEDIT_PG_tree_node, Object]]:
    """(child, Empty) of every child that has its place as a target of the node."""
    return [(child, child.place) for child in children_of(owner, node) if is_there(child.place)]


def node_of(thing: Object | None) -> MOTIONEDIT_PG_tree_node | None:
    """The node in whose space a target, cursor, place or space Empty lies."""
    control = thing.motion_editing_control if thing is not None else None
    if control is None or control.kind == "NONE" or not has_tree(control.owner):
        return None
    return node_by_number(control.owner, control.node)


def is_there(thing: Object | None) -> bool:
    """Whether an object still is in a scene; a deleted one lives on while something points to it."""
    return thing is not None and bool(thing.users_scene)


def has_own(owner: Object, thing: Object | None) -> bool:
    """Whether an Empty is there and belongs to this owner's tree; a copied character points to those of the first."""
    return is_there(thing) and thing.motion_editing_control.owner == owner


def matrix_of(node: MOTIONEDIT_PG_tree_node) -> Matrix:
    """From a node's own space, in which its places are, to the world."""
    from mathutils import Matrix

    return node.space.matrix_world.copy() if is_there(node.space) else Matrix()


def damage_of(owner: Object, node: MOTIONEDIT_PG_tree_node) -> str | None:
    """What of a node is gone, with the way out, or None."""
    for name, thing in (("cursor", node.cursor), ("space", node.space)):
        if not is_there(thing):
            return f"The {name} of '{node.name}' was deleted: use Repair Tree"
    if node.collection is None:
        return f"The collection of '{node.name}' was deleted: use Repair Tree"
    if not has_own(owner, node.cursor):
        return f"'{node.name}' belongs to the tree of another object: use Remove Pose Tree here"
    if node.parent and not is_there(node.place):
        return f"The place of '{node.name}' in its parent was deleted: use Repair Tree"
    return None


def problem_of(owner: Object, node: MOTIONEDIT_PG_tree_node) -> str | None:
    """Why a node takes no part in the blend, with the way out, or None."""
    damage = damage_of(owner, node)
    if damage:
        return damage
    if not (has_targets(node) or children_of(owner, node) or len(node.paths)):
        return f"'{node.name}' has no poses: pose the rig and use Add Pose"
    return None


# Poses and paths


def pose_of(owner: Object, target: Object) -> Motion:
    """A target's pose as a motion of one frame with the owner's bones."""
    from . import stored_poses

    return stored_poses.fitted(owner, [stored_poses.load(target.motion_editing_control)]).poses


def path_by_name(node: MOTIONEDIT_PG_tree_node, name: str) -> MOTIONEDIT_PG_tree_path | None:
    """The path or branch of this name."""
    return next((path for path in node.paths if path.name == name), None)


def active_path(node: MOTIONEDIT_PG_tree_node) -> MOTIONEDIT_PG_tree_path | None:
    """The path that is active in the list."""
    return node.paths[node.active_path] if 0 <= node.active_path < len(node.paths) else None


def places_of_path(path: MOTIONEDIT_PG_tree_path) -> np.ndarray:
    """(F, 3) where the path is at every frame, in its node's space."""
    from . import stored_poses

    return stored_poses.load_array(store_of_path(path), "places", (-1, 3))


def target_frames_of_path(path: MOTIONEDIT_PG_tree_path) -> np.ndarray:
    """(N,) frames of a path that are targets of its node's space."""
    from . import stored_poses

    return stored_poses.load_array(store_of_path(path), "targets", (-1,)).astype(int)


def store_of_path(path: MOTIONEDIT_PG_tree_path) -> Mesh | MOTIONEDIT_PG_tree_path:
    """What keeps a path's poses and places as arrays: the path itself in files of the first versions."""
    return path if path.store is None else path.store


def span_of_path(path: MOTIONEDIT_PG_tree_path) -> tuple[int, int]:
    """Frames of a path between which it differs from the one that it is a branch of; all for an original."""
    return (path.start, path.end) if path.source else (0, path.frames - 1)


def edited_targets(node: MOTIONEDIT_PG_tree_node, path: MOTIONEDIT_PG_tree_path) -> list[Object]:
    """Targets that change a frame of a path, in order of their frames."""
    found = [
        thing
        for thing in targets_of(node)
        if thing.motion_editing_control.frame >= 0 and thing.motion_editing_control.path == path.name
    ]
    return sorted(found, key=lambda thing: thing.motion_editing_control.frame)
