"""Reading a pose tree: nodes, targets, cursors and paths as they are in the file. Changes nothing, draws nothing.

Light enough for panels; what needs NumPy is imported when it is asked for. Weights and blended
poses are in `solution`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...core.errors import MotionEditError
from ..border import saved_state
from ..border.lazy_modules import np
from ..document import scope

if TYPE_CHECKING:
    from typing import TypeGuard

    from bpy.types import Context, Mesh, Object

    from .settings import MOTIONEDIT_PG_tree, MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path


# Trees and nodes


def has_tree(thing: Object | None) -> TypeGuard[Object]:
    """Whether an object has a pose tree."""
    return thing is not None and thing.motion_editing_tree.version > 0


def owners() -> list[Object]:
    """All objects of the file that have a tree and are in a scene."""
    return [thing for thing in bpy.data.objects if has_tree(thing) and thing.users_scene]


def tree_of(owner: Object) -> MOTIONEDIT_PG_tree:
    """The tree saved with an object."""
    return owner.motion_editing_tree


def owner_in(context: Context) -> Object | None:
    """The object whose tree is meant: the active one, that of the active target or cursor, or a mesh's armature.

    A mesh with shape keys may have a tree of its own: only where its armature has one already, that one is meant.
    """
    active = context.object
    if active is None or has_tree(active):
        return active
    control = active.motion_editing_control
    if control.kind != "NONE" and is_there(control.owner):
        owner: Object = control.owner
        return owner
    armature, mesh = scope.edited_object(context), active.type == "MESH" and active.data.shape_keys is not None
    return active if mesh and not has_tree(armature) else armature


def known_owner(context: Context) -> Object:
    """The same, for what is only asked where there is one."""
    owner = owner_in(context)
    assert owner is not None
    return owner


def left_by(thing: Object | None) -> Object | None:
    """The deleted character whose tree an Empty was left by, if it was."""
    control = thing.motion_editing_control if thing is not None else None
    if control is None or control.kind == "NONE" or not has_tree(control.owner) or is_there(control.owner):
        return None
    return control.owner


def active_node(owner: Object) -> MOTIONEDIT_PG_tree_node | None:
    """The node that is active in the list, or the one next to where that would be."""
    nodes = tree_of(owner).nodes
    return nodes[min(max(tree_of(owner).active, 0), len(nodes) - 1)] if len(nodes) else None


def node_by_number(owner: Object, number: int) -> MOTIONEDIT_PG_tree_node | None:
    """The node with this number; numbers never change."""
    return next((node for node in tree_of(owner).nodes if node.number == number), None)


def known_node(owner: Object, number: int) -> MOTIONEDIT_PG_tree_node:
    """The node with the number of one that there is."""
    node = node_by_number(owner, number)
    assert node is not None
    return node


def node_by_name(owner: Object, name: str) -> MOTIONEDIT_PG_tree_node | None:
    """The first node of this name."""
    return next((node for node in tree_of(owner).nodes if node.name == name), None)


def parent_of(owner: Object, node: MOTIONEDIT_PG_tree_node) -> MOTIONEDIT_PG_tree_node | None:
    """The node that this one is a target of; None at the top."""
    return node_by_number(owner, node.parent) if node.parent else None


def children_of(owner: Object, node: MOTIONEDIT_PG_tree_node) -> list[MOTIONEDIT_PG_tree_node]:
    """Nodes that are targets of this one."""
    return [each for each in tree_of(owner).nodes if each.parent == node.number]


def ancestors(owner: Object, node: MOTIONEDIT_PG_tree_node) -> list[MOTIONEDIT_PG_tree_node]:
    """The parent of a node, its parent and so on; each once, also where parents go in a circle."""
    found: list[MOTIONEDIT_PG_tree_node] = []
    above = parent_of(owner, node)
    while above is not None and above not in found:
        found.append(above)
        above = parent_of(owner, above)
    return found


def in_tree_order(owner: Object) -> list[tuple[int, MOTIONEDIT_PG_tree_node]]:
    """(depth, node) of all nodes, every parent before its children; what hangs on no top is shown as one."""
    nodes = list(tree_of(owner).nodes)
    known = {node.number for node in nodes}
    order: list[tuple[int, MOTIONEDIT_PG_tree_node]] = []
    seen: set[int] = set()

    def add(number: int, depth: int) -> None:
        """A node by its place in the list, and all below it."""
        if number in seen:
            return
        seen.add(number)
        order.append((depth, nodes[number]))
        for child, node in enumerate(nodes):
            if node.parent == nodes[number].number != 0:
                add(child, depth + 1)

    tops = [number for number, node in enumerate(nodes) if not node.parent or node.parent not in known]
    for number in (*tops, *range(len(nodes))):
        add(number, 0)
    return order


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
    return control.kind == "TARGET" and control.node == node.number and is_part(node.id_data, thing)


def places_of_children(owner: Object, node: MOTIONEDIT_PG_tree_node) -> list[tuple[MOTIONEDIT_PG_tree_node, Object]]:
    """(child, Empty) of every child that has its place as a target of the node."""
    return [(child, child.place) for child in children_of(owner, node) if has_role(owner, child, "place")]


def node_of(thing: Object | None) -> MOTIONEDIT_PG_tree_node | None:
    """The node in whose space a target, cursor, place or space Empty lies."""
    control = thing.motion_editing_control if thing is not None else None
    if control is None or control.kind == "NONE" or not has_tree(control.owner):
        return None
    return node_by_number(control.owner, control.node)


def is_there(thing: Object | None) -> TypeGuard[Object]:
    """Whether an object still is in a scene; a deleted one lives on while something points to it."""
    return thing is not None and bool(thing.users_scene)


def has_own(owner: Object, thing: Object | None) -> bool:
    """Whether an Empty is there and belongs to this owner's tree; a copied character points to those of the first."""
    return is_there(thing) and is_part(owner, thing)


