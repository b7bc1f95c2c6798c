"""A tree's spaces solved, and kept until a place or a pose changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import MotionEditError
from ....core.pose_tree import ControlPath, Node, PoseTree
from ...border.armature import PLACEMENT, skeleton_of
from .. import model
from ..poses import saved_poses, stored_poses
from ..poses.rig import has_scalar

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Object

    from ....core.motion import Skeleton
    from ..poses.stored_poses import FittedPoses, StoredPoses
    from ..settings import MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path

# Part of a path's extent within which a target lies on it; Blender's numbers have seven digits.
_SAME_PLACE = 1e-5


@dataclass(eq=False)
class Solved:
    """A tree ready to be evaluated.

    Attributes:
        key: What it was solved from.
        tree: Nodes are named by their numbers; a space's targets are a node's own Empties, then
            frames of its paths, then its children.
        skeleton: Of the owner.
        scalar_names: Of all poses.
        targets: For each node the names of its own Empties.
        rows: For each node (path, frame) of the targets that are frames of paths.
        missing: Bones and channels of poses that the owner has no longer.
        crowded: Names of targets that share a place, and so count as their mean.
        damages: What is said about targets and paths that cannot be read and take no part.
        paths: Paths that were looked at, by node and name.
    """

    key: Any
    tree: PoseTree
    skeleton: Skeleton
    scalar_names: tuple[str, ...]
    targets: dict[int, list[str]]
    rows: dict[int, list[tuple[str, int]]]
    missing: tuple[str, ...]
    crowded: tuple[tuple[str, ...], ...]
    damages: tuple[str, ...]
    paths: dict[tuple[int, str], ControlPath] = field(default_factory=dict)


_solved: dict[int, Solved] = {}
_poses: dict[int, _Poses] = {}


def forget() -> None:
    """Solve everything anew when it is asked for next: after undo, loading, disabling."""
    _solved.clear()
    _poses.clear()


def solved(owner: Object) -> Solved:
    """The tree's solution, from memory if nothing has changed.

    Raises:
        MotionEditError: No node has poses, or the nodes are no tree.
    """
    key = _key(owner)
    known = _solved.get(owner.session_uid)
    if known is None or known.key != key:
        known = _solve(owner, key)
        _solved[owner.session_uid] = known
    return known


def _key(owner: Object) -> Any:
    """What decides about the solution, read in as few steps as possible: it is asked for at every move."""
    tree = model.tree_of(owner)
    bones = tuple(owner.data.bones.keys()) if owner.pose else ()
    return tree.revision, bones, tuple(_key_of_node(node) for node in tree.nodes)


def _key_of_node(node: MOTIONEDIT_PG_tree_node) -> Any:
    # Whether they are in a scene is not asked here, which takes as long as all the rest.
    whole = node.cursor is not None and node.space is not None and (not node.parent or node.place is not None)
    if node.collection is None:
        return node.number, node.parent
    things = node.collection.objects
    places = np.empty(3 * len(things), dtype=np.float32)
    things.foreach_get("location", places)
    return node.number, node.parent, whole, places.tobytes()


# Solving


@dataclass(frozen=True, eq=False)
class _Poses:
    """Poses of all nodes, which stay the same while targets are moved."""

    key: Any
    skeleton: Skeleton
    scalar_names: tuple[str, ...]
    fitted: dict[int, FittedPoses]


def _solve(owner: Object, key: Any) -> Solved:
    layouts = {node.number: _Layout.of(node) for node in _usable(owner)}
    if not layouts:
        raise MotionEditError(_why_unusable(owner))
    poses = _known_poses(owner, (*key[:2], tuple(each.identity for each in layouts.values())), layouts)
    tree = PoseTree([_node(owner, number, layouts, poses.fitted[number]) for number in layouts])
    targets = {number: layout.targets for number, layout in layouts.items()}
    return Solved(
        key,
        tree,
        poses.skeleton,
        poses.scalar_names,
        targets,
        {number: layout.rows for number, layout in layouts.items()},
        tuple(dict.fromkeys(name for each in poses.fitted.values() for name in each.missing)),
        _crowded(tree, targets),
        tuple(_damages(owner)),
    )


def _why_unusable(owner: Object) -> str:
    """Why no node of a tree can be evaluated, with the way out."""
    broken = filter(None, (model.damage_of(owner, node) for node in model.tree_of(owner).nodes))
    empty = f"The pose tree of '{owner.name}' has no poses: pose the rig and use Add Pose"
    return next(broken, None) or next(_damages(owner), empty)


def _damages(owner: Object) -> Iterator[str]:
    for node in model.tree_of(owner).nodes:
        yield from saved_poses.damages(owner, node)


def _known_poses(owner: Object, key: Any, layouts: dict[int, _Layout]) -> _Poses:
    """The poses from memory, or read and fitted to the bones that there are."""
    known = _poses.get(owner.session_uid)
    if known is None or known.key != key:
        skeleton = skeleton_of(owner)
        parts = {number: _stored(owner, number, layout) for number, layout in layouts.items()}
        every = [part for each in parts.values() for part in each]
        names = tuple(name for name in stored_poses.all_scalars(every) if has_scalar(owner, name))
        fitted = {
            number: stored_poses.fitted(owner, each, skeleton=skeleton, scalar_names=names)
            for number, each in parts.items()
        }
        known = _Poses(key, skeleton, names, fitted)
        _poses[owner.session_uid] = known
    return known


def _usable(owner: Object) -> list[MOTIONEDIT_PG_tree_node]:
    """Nodes that can be evaluated: nothing of them is gone, and they or their children have poses."""
    sound = [node for node in model.tree_of(owner).nodes if model.problem_of(owner, node) is None]
    while True:
        numbers = {node.number for node in sound}
        kept = [node for node in sound if _has_poses(node) or any(each.parent == node.number for each in sound)]
        kept = [node for node in kept if not node.parent or node.parent in numbers]
        if len(kept) == len(sound):
            return sound
        sound = kept


def _has_poses(node: MOTIONEDIT_PG_tree_node) -> bool:
    return bool(saved_poses.sound_paths(node.id_data, node) or saved_poses.sound_targets(node.id_data, node))


@dataclass(frozen=True, eq=False)
class _Layout:
    """Which targets a node has, and where."""

    number: int
    targets: list[str]
    rows: list[tuple[str, int]]
    places: np.ndarray

    @classmethod
    def of(cls, node: MOTIONEDIT_PG_tree_node) -> _Layout:
        owner = node.id_data
        targets = saved_poses.sound_targets(owner, node)
        places = [place_in(node, target) for target in targets]
        rows: list[tuple[str, int]] = []
        for path in saved_poses.sound_paths(owner, node):
            saved = saved_poses.saved_path(owner, node, path)
            frames = np.setdiff1d(saved.targets, _replaced_frames(node, path, saved.places))
            places += list(saved.places[frames])
            rows += [(path.name, int(frame)) for frame in frames]
        return cls(node.number, [target.name for target in targets], rows, np.reshape(places, (-1, 3)))

    @property
    def identity(self) -> Any:
        """All but the places."""
        return self.number, tuple(self.targets), tuple(self.rows)


def _stored(owner: Object, number: int, layout: _Layout) -> list[StoredPoses]:
    node = model.known_node(owner, number)
    parts = [saved_poses.pose_of_target(owner, target) for target in saved_poses.sound_targets(owner, node)]
    for path in saved_poses.sound_paths(owner, node):
        saved = saved_poses.saved_path(owner, node, path)
        frames = [frame for name, frame in layout.rows if name == path.name]
        parts.append(saved.poses.chosen(np.searchsorted(saved.targets, frames)))
    return parts


def _replaced_frames(node: MOTIONEDIT_PG_tree_node, path: MOTIONEDIT_PG_tree_path, places: np.ndarray) -> list[int]:
    """Frames at whose place there is a target of the user's with another pose: two at one place would be mixed."""
    extent = float(np.ptp(places, axis=0).max()) or 1.0
    edited = {target.motion_editing_control.frame: target for target in model.edited_targets(node, path)}
    return [
        frame
        for frame, target in edited.items()
        if frame < len(places) and np.abs(place_in(node, target) - places[frame]).max() < _SAME_PLACE * extent
    ]


