"""Making and removing what a pose tree consists of in the scene: collections, spaces, cursors, targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from . import live, model

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Collection, Object, Scene

    from .settings import MOTIONEDIT_PG_tree_node
    from .stored_poses import StoredPoses

ROOT = "Control Spaces"
# Sizes of Empties in the units of a space, whose targets lie about one unit apart.
_TARGET, _CURSOR, _SPACE, _UNSEEN = 0.08, 0.12, 0.2, 0.0001
# Part of the character's size that is one unit of a new space.
_UNIT = 0.4


# Trees and nodes


def add_tree(scene: Scene, owner: Object, name: str) -> int:
    """Give an object a tree with one node at the top; gives the node's number."""
    tree = model.tree_of(owner)
    tree.version = model.VERSION
    return add_node(scene, owner, name)


def add_node(scene: Scene, owner: Object, name: str, *, parent: int = 0, place: Iterable[float] = (0, 0, 0)) -> int:
    """Add a node and make it active; gives its number.

    Args:
        scene: Where its objects come to be.
        owner: Whose tree it is.
        name: Of the node.
        parent: Number of the parent; 0 for the top.
        place: Where it is a target of its parent.
    """
    tree = model.tree_of(owner)
    number = max((node.number for node in tree.nodes), default=0) + 1
    node = tree.nodes.add()
    node.name, node.number = name, number
    tree.active = len(tree.nodes) - 1
    _build(scene, owner, number)
    if parent:
        set_parent(scene, owner, number, parent, place=place)
    return number


def _build(scene: Scene, owner: Object, number: int) -> int:
    """Make what a node lacks; gives how many things were made."""
    node, root, made = model.node_by_number(owner, number), _root(scene), 0
    if node.collection is None or node.collection.name not in root.children:
        node.collection = node.collection or bpy.data.collections.new(f"{owner.name} {node.name}")
        root.children.link(node.collection)
        made += 1
    if not model.is_there(node.space):
        node.space = node.space or _empty(f"{owner.name} {node.name} Space", "ARROWS", _SPACE, owner, number, "SPACE")
        _link(root, node.space)
        _put_beside(owner, node.space, number)
        made += 1
    if not model.is_there(node.cursor):
        node.cursor = node.cursor or _empty(
            f"{owner.name} {node.name} Cursor", "SPHERE", _CURSOR, owner, number, "CURSOR"
        )
        _link(root, node.cursor)
        node.cursor.parent = node.space
        made += 1
    return made


def _put_beside(owner: Object, space: Object, number: int) -> None:
    """A new space stands beside the character, each farther away; scale and place are the user's from then on."""
    size = max(owner.dimensions) or 1.0
    x, y, z = owner.matrix_world.translation
    space.location = (x + size * (0.9 + 0.9 * (number - 1)), y, z + 0.5 * size)
    space.scale = (_UNIT * size,) * 3


def set_parent(scene: Scene, owner: Object, number: int, parent: int, *, place: Iterable[float] | None = None) -> None:
    """Make a node a target of another one, or with parent 0 one at the top.

    Raises:
        MotionEditError: The node would be its own ancestor.
    """
    from ...core.pose_tree import TreeError

    node = model.node_by_number(owner, number)
    above = parent
    while above:
        if above == number:
            raise TreeError(f"'{node.name}' would be its own ancestor; choose another parent")
        above = model.node_by_number(owner, above).parent
    kept = tuple(node.place.location) if model.is_there(node.place) else (0.0, 0.0, 0.0)
    _remove_object(node.place)
    node = model.node_by_number(owner, number)
    node.parent, node.place = parent, None
    if parent:
        _build_place(scene, owner, number, kept if place is None else tuple(place))


def _build_place(_scene: Scene, owner: Object, number: int, location: tuple[float, ...]) -> None:
    node = model.node_by_number(owner, number)
    above = model.parent_of(owner, node)
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


