"""Repair Tree: what was deleted is made anew, what is spoilt is mended, and what cannot be read is taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...core.errors import MotionEditError
from . import model, spaces
from .poses import saved_poses

if TYPE_CHECKING:
    from bpy.types import Object, Scene

    from .settings import MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path

# Frames a second of a path that has lost its own.
_RATE = 24.0


def repair(scene: Scene, owner: Object) -> str:
    """Make a tree whole again; gives what was done, to be read.

    Raises:
        MotionEditError: The tree is that of another object.
    """
    for node in model.tree_of(owner).nodes:
        if model.belongs_to_another(owner, node):
            raise MotionEditError(model.damage_of(owner, node))
    made = _renumber(owner) + _unhook(owner)
    for number in [node.number for node in model.tree_of(owner).nodes]:
        made += _rebuild(scene, owner, number)
    for number, parent in [(node.number, node.parent) for node in model.tree_of(owner).nodes]:
        made += _replace(owner, number) if parent else 0
    saved_poses.forget()
    removed = sum(_take_away(owner, node.number) for node in model.tree_of(owner).nodes)
    texts = (f"brought back {_counted(made, 'object')}" if made else "",
             f"removed {_counted(removed, 'pose or path')} that could not be read" if removed else "")  # fmt: skip
    text = ", ".join(filter(None, texts)) or "nothing was missing"
    return text[0].upper() + text[1:]


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word.replace(' or ', 's or ')}s"


# Nodes


def _renumber(owner: Object) -> int:
    """Give nodes numbers of their own; what was made for them goes along. Gives how many have a new one."""
    seen: set[int] = set()
    renumbered = 0
    for node in model.tree_of(owner).nodes:
        if node.number <= 0 or node.number in seen:
            _give_number(owner, node, spaces.free_number(owner))
            renumbered += 1
        seen.add(node.number)
    return renumbered


def _give_number(owner: Object, node: MOTIONEDIT_PG_tree_node, number: int) -> None:
    others = [each for each in model.tree_of(owner).nodes if each != node]
    own = [thing for thing in (node.cursor, node.space) if thing is not None and model.is_part(owner, thing)]
    own = [thing for thing in own if all(thing not in (each.cursor, each.space) for each in others)]
    if node.collection is not None and all(each.collection != node.collection for each in others):
        own += model.targets_of(node)
    for thing in own:
        thing.motion_editing_control.node = number
    if node.place is not None and model.is_part(owner, node.place):
        node.place.motion_editing_control.child = number
    node.number = number


def _unhook(owner: Object) -> int:
    """Put nodes whose parent is gone, or is below them, at the top; gives how many."""
    unhooked = 0
    for node in model.tree_of(owner).nodes:
        above = model.ancestors(owner, node)
        if node.parent and (not above or node in above):
            node.parent = 0
            unhooked += 1
    return unhooked


def _rebuild(scene: Scene, owner: Object, number: int) -> int:
    """Bring back what a node has lost; gives how many things."""
    had_space = model.has_role(owner, model.known_node(owner, number), "space")
    return spaces.build(scene, owner, number) + _gather(owner, number, adopt=not had_space)


def _gather(owner: Object, number: int, *, adopt: bool) -> int:
    """Bring targets back that lost their collection; gives how many. With `adopt` all belong to the new space."""
    node = model.known_node(owner, number)
    own = [thing for thing in bpy.data.objects if model.is_target(thing, node)]
    lost = [thing for thing in own if not spaces.is_in(node.collection, thing)]
    for thing in lost:
        node.collection.objects.link(thing)
    if adopt:
        places = [place for _child, place in model.places_of_children(owner, node)]
        for thing in (node.cursor, *model.targets_of(node), *places):
            thing.parent = node.space
    return len(lost)


def _replace(owner: Object, number: int) -> int:
    """Bring a node's place in its parent back; gives 1 if it was missing."""
    node = model.known_node(owner, number)
    if model.has_role(owner, node, "place"):
        return 0
    own = node.place is not None and model.is_part(owner, node.place)
    kept = tuple(node.place.location) if own else (0.0, 0.0, 0.0)
    spaces.remove_object(owner, node.place)
    spaces.build_place(owner, number, kept)
    return 1


# Poses and paths


def _take_away(owner: Object, number: int) -> int:
    """Mend paths of which only numbers are wrong, and remove what still cannot be read; gives how much."""
    node = model.known_node(owner, number)
    spoilt = [target for target in model.targets_of(node) if target not in saved_poses.sound_targets(owner, node)]
    for target in spoilt:
        bpy.data.objects.remove(target)
    node = model.known_node(owner, number)
    names: set[str] = set()
    for path in node.paths:
        _mend(path, names)
        names.add(path.name)
    sound = {path.name for path in saved_poses.sound_paths(owner, node)}
    unsound = [index for index, path in enumerate(node.paths) if path.name not in sound]
    for index in reversed(unsound):
        node.paths.remove(index)
    node.follow = node.follow if node.follow in sound else ""
    return len(spoilt) + len(unsound)


def _mend(path: MOTIONEDIT_PG_tree_path, names: set[str]) -> None:
    """Numbers of a path that follow from its arrays or have a usual value, and a name that no other path has."""
    stem, number = path.name or "Path", 0
    while not path.name or path.name in names:
        number += 1
        path.name = f"{stem}.{number:03d}"
    path.rate = path.rate if saved_poses.is_speed(path.rate) else _RATE
    path.step = path.step if saved_poses.is_speed(path.step) else 1.0
    try:
        path.frames = len(model.places_of_path(path))
    except MotionEditError:
        return  # it goes
    path.start, path.end = model.span_of_path(path) if path.source else (-1, -1)