def _node(owner: Object, number: int, layouts: dict[int, _Layout], fitted: FittedPoses) -> Node:
    node = model.known_node(owner, number)
    owned = {each.name for each in node.owned} | {PLACEMENT}
    limit = np.array([not node.limited or name in owned for name in fitted.names], dtype=np.bool_)
    joints, scalars = np.split(limit, [len(fitted.poses.skeleton)])
    inside = node.parent in layouts
    return Node(
        name=str(number),
        places=layouts[number].places,
        poses=fitted.poses,
        held=fitted.held & joints,
        held_scalars=fitted.held_scalars & scalars,
        owned=joints,
        owned_scalars=scalars,
        parent=str(node.parent) if inside else None,
        place_in_parent=place_in(model.known_node(owner, node.parent), node.place) if inside else (0.0, 0.0, 0.0),
    )


# Places


def place_in(node: MOTIONEDIT_PG_tree_node, thing: Object, depsgraph: Depsgraph | None = None) -> np.ndarray:
    """(3,) where an object is in a node's space.

    Its own location is taken where that says it all, which is exact; else where it is in the scene.

    Raises:
        MotionEditError: Its location is not a number.
    """
    place = _place_in(node, thing, depsgraph)
    if not np.isfinite(place).all():
        raise MotionEditError(f"'{thing.name}' is nowhere, its location is not a number: clear its location (Alt G)")
    return place


def _place_in(node: MOTIONEDIT_PG_tree_node, thing: Object, depsgraph: Depsgraph | None) -> np.ndarray:
    seen = thing if depsgraph is None else thing.evaluated_get(depsgraph)
    if thing.parent == node.space and not len(thing.constraints) and thing.matrix_parent_inverse.is_identity:
        return np.array(seen.location, dtype=np.float64)
    space = node.space if depsgraph is None else node.space.evaluated_get(depsgraph)
    return np.array(space.matrix_world.inverted_safe() @ seen.matrix_world.translation, dtype=np.float64)


def neighbours_at_one_place(owner: Object, name: str) -> str:
    """Names of what shares the place of a target, to be read; empty if nothing does."""
    for group in solved(owner).crowded:
        if name in group:
            others = [f"'{other}'" for other in group if other != name]
            return ", ".join(others) or "a frame of a path or the place of a node"
    return ""


def _crowded(tree: PoseTree, targets: dict[int, list[str]]) -> tuple[tuple[str, ...], ...]:
    """Names of the user's targets that share a place, by groups."""
    groups = [
        tuple(targets[int(name)][number] for number in group if number < len(targets[int(name)]))
        for name, space in tree.spaces.items()
        for group in space.merged
    ]
    return tuple(group for group in groups if group)