def has_role(owner: Object, node: MOTIONEDIT_PG_tree_node, role: str) -> bool:
    """Whether a node has a cursor, space or place in its parent that was made to be that."""
    thing = getattr(node, role)
    if not has_own(owner, thing):
        return False
    control = thing.motion_editing_control
    made_for = control.child if role == "place" else control.node
    return bool(control.kind == role.upper() and made_for == node.number)


def is_part(owner: Object, thing: Object) -> bool:
    """Whether an object was made for an owner's tree, and for nothing else."""
    control = thing.motion_editing_control
    return thing.type == "EMPTY" and thing != owner and control.kind != "NONE" and control.owner == owner


def damage_of(owner: Object, node: MOTIONEDIT_PG_tree_node) -> str | None:
    """What of a node is gone or spoilt, with the way out, or None."""
    if belongs_to_another(owner, node):
        return f"'{node.name}' belongs to the tree of another object: use Remove Pose Tree here"
    for role in ("cursor", "space"):
        if not has_role(owner, node, role):
            return f"The {role} of '{node.name}' was deleted: use Repair Tree"
    if node.collection is None:
        return f"The collection of '{node.name}' was deleted: use Repair Tree"
    if node.number <= 0 or node_by_number(owner, node.number) != node:
        return f"'{node.name}' has the number of another node: use Repair Tree"
    if not node.parent:
        return None
    above = ancestors(owner, node)
    if not above or node in above:
        return f"The parent of '{node.name}' is gone: use Repair Tree"
    if not has_role(owner, node, "place"):
        return f"The place of '{node.name}' in its parent was deleted: use Repair Tree"
    return None


def belongs_to_another(owner: Object, node: MOTIONEDIT_PG_tree_node) -> bool:
    """Whether a node's objects are those of another object's tree: a copied character points to them."""
    if not is_there(node.cursor):
        return False
    control = node.cursor.motion_editing_control
    if control.owner == owner or not is_there(control.owner) or not has_tree(control.owner):
        return False
    return any(other.cursor == node.cursor for other in tree_of(control.owner).nodes)


def problem_of(owner: Object, node: MOTIONEDIT_PG_tree_node) -> str | None:
    """Why a node takes no part in the blend, with the way out, or None."""
    damage = damage_of(owner, node)
    if damage:
        return damage
    if not (has_targets(node) or children_of(owner, node) or len(node.paths)):
        return f"'{node.name}' has no poses: pose the rig and use Add Pose"
    return None


# Poses and paths


def path_by_name(node: MOTIONEDIT_PG_tree_node, name: str) -> MOTIONEDIT_PG_tree_path | None:
    """The path or branch of this name."""
    return next((path for path in node.paths if path.name == name), None)


def known_path(node: MOTIONEDIT_PG_tree_node, name: str) -> MOTIONEDIT_PG_tree_path:
    """The path or branch of this name.

    Raises:
        MotionEditError: There is none.
    """
    path = path_by_name(node, name)
    if path is None:
        raise MotionEditError(f"'{node.name}' has no path '{name}'")
    return path


def active_path(node: MOTIONEDIT_PG_tree_node) -> MOTIONEDIT_PG_tree_path | None:
    """The path that is active in the list, or the one next to where that would be."""
    return node.paths[min(max(node.active_path, 0), len(node.paths) - 1)] if len(node.paths) else None


def places_of_path(path: MOTIONEDIT_PG_tree_path) -> np.ndarray:
    """(F, 3) where the path is at every frame, in its node's space."""
    return saved_state.take(store_of_path(path), saved_state.PATH, "places").get("places", np.empty(0)).reshape(-1, 3)


def target_frames_of_path(path: MOTIONEDIT_PG_tree_path) -> np.ndarray:
    """(N,) frames of a path that are targets of its node's space."""
    return saved_state.take(store_of_path(path), saved_state.PATH, "targets").get("targets", np.empty(0)).astype(int)


def store_of_path(path: MOTIONEDIT_PG_tree_path) -> Mesh | MOTIONEDIT_PG_tree_path:
    """What keeps a path's poses and places as arrays: the path itself in files of the first versions."""
    return path if path.store is None else path.store


def span_of_path(path: MOTIONEDIT_PG_tree_path) -> tuple[int, int]:
    """Frames of a path between which it differs from the one that it is a branch of; all for an original."""
    last = max(path.frames - 1, 0)
    start = min(max(path.start, 0), last) if path.source else 0
    return start, min(max(path.end, start), last) if path.source else last


def edited_targets(node: MOTIONEDIT_PG_tree_node, path: MOTIONEDIT_PG_tree_path) -> list[Object]:
    """Targets that change a frame of a path, in order of their frames."""
    found = [
        thing
        for thing in targets_of(node)
        if thing.motion_editing_control.frame >= 0 and thing.motion_editing_control.path == path.name
    ]
    return sorted(found, key=lambda thing: thing.motion_editing_control.frame)
