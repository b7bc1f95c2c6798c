"""Poses of targets and motions of paths as they are saved: checked, and kept at hand until the tree changes.

What cannot be read takes no part in anything; every message about it leads to Repair Tree, which takes
it away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import DamagedDataError, MotionEditError
from .. import model
from . import stored_poses
from .stored_poses import StoredPoses

if TYPE_CHECKING:
    from bpy.types import Object

    from ..settings import MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path


@dataclass(frozen=True, eq=False)
class SavedPath:
    """What a node's space needs of a path.

    Attributes:
        places: (F, 3) in the node's space.
        targets: (N,) frames that are targets of the space.
        poses: Of these frames.
    """

    places: np.ndarray
    targets: np.ndarray
    poses: StoredPoses


# Frames a second that no motion has any more.
_SLOWEST, _FASTEST = 1e-3, 1e5
# What was read, or why it cannot be, by what it belongs to; with the revision of the tree.
_at_hand: dict[Any, tuple[int, Any]] = {}


def forget() -> None:
    """Read everything anew."""
    _at_hand.clear()


def pose_of_target(owner: Object, target: Object) -> StoredPoses:
    """The pose of a target.

    Raises:
        MotionEditError: It is damaged.
    """
    found = _kept(owner, target.session_uid, lambda: stored_poses.load(target.motion_editing_control, 1))
    if isinstance(found, DamagedDataError):
        raise MotionEditError(f"The pose of '{target.name}' is damaged, {found}: use Repair Tree")
    pose: StoredPoses = found
    return pose


def saved_path(owner: Object, node: MOTIONEDIT_PG_tree_node, path: MOTIONEDIT_PG_tree_path) -> SavedPath:
    """A path with the poses that are targets.

    Raises:
        MotionEditError: It is damaged.
    """
    found = _kept(owner, (node.number, path.name), lambda: _read_path(path))
    if isinstance(found, DamagedDataError):
        raise MotionEditError(f"The path '{path.name}' is damaged, {found}: use Repair Tree")
    saved: SavedPath = found
    return saved


def poses_of_path(path: MOTIONEDIT_PG_tree_path) -> StoredPoses:
    """All poses of a path.

    Raises:
        MotionEditError: It is damaged.
    """
    try:
        return stored_poses.load(model.store_of_path(path), len(_places(path)))
    except DamagedDataError as error:
        raise MotionEditError(f"The path '{path.name}' is damaged, {error}: use Repair Tree") from error


def sound_targets(owner: Object, node: MOTIONEDIT_PG_tree_node) -> list[Object]:
    """Targets of a node whose poses can be read."""
    return [target for target in model.targets_of(node) if not _damage(pose_of_target, owner, target)]


def sound_paths(owner: Object, node: MOTIONEDIT_PG_tree_node) -> list[MOTIONEDIT_PG_tree_path]:
    """Paths of a node that can be read."""
    return [path for path in node.paths if not _damage(saved_path, owner, node, path)]


def damages(owner: Object, node: MOTIONEDIT_PG_tree_node) -> list[str]:
    """What is said about the targets and paths of a node that cannot be read."""
    found = [_damage(pose_of_target, owner, target) for target in model.targets_of(node)]
    found += [_damage(saved_path, owner, node, path) for path in node.paths]
    return [each for each in found if each]


def _damage(read: Callable[..., object], *arguments: object) -> str:
    try:
        read(*arguments)
    except MotionEditError as error:
        return str(error)
    return ""


def _kept(owner: Object, name: Any, read: Callable[[], Any]) -> Any:
    """What was read of this state of the tree; an error is kept as well."""
    key, revision = (owner.session_uid, name), model.tree_of(owner).revision
    if key not in _at_hand or _at_hand[key][0] != revision:
        try:
            _at_hand[key] = revision, read()
        except DamagedDataError as error:
            _at_hand[key] = revision, error
    return _at_hand[key][1]


def _read_path(path: MOTIONEDIT_PG_tree_path) -> SavedPath:
    places = _places(path)
    targets = np.unique(model.target_frames_of_path(path))
    if not ((targets >= 0) & (targets < len(places))).all():
        raise DamagedDataError("its targets are no frames of it")
    poses = stored_poses.load(model.store_of_path(path), len(places))
    return SavedPath(places, targets, poses.chosen(targets))


def _places(path: MOTIONEDIT_PG_tree_path) -> np.ndarray:
    places = model.places_of_path(path)
    if not len(places) or path.frames != len(places):
        raise DamagedDataError(f"it has {len(places)} places for {path.frames} frames")
    if not (is_speed(path.rate) and is_speed(path.step)):
        raise DamagedDataError("it has no speed")
    return places


def is_speed(value: float) -> bool:
    """Whether frames a second, or frames from one to the next, are such as motions have; not a number is none."""
    return _SLOWEST < value < _FASTEST
