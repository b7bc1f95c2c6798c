"""Motions in a space: embedded as paths, edited as branches, mixed, and followed by the cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ...core.pose_tree import (
    ControlPath,
    Edits,
    blend_paths,
    blended_branch,
    displaced_branch,
    embed_along_joint,
    embed_by_variance,
)
from ..border.action_io import Property
from ..border.action_io.any_frames import key_property, keyed_frames
from ..border.saved_state import PATH, put
from ..border.translation import counted_text, report_text
from ..document import transaction
from . import model
from .poses import capture, saved_poses, stored_poses
from .solution.evaluation import path_of
from .solution.solution import place_in, solved

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..border.action_io import Clip
    from ..border.steps import Steps
    from .poses.stored_poses import StoredPoses
    from .settings import MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path

# Below this part of a path's extent a branch lies on its source.
_APART = 1e-6
# How far along its path a cursor is.
_PROGRESS = "motion_editing_control.path_frame"


# Keeping paths


def keep(
    owner: Object, number: int, name: str, path: ControlPath, targets: np.ndarray, poses: StoredPoses | None = None
) -> MOTIONEDIT_PG_tree_path:
    """Save a path with a node under a name that is not yet used there, and make it active.

    Args:
        number: Of the node.
        name: Wanted name.
        targets: Frames that are targets of the node's space.
        poses: Of the path, if not all that its motion has.
    """
    node = model.known_node(owner, number)
    free = _free_name(node, name)
    item = node.paths.add()
    item.name, item.frames, item.rate = free, len(path.motion), path.motion.rate
    item.store = bpy.data.meshes.new(f"{owner.name} {free} Poses")
    stored_poses.save(item.store, stored_poses.stored(path.motion) if poses is None else poses)
    put(item.store, PATH, {"places": np.asarray(path.places), "targets": np.asarray(targets, dtype=np.int32)})
    node.active_path = len(node.paths) - 1
    return item


def _free_name(node: MOTIONEDIT_PG_tree_node, name: str) -> str:
    used = {path.name for path in node.paths}
    numbered = (f"{name}.{number:03d}" for number in range(1, len(used) + 2))
    return name if name not in used else next(each for each in numbered if each not in used)


# Embedding


def _along_bone(context: Context, number: int, clip: Clip, action: str, bone: str) -> Steps[ControlPath]:
    """The path of a bone through the scene as seen from a node's space; rigs with constraints are sampled."""
    if not bone:
        raise MotionEditError("Choose the bone whose path it is, or make it the active one in pose mode")
    positions = yield from capture.joints_in_action(context, clip, action)
    path = embed_along_joint(clip.motion, bone, positions=positions)
    node = model.known_node(clip.armature, number)
    context.view_layer.update()
    to_space = np.array(node.space.matrix_world.inverted_safe(), dtype=np.float64)
    return replace(path, places=path.places @ to_space[:3, :3].T + to_space[:3, 3])


def embed_action(
    context: Context,
    owner: Object,
    number: int,
    action: str,
    *,
    span: tuple[float | None, float | None],
    layout: str,
    size: float,
    bone: str,
    count: int,
) -> Steps[MOTIONEDIT_PG_tree_path]:
    """Keep an action's motion as a path of a node, some of its frames as targets; the tree changes at the end.

    Args:
        context: For the scene, where rigs with constraints are sampled.
        number: Of the node.
        span: First and last frame; the action's own where there is None.
        layout: VARIANCE_2D, VARIANCE_3D or JOINT.
        size: Extent of the path in units of the space, for the first two.
        bone: Whose path it is, for the last one.
        count: Most frames that become targets.
    """
    clip = capture.read_action(context, owner, action, first=span[0], last=span[1])
    yield 0.0
    if layout == "JOINT":
        path = yield from _along_bone(context, number, clip, action, bone)
    else:
        path = embed_by_variance(clip.motion, dimensions=2 if layout == "VARIANCE_2D" else 3, size=size)
        yield 0.4
    targets = path.thinned(count)  # before the times change: the joints' places are known for this very motion
    yield 0.7
    motion = replace(clip.motion, times=np.arange(len(clip.motion)) / clip.motion.rate)
    poses = capture.poses_of(owner, motion)
    yield 0.9
    item = keep(owner, number, action, replace(path, motion=motion), targets, poses)
    item.step = float(np.ptp(clip.frames)) / (len(clip.frames) - 1) if len(clip.frames) > 1 else 1.0
    return item


# Branches


def make_branch(
    owner: Object, number: int, name: str, *, method: str, margin: int, count: int
) -> MOTIONEDIT_PG_tree_path:
    """A branch of a path that meets all targets placed on its frames.

    Args:
        number: Of the node.
        name: Of the path.
        method: DISPLACEMENT or BLEND.
        margin: Frames before the first and after the last edit over which the change comes and goes.
        count: Most frames of the branch that become targets.
    """
    node = model.known_node(owner, number)
    source = model.known_path(node, name)
    path = path_of(owner, solved(owner), node, source)
    edits = _edits(owner, node, source)
    frames = edits.frames
    start, end = _span(frames, margin, len(path.motion))
    if method == "DISPLACEMENT":
        branch = displaced_branch(path, edits, start=start, end=end)
    else:
        thinned = saved_poses.saved_path(owner, node, source).targets
        branch = blended_branch(path, edits, start=start, end=end, targets=np.setdiff1d(thinned, frames))
    item = keep(owner, number, f"{name} Branch", branch, _own_frames(path, branch, frames, count))
    item.source, item.start, item.end = name, max(0, start), min(end, len(path.motion) - 1)
    item.step = model.known_path(node, name).step
    return item


