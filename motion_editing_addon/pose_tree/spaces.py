"""Making and removing what a pose tree consists of in the scene: collections, spaces, cursors, targets."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import bpy

from ... import core
from ..border import saved_state
from . import live, model
from .poses import stored_poses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Collection, Object, Scene

    from .poses.stored_poses import StoredPoses
    from .settings import MOTIONEDIT_PG_tree_node

ROOT = "Control Spaces"
# Sizes of Empties in the units of a space, whose targets lie about one unit apart.
_TARGET, _CURSOR, _SPACE, _UNSEEN = 0.08, 0.12, 0.2, 0.0001
# Part of the character's size that is one unit of a new space.
_UNIT = 0.4
# The largest number of a node that Blender keeps.
_LARGEST = 2**31 - 1


# Trees and nodes


def add_tree(scene: Scene, owner: Object, name: str) -> int:
    """Give an object a tree with one node at the top; gives the node's number."""
    tree = model.tree_of(owner)
    tree.version = saved_state.SETTINGS["Object.motion_editing_tree"].version
    return add_node(scene, owner, name)


def add_node(scene: Scene, owner: Object, name: str, *, parent: int = 0, place: Iterable[float] = (0, 0, 0)) -> int:
    """Add a node and make it active; gives its number.

    Args:
        scene: Where its objects come to be.
        name: Of the node.
        parent: Number of the parent; 0 for the top.
        place: Where it is a target of its parent.
    """
    tree, number = model.tree_of(owner), free_number(owner)
    node = tree.nodes.add()
    node.name, node.number = name, number
    tree.active = len(tree.nodes) - 1
    build(scene, owner, number)
    if parent:
        set_parent(owner, number, parent, place=place)
    return number


def free_number(owner: Object) -> int:
    """A number that no node has."""
    used = {node.number for node in model.tree_of(owner).nodes}
    after = max(used, default=0) + 1
    return after if 0 < after <= _LARGEST else next(number for number in count(1) if number not in used)


def build(scene: Scene, owner: Object, number: int) -> int:
    """Make what a node lacks; gives how many things were made."""
    node, root, made = model.known_node(owner, number), _root(scene), 0
    if node.collection is None or node.collection.name not in root.children:
        if not _is_own(owner, node.collection):
            node.collection = bpy.data.collections.new(f"{owner.name} {node.name}")
        root.children.link(node.collection)
        made += 1
    if not model.has_role(owner, node, "space"):
        node.space = _own(owner, node.space, "SPACE", number) or _empty(
            f"{owner.name} {node.name} Space", "ARROWS", _SPACE, owner, number, "SPACE"
        )
        _link(root, node.space)
        _put_beside(owner, node.space, number)
        made += 1
    if not model.has_role(owner, node, "cursor"):
        node.cursor = _own(owner, node.cursor, "CURSOR", number) or _empty(
            f"{owner.name} {node.name} Cursor", "SPHERE", _CURSOR, owner, number, "CURSOR"
        )
        _link(root, node.cursor)
        node.cursor.parent = node.space
        made += 1
    return made


def _is_own(owner: Object, collection: Collection | None) -> bool:
    """Whether a collection that is not where those of trees are was made for one: its objects are, and only they."""
    if collection is None or not len(collection.objects) or len(collection.children):
        return False
    return all(model.is_part(owner, thing) for thing in collection.objects)


def _own(owner: Object, thing: Object | None, kind: str, number: int) -> Object | None:
    """What a node points to, if it was made for that and is only out of sight."""
    if thing is None or not model.is_part(owner, thing):
        return None
    control = thing.motion_editing_control
    return thing if control.kind == kind and control.node == number else None


def _put_beside(owner: Object, space: Object, number: int) -> None:
    """A new space stands beside the character, each farther away; scale and place are the user's from then on."""
    size = max(owner.dimensions) or 1.0
    x, y, z = owner.matrix_world.translation[:]
    space.location = (x + size * (0.9 + 0.9 * (number - 1)), y, z + 0.5 * size)
    space.scale = (_UNIT * size,) * 3


def set_parent(owner: Object, number: int, parent: int, *, place: Iterable[float] | None = None) -> None:
    """Make a node a target of another one, or with parent 0 one at the top.

    Raises:
        MotionEditError: The node would be its own ancestor.
    """
    node, above = model.known_node(owner, number), model.node_by_number(owner, parent) if parent else None
    if above is not None and node in (above, *model.ancestors(owner, above)):
        raise core.pose_tree.TreeError(f"'{node.name}' would be its own ancestor; choose another parent")
    kept = tuple(node.place.location) if model.has_role(owner, node, "place") else (0.0, 0.0, 0.0)
    remove_object(owner, node.place)
    node = model.known_node(owner, number)
    node.parent, node.place = parent if above is not None else 0, None
    if above is not None:
        build_place(owner, number, kept if place is None else tuple(place))


def build_place(owner: Object, number: int, location: tuple[float, ...]) -> None:
    """Make a node's place in its parent."""
    node = model.known_node(owner, number)
    above = model.known_node(owner, node.parent)
    node.place = _empty(node.name, "CUBE", 1.5 * _TARGET, owner, above.number, "PLACE")
    node.place.motion_editing_control.child = number
    node.place.parent, node.place.location = above.space, location
    above.collection.objects.link(node.place)


