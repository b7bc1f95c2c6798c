"""What the overlay shows of pose trees, read from Blender into plain arrays; quick enough for every redraw."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...interface.drawing.batches import Kept
from .. import model
from ..poses import saved_poses

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..settings import MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path

PLAIN, SELECTED, ACTIVE = 0, 1, 2


@dataclass(frozen=True, eq=False)
class TargetsSeen:
    """The targets of a space that can be seen: its own, then those that stand for child nodes.

    Attributes:
        names: Of the poses or child nodes.
        matrices: (N, 4, 4) from a cube of half a side 1 to the scene.
        states: (N,) PLAIN, SELECTED or ACTIVE.
        children: Number of the child node for each; 0 for own targets.
    """

    names: tuple[str, ...]
    matrices: np.ndarray
    states: tuple[int, ...]
    children: tuple[int, ...]

    @property
    def places(self) -> np.ndarray:
        """(N, 3) in the scene."""
        return self.matrices[:, :3, 3]

    @property
    def sizes(self) -> np.ndarray:
        """(N,) half sides of the cubes, in units of the scene."""
        return np.linalg.norm(self.matrices[:, :3, :3], axis=1).mean(axis=1)

    @property
    def key(self) -> Hashable:
        """Equal if nothing has changed."""
        return self.names, self.matrices.tobytes(), self.states, self.children


@dataclass(frozen=True, eq=False)
class PathSeen:
    """A motion in a space.

    Attributes:
        name: Of the path or branch.
        places: (F, 3) in the scene.
        span: First and last frame that are its own; a branch runs along its source elsewhere.
        is_branch: Made from another path.
        is_active: The one chosen in the panel.
        edits: Frame and place in the scene of the targets that change it.
    """

    name: str
    places: np.ndarray
    span: tuple[int, int]
    is_branch: bool
    is_active: bool
    edits: tuple[tuple[int, tuple[float, ...]], ...]


@dataclass(frozen=True, eq=False)
class SpaceSeen:
    """A node's control space.

    Attributes:
        owner: Whose tree it belongs to, as a number that stays the same while the file is open.
        owner_name: Its name.
        number: Of the node.
        name: Of the node.
        revision: Counts changes of the tree's poses.
        live: The cursors pose the rig.
        is_active: The node chosen in the panel.
        matrix: (4, 4) from the space to the scene.
        cursor: (3,) in the scene, or None.
        cursor_state: PLAIN, SELECTED or ACTIVE.
        follows: Name of the path that the cursor follows; empty if it is free.
        targets: What is blended.
        paths: Motions in it.
        place: (3,) where it is a target of its parent, in the scene; None at the top, or where that is hidden.
        ghost: (4, 4) of the suggested target, or None.
    """

    owner: int
    owner_name: str
    number: int
    name: str
    revision: int
    live: bool
    is_active: bool
    matrix: np.ndarray
    cursor: tuple[float, ...] | None
    cursor_state: int
    follows: str
    targets: TargetsSeen
    paths: tuple[PathSeen, ...]
    place: tuple[float, ...] | None
    ghost: np.ndarray | None

    @property
    def identity(self) -> tuple[int, int]:
        """Of the node among all trees."""
        return self.owner, self.number


_paths: Kept[np.ndarray] = Kept()


def forget() -> None:
    """Read everything anew: after undo and loading."""
    _paths.clear()


def spaces_seen(context: Context, owner_names: list[str]) -> list[SpaceSeen]:
    """All spaces to be shown in the context's view."""
    found: list[SpaceSeen] = []
    for name in owner_names:
        owner = context.scene.objects.get(name)
        if model.has_tree(owner):
            seeing = _Seeing.of(context, owner)
            found += [seeing.space(node) for node in model.shown_nodes(owner) if model.has_own(owner, node.space)]
    return found