def _span(frames: np.ndarray, margin: int, count: int) -> tuple[int, int]:
    """Frames beside the edited ones that stay as they are; past the path's ends if those themselves were edited."""
    first, last = int(frames[0]), int(frames[-1])
    return max(0, first - margin) if first > 0 else -1, min(count - 1, last + margin) if last < count - 1 else count


def _edits(owner: Object, node: MOTIONEDIT_PG_tree_node, source: MOTIONEDIT_PG_tree_path) -> Edits:
    """The poses that were picked from a path and changed."""
    known, targets = solved(owner), model.edited_targets(node, source)
    if not targets:
        raise MotionEditError(
            f"No pose of '{source.name}' was edited: use Pick Pose on Path, change the rig, use Replace Pose"
        )
    frames = np.array([target.motion_editing_control.frame for target in targets])
    if (np.diff(frames) == 0).any():
        raise MotionEditError("Two targets change the same frame: delete one of them, or give it another frame")
    parts = [saved_poses.pose_of_target(owner, target) for target in targets]
    fitted = stored_poses.fitted(
        owner, parts, skeleton=known.skeleton, scalar_names=known.scalar_names, rate=source.rate
    )
    return Edits(frames, fitted.poses, np.array([place_in(node, target) for target in targets]))


def _own_frames(path: ControlPath, branch: ControlPath, edited: np.ndarray, count: int) -> np.ndarray:
    """Frames of a branch that may be targets: those beside its source that are no targets already."""
    extent = float(np.ptp(path.places, axis=0).max()) or 1.0
    apart = np.flatnonzero(np.abs(branch.places - path.places).max(axis=1) > _APART * extent)
    return np.setdiff1d(np.intersect1d(branch.thinned(count), apart), edited)


def mix_branches(owner: Object, number: int, shares: dict[str, float], *, count: int) -> MOTIONEDIT_PG_tree_path:
    """A mixture of paths of the same length as a new branch of the first one."""
    known, node = solved(owner), model.known_node(owner, number)
    items = [model.known_path(node, name) for name in shares]
    for name, item in zip(shares, items, strict=True):
        if item.frames != items[0].frames:
            told = "'{path}' has {frames}, '{other}' has {count}: only paths of one length can be mixed"
            other = {"other": items[0].name, "count": items[0].frames}
            raise MotionEditError(report_text(told, path=name, frames=counted_text(item.frames, "frame"), **other))
    paths = [path_of(owner, known, node, item) for item in items]
    mixed = blend_paths(paths, list(shares.values()))
    first = items[0].name
    item = keep(owner, number, f"{first} Mix", mixed, _own_frames(paths[0], mixed, np.array([], dtype=np.intp), count))
    item.source, item.start, item.end = first, 0, len(mixed.motion) - 1
    item.step = model.known_path(node, first).step
    return item


# Frames of paths


def nearest_frame(path: ControlPath, place: np.ndarray) -> int:
    """The frame whose place is nearest."""
    return int(np.argmin(((path.places - place) ** 2).sum(axis=1)))


def check_pick(node: MOTIONEDIT_PG_tree_node, path: MOTIONEDIT_PG_tree_path, frame: int) -> None:
    """A frame can be picked once, and only if there is one.

    Raises:
        MotionEditError: Otherwise.
    """
    if frame >= path.frames:
        raise MotionEditError(f"'{path.name}' has frames 0 to {path.frames - 1}, and no frame {frame}")
    for target in model.edited_targets(node, path):
        if target.motion_editing_control.frame == frame:
            raise MotionEditError(f"Frame {frame} of '{path.name}' is picked already: change '{target.name}'")


def follow(owner: Object, number: int, name: str, *, first_frame: float, speed: float, reverse: bool) -> int:
    """Key a node's cursor along a path, so that it plays the path's own poses; gives the last frame.

    Args:
        number: Of the node.
        name: Of the path.
        first_frame: Scene frame at which it begins.
        speed: 1 plays it as fast as the action that was embedded: then one frame of the path passes in a frame,
            unless the action's samples lie between frames.
        reverse: From the path's end to its beginning.
    """
    known, node = solved(owner), model.known_node(owner, number)
    item = model.known_path(node, name)
    path = path_of(owner, known, node, item)
    last, speed = len(path.motion) - 1, speed / item.step
    # The last key is on the path's end, also where that lies between two frames.
    along = np.minimum(speed * np.arange(int(np.ceil(last / speed - 1e-6)) + 1), last)
    along = last - along if reverse else along
    frames = first_frame + np.arange(len(along))
    places, progress = (Property(node.cursor, *each) for each in (("location", 3), (_PROGRESS, 1)))
    # What the cursor followed before ends here, also where that took longer.
    before = keyed_frames(progress)
    with transaction.edit(node.cursor):
        key_property(places, frames, path.places_at(along / path.motion.rate), instead_of=before)
        key_property(progress, frames, along[:, None], instead_of=before)
    node.follow = name
    return int(frames[-1])