def free_place(owner: Object, node: MOTIONEDIT_PG_tree_node) -> tuple[float, ...]:
    """Where a node's cursor is, or beside it if a target is there: two at one place would be mixed."""
    taken = [thing.location for thing in model.targets_of(node)]
    taken += [place.location for _child, place in model.places_of_children(owner, node)]
    place = node.cursor.location.copy() if model.is_there(node.cursor) else node.space.location * 0.0
    while any((place - other).length < _TARGET for other in taken):
        place.x += 4.0 * _TARGET
    return tuple(place)


def remove_node(owner: Object, index: int) -> None:
    """Remove a node by its place in the list, with its targets; its children go up to its parent."""
    tree = model.tree_of(owner)
    node = tree.nodes[index]
    parent = node.parent if model.damage_of(owner, node) is None else 0
    for child in [each.number for each in model.children_of(owner, node) if each != node]:
        set_parent(owner, child, parent)
    node = tree.nodes[index]
    things = dict.fromkeys((node.space, node.cursor, node.place, *model.targets_of(node)))
    collection = node.collection
    tree.nodes.remove(index)
    tree.active = min(tree.active, max(len(tree.nodes) - 1, 0))
    for thing in things:
        remove_object(owner, thing)
    _remove_empty([collection])


def remove_tree(owner: Object) -> None:
    """Remove all that was made for a tree, whatever state it is in, and with the last tree the collection of all."""
    live.stop(owner)
    tree = model.tree_of(owner)
    collections = dict.fromkeys(node.collection for node in tree.nodes)
    tree.nodes.clear()
    tree.muted.clear()
    for thing in [each for each in bpy.data.objects if model.is_part(owner, each)]:
        bpy.data.objects.remove(thing)
    tree.ghost, tree.suggesting, tree.version, tree.active = None, False, 0, 0
    _remove_empty(collections)


def _remove_empty(collections: Iterable[Collection | None]) -> None:
    """Remove collections of nodes, and the one that they are in, if they hold nothing any more."""
    root = bpy.data.collections.get(ROOT)
    if root is None:
        return
    trees = [model.tree_of(owner) for owner in bpy.data.objects if model.has_tree(owner)]
    others = [node.collection for tree in trees for node in tree.nodes]
    inside = [each for each in collections if each is not None and each.name in root.children and each not in others]
    for collection in (*inside, root):
        if collection.library is None and not (collection.objects or collection.children):
            bpy.data.collections.remove(collection)


# Targets


def add_target(owner: Object, number: int, name: str, place: Iterable[float], pose: StoredPoses) -> Object:
    """Add a target with a pose at a place in the node's space."""
    node = model.known_node(owner, number)
    target = _empty(name, "CUBE", _TARGET, owner, number, "TARGET")
    target.parent, target.location = node.space, tuple(place)
    stored_poses.save(target.motion_editing_control, pose)
    node.collection.objects.link(target)
    return target


def ghost_of(scene: Scene, owner: Object, number: int) -> Object:
    """The ghost target, in the space of a node."""
    tree = model.tree_of(owner)
    if tree.ghost is None or not model.is_part(owner, tree.ghost) or tree.ghost.motion_editing_control.kind != "GHOST":
        tree.ghost = _empty(f"{owner.name} Suggested Place", "CUBE", 1.2 * _TARGET, owner, number, "GHOST")
    ghost: Object = tree.ghost
    if not model.is_there(ghost):
        _link(_root(scene), ghost)
    ghost.motion_editing_control.node = number
    ghost.parent = model.known_node(owner, number).space
    return ghost


def move_target(owner: Object, target: Object, number: int) -> None:
    """Hand a target on to another node; its place stays the same number in the new space."""
    node = model.known_node(owner, number)
    for collection in target.users_collection:
        collection.objects.unlink(target)
    node.collection.objects.link(target)
    target.parent = node.space
    target.motion_editing_control.node = number


# Showing


def show_node(node: MOTIONEDIT_PG_tree_node) -> None:
    """Show or hide a node's targets.

    Cursor and space are not hidden but made as small as a point: Blender does not evaluate hidden
    objects, and a keyed cursor has to go on playing.
    """
    if node.collection is not None:
        node.collection.hide_viewport = not node.shown
    for thing, size in ((node.cursor, _CURSOR), (node.space, _SPACE)):
        if thing is not None:
            thing.empty_display_size = size if node.shown else _UNSEEN
            thing.hide_select = not node.shown


# Objects


def _root(scene: Scene) -> Collection:
    root = bpy.data.collections.get(ROOT) or bpy.data.collections.new(ROOT)
    if root.name not in {each.name for each in scene.collection.children_recursive}:
        scene.collection.children.link(root)
    return root


def _empty(name: str, shape: str, size: float, owner: Object, number: int, kind: str) -> Object:
    empty = bpy.data.objects.new(name, None)
    empty.empty_display_type, empty.empty_display_size = shape, size
    control = empty.motion_editing_control
    control.kind, control.owner, control.node = kind, owner, number
    return empty


def is_in(collection: Collection, thing: Object) -> bool:
    return collection.objects.get(thing.name) == thing


def _link(collection: Collection, thing: Object) -> None:
    if not is_in(collection, thing):
        collection.objects.link(thing)


def remove_object(owner: Object, thing: Object | None) -> None:
    """Remove an Empty of a tree; what was not made for it stays, whatever points to it."""
    if thing is not None and model.is_part(owner, thing):
        bpy.data.objects.remove(thing)