@dataclass(frozen=True)
class _Seeing:
    """One look at a tree."""

    context: Context
    owner: Object
    selected: set[str]
    active: str

    @classmethod
    def of(cls, context: Context, owner: Object) -> _Seeing:
        chosen = context.view_layer.objects
        active = chosen.active
        return cls(context, owner, {each.name for each in chosen.selected}, "" if active is None else active.name)

    def space(self, node: MOTIONEDIT_PG_tree_node) -> SpaceSeen:
        """What is seen of a node."""
        tree, active = model.tree_of(self.owner), model.active_node(self.owner)
        cursor, place = node.cursor, node.place
        is_cursor_there = model.is_there(cursor) and self._is_visible(cursor)
        is_place_there = bool(node.parent) and model.is_there(place) and self._is_visible(place)
        targets = self._targets(node)
        return SpaceSeen(
            owner=self.owner.session_uid,
            owner_name=self.owner.name,
            number=node.number,
            name=node.name,
            revision=tree.revision,
            live=tree.live,
            is_active=active is not None and active.number == node.number,
            matrix=np.array(node.space.matrix_world),
            cursor=tuple(cursor.matrix_world.translation) if is_cursor_there else None,
            cursor_state=self._state(cursor.name) if is_cursor_there else PLAIN,
            follows=node.follow,
            targets=targets,
            paths=tuple(self._path(node, path) for path in saved_poses.sound_paths(self.owner, node)),
            place=tuple(place.matrix_world.translation) if is_place_there else None,
            ghost=self._ghost(node),
        )

    def _is_visible(self, thing: Object) -> bool:
        space: Any = self.context.space_data
        return thing.visible_get() if space is None else thing.visible_get(viewport=space)

    def _state(self, name: str) -> int:
        if name not in self.selected:
            return PLAIN
        return ACTIVE if name == self.active else SELECTED

    def _targets(self, node: MOTIONEDIT_PG_tree_node) -> TargetsSeen:
        things = () if node.collection is None else node.collection.objects
        own = [(n, each) for n, each in enumerate(things) if model.is_target(each, node) and self._is_visible(each)]
        children = [(c, p) for c, p in model.places_of_children(self.owner, node) if self._is_visible(p)]
        shown = [*(each for _n, each in own), *(place for _child, place in children)]
        cubes = [_cubes(things)[[n for n, _each in own]], *(_cube(place)[None] for _child, place in children)]
        return TargetsSeen(
            names=(*(each.name for _n, each in own), *(child.name for child, _place in children)),
            matrices=np.concatenate(cubes),
            states=tuple(self._state(each.name) for each in shown),
            children=(*(0 for _each in own), *(child.number for child, _place in children)),
        )

    def _ghost(self, node: MOTIONEDIT_PG_tree_node) -> np.ndarray | None:
        ghost = model.tree_of(self.owner).ghost
        if not model.has_own(self.owner, ghost) or ghost.motion_editing_control.node != node.number:
            return None
        return _cube(ghost) if self._is_visible(ghost) else None

    def _path(self, node: MOTIONEDIT_PG_tree_node, path: MOTIONEDIT_PG_tree_path) -> PathSeen:
        active = model.active_path(node)
        edits = [(each.motion_editing_control.frame, each) for each in model.edited_targets(node, path)]
        return PathSeen(
            name=path.name,
            places=self._places(node, path),
            span=model.span_of_path(path),
            is_branch=bool(path.source),
            is_active=active is not None and active.name == path.name,
            edits=tuple((frame, tuple(each.matrix_world.translation)) for frame, each in edits),
        )

    def _places(self, node: MOTIONEDIT_PG_tree_node, path: MOTIONEDIT_PG_tree_path) -> np.ndarray:
        """The same array while nothing changes."""
        matrix = np.array(node.space.matrix_world)
        name = f"{self.owner.session_uid} {node.number} {path.name}"
        key = model.tree_of(self.owner).revision, path.frames, matrix.tobytes()
        places = saved_poses.saved_path(self.owner, node, path).places
        return _paths.get(name, key, lambda: places @ matrix[:3, :3].T + matrix[:3, 3])


def _cubes(things: Any) -> np.ndarray:
    """(N, 4, 4) the same of many, read at once."""
    matrices, sizes = np.empty(16 * len(things), dtype=np.float32), np.empty(len(things), dtype=np.float32)
    if len(things):
        things.foreach_get("matrix_world", matrices)
        things.foreach_get("empty_display_size", sizes)
    cubes = matrices.reshape(-1, 4, 4).swapaxes(1, 2).copy()  # Blender gives columns
    cubes[:, :3, :3] *= sizes[:, None, None]
    return cubes


def _cube(thing: Object) -> np.ndarray:
    """(4, 4) from a cube of half a side 1 to the Empty as Blender draws it."""
    matrix = np.array(thing.matrix_world)
    matrix[:3, :3] *= thing.empty_display_size
    return matrix