def remove_node(owner: Object, number: int) -> None:
    """Remove a node with its targets; its children go up to its parent."""
    node = model.node_by_number(owner, number)
    parent = node.parent
    for child in [each.number for each in model.children_of(owner, node)]:
        set_parent(bpy.context.scene, owner, child, parent)
    node = model.node_by_number(owner, number)
    things = [node.space, node.cursor, node.place, *(model.targets_of(node))]
    collection = node.collection
    tree = model.tree_of(owner)
    tree.nodes.remove(next(index for index, each in enumerate(tree.nodes) if each.number == number))
    tree.active = min(tree.active, max(len(tree.nodes) - 1, 0))
    for thing in things:
        # A copy of the owner has the same pointers, but they are not its own.
        if thing is not None and thing.motion_editing_control.owner == owner:
            _remove_object(thing)
    if collection is not None and not collection.objects:
        bpy.data.collections.remove(collection)


def remove_tree(owner: Object) -> None:
    """Remove all nodes, and with the last tree of the file also the collection of all spaces."""
    live.stop(owner)
    tree = model.tree_of(owner)
    for _depth, number in reversed([(depth, node.number) for depth, node in model.in_tree_order(owner)]):
        remove_node(owner, number)
    _remove_object(tree.ghost)
    tree.ghost, tree.suggesting, tree.version = None, False, 0
    root = bpy.data.collections.get(ROOT)
    if root is not None and not root.all_objects and not root.children:
        bpy.data.collections.remove(root)


def repair(scene: Scene, owner: Object) -> int:
    """Bring back deleted cursors, spaces, places and collections; gives how many."""
    made = 0
    for number, parent in [(node.number, node.parent) for node in model.tree_of(owner).nodes]:
        had_space = model.is_there(model.node_by_number(owner, number).space)
        made += _build(scene, owner, number) + _gather(owner, number, adopt=not had_space)
        node = model.node_by_number(owner, number)
        if parent and model.parent_of(owner, node) is None:
            node.parent = parent = 0
            made += 1
        if parent and not model.is_there(node.place):
            kept = tuple(node.place.location) if node.place is not None else (0.0, 0.0, 0.0)
            _remove_object(node.place)
            _build_place(scene, owner, number, kept)
            made += 1
    return made


def _gather(owner: Object, number: int, *, adopt: bool) -> int:
    """Bring targets back that lost their collection; gives how many. With `adopt` all belong to the new space."""
    node = model.node_by_number(owner, number)
    lost = [thing for thing in bpy.data.objects if model.is_target(thing, node) and not _is_in(node.collection, thing)]
    for thing in lost:
        node.collection.objects.link(thing)
    if adopt:
        places = [place for _child, place in model.places_of_children(owner, node)]
        for thing in (node.cursor, *model.targets_of(node), *places):
            thing.parent = node.space
    return len(lost)


# Targets


def add_target(owner: Object, number: int, name: str, place: Iterable[float], pose: StoredPoses) -> Object:
    """Add a target with a pose at a place in the node's space."""
    from . import stored_poses

    node = model.node_by_number(owner, number)
    target = _empty(name, "CUBE", _TARGET, owner, number, "TARGET")
    target.parent, target.location = node.space, tuple(place)
    stored_poses.save(target.motion_editing_control, pose)
    node.collection.objects.link(target)
    return target


def ghost_of(scene: Scene, owner: Object, number: int) -> Object:
    """The ghost target, in the space of a node."""
    tree = model.tree_of(owner)
    if not model.is_there(tree.ghost):
        tree.ghost = tree.ghost or _empty(
            f"{owner.name} Suggested Place", "CUBE", 1.2 * _TARGET, owner, number, "GHOST"
        )
        _link(_root(scene), tree.ghost)
    tree.ghost.motion_editing_control.node = number
    tree.ghost.parent = model.node_by_number(owner, number).space
    return tree.ghost


def move_target(owner: Object, target: Object, number: int) -> None:
    """Hand a target on to another node; its place stays the same number in the new space."""
    node = model.node_by_number(owner, number)
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


def _is_in(collection: Collection, thing: Object) -> bool:
    return collection.objects.get(thing.name) == thing


def _link(collection: Collection, thing: Object) -> None:
    if not _is_in(collection, thing):
        collection.objects.link(thing)


def _remove_object(thing: Object | None) -> None:
    if thing is not None:
        bpy.data.objects.remove(thing)
