"""A solved tree evaluated where the cursors are, and how much of every target is in the blend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion, chosen
from ....core.pose_tree import ControlPath
from ...border.armature import PLACEMENT, pose_bones
from .. import model
from ..poses import saved_poses, stored_poses
from ..poses.rig import RigPose, write_rig
from .solution import Solved, place_in, solved

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Object

    from ..settings import MOTIONEDIT_PG_tree_node, MOTIONEDIT_PG_tree_path


def pose_rig(owner: Object, depsgraph: Depsgraph | None = None) -> str:
    """Pose the rig by where the cursors are now; gives what is odd about the tree, if anything is.

    Raises:
        MotionEditError: The tree cannot be evaluated.
    """
    known = solved(owner)
    write_rig(owner, put_together(known, blended(owner, known, cursor_states(owner, known, depsgraph))))
    if known.damages:
        return known.damages[0]
    crowded = known.crowded
    return f"{', '.join(crowded[0])} share a place and are mixed: move one of them" if crowded else ""


# Cursors


@dataclass(frozen=True, eq=False)
class CursorStates:
    """Where the cursors are at some moments.

    Attributes:
        places: For each node (M, 3) of its cursor.
        path_frames: For each node that follows a path (M,) how far along.
    """

    places: dict[int, np.ndarray]
    path_frames: dict[int, np.ndarray]


def cursor_states(owner: Object, known: Solved, depsgraph: Depsgraph | None = None) -> CursorStates:
    """Where all cursors are now."""
    places, path_frames = {}, {}
    for name in known.tree.order:
        node = model.known_node(owner, int(name))
        places[node.number] = place_in(node, node.cursor, depsgraph)[None]
        if model.path_by_name(node, node.follow) is not None:
            path_frames[node.number] = np.array([_path_frame(node, depsgraph)])
    return CursorStates(places, path_frames)


def _path_frame(node: MOTIONEDIT_PG_tree_node, depsgraph: Depsgraph | None) -> float:
    seen = node.cursor if depsgraph is None else node.cursor.evaluated_get(depsgraph)
    frame = float(seen.motion_editing_control.path_frame)
    if not np.isfinite(frame):
        raise MotionEditError(f"'{node.cursor.name}' is nowhere on its path: set its Path Frame, or use Leave Path")
    return frame


# Blending


def blended(owner: Object, known: Solved, states: CursorStates) -> dict[int, Motion]:
    """What every node gives at M moments: the blend at its cursor, or the poses of the path it follows."""
    poses: dict[int, Motion] = {}
    for name in known.tree.order:
        number = int(name)
        if number in states.path_frames:
            poses[number] = _followed(owner, known, number, states.path_frames[number])
        else:
            children = [poses[int(child)] for child in known.tree.children(name)]
            poses[number] = known.tree.spaces[name].at(states.places[number], moving_poses=children)
    return poses


def _followed(owner: Object, known: Solved, number: int, path_frames: np.ndarray) -> Motion:
    node = model.known_node(owner, number)
    motion = path_of(owner, known, node, model.known_path(node, node.follow)).motion
    played = motion.at(path_frames / motion.rate)
    # Times count moments, not the path's own time: several nodes are put together.
    return chosen(played, np.arange(len(played)))


def path_of(owner: Object, known: Solved, node: MOTIONEDIT_PG_tree_node, path: MOTIONEDIT_PG_tree_path) -> ControlPath:
    """A path of a node with the owner's bones."""
    key = node.number, path.name
    if key not in known.paths:
        places = saved_poses.saved_path(owner, node, path).places
        fitted = stored_poses.fitted(
            owner,
            [saved_poses.poses_of_path(path)],
            skeleton=known.skeleton,
            scalar_names=known.scalar_names,
            rate=path.rate,
        )
        known.paths[key] = ControlPath(fitted.poses, places)
    return known.paths[key]


def put_together(known: Solved, poses: dict[int, Motion]) -> RigPose:
    """What the nodes at the top give, one after the other, with what of it counts."""
    tops = known.tree.tops
    result = poses[int(tops[0])]
    joints, scalars = _driven(known, tops[0])
    for name in tops[1:]:
        other, (more, more_scalars) = poses[int(name)], _driven(known, name)
        result = _with_joints(result, other, more, more_scalars)
        joints, scalars = joints | more, scalars | more_scalars
    return RigPose(result, joints, scalars)


def driven(owner: Object) -> tuple[set[str], set[str]]:
    """Names of the bones and scalars that the tree drives."""
    known = solved(owner)
    parts = [_driven(known, name) for name in known.tree.tops]
    joints, scalars = (np.logical_or.reduce(each) for each in zip(*parts, strict=True))
    bones = {bone.name for bone in pose_bones(owner)}
    names = np.array(known.skeleton.names)[joints]
    return bones & set(names.tolist()), {known.scalar_names[number] for number in np.flatnonzero(scalars)}


def _driven(known: Solved, name: str) -> tuple[np.ndarray, np.ndarray]:
    """(J,) joints and (S,) scalars that a node at the top poses; never where the object itself is."""
    space, node = known.tree.spaces[name], known.tree.nodes[name]
    joints = np.logical_and(space.joints, node.owned)
    joints[[number for number, joint in enumerate(known.skeleton.names) if joint == PLACEMENT]] = False
    return joints, np.logical_and(space.scalars, node.owned_scalars)


def _with_joints(motion: Motion, other: Motion, joints: np.ndarray, scalars: np.ndarray) -> Motion:
    of_joint = joints[None, :, None]
    return (
        motion.with_rotations(np.where(of_joint, other.rotations, motion.rotations))
        .with_locations(np.where(of_joint, other.locations, motion.locations))
        .with_scales(np.where(of_joint, other.scales, motion.scales))
        .with_scalars(np.where(scalars[None], other.scalars, motion.scalars))
    )


# Weights


@dataclass(frozen=True, eq=False)
class BlendWeights:
    """How much of every target is in a node's blend; all together are one.

    Attributes:
        targets: By the name of the target's Empty.
        children: By the number of the child node.
        path_frames: By path and frame.
    """

    targets: dict[str, float]
    children: dict[int, float]
    path_frames: dict[tuple[str, int], float]


def weights_of(owner: Object, node: MOTIONEDIT_PG_tree_node, depsgraph: Depsgraph | None = None) -> BlendWeights | None:
    """The weights where a node's cursor is now; None for a node that is broken or empty."""
    known = solved(owner)
    name = str(node.number)
    if name not in known.tree.spaces:
        return None
    weights = known.tree.spaces[name].weights(place_in(node, node.cursor, depsgraph)).tolist()
    targets, rows = known.targets[node.number], known.rows[node.number]
    children = [int(child) for child in known.tree.children(name)]
    own, of_rows = len(targets), len(targets) + len(rows)
    return BlendWeights(
        dict(zip(targets, weights[:own], strict=True)),
        dict(zip(children, weights[of_rows:], strict=True)),
        dict(zip(rows, weights[own:of_rows], strict=True)),
    )
