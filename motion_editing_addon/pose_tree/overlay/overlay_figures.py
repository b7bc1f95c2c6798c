"""Miniatures of poses: flat stick figures of height 1 that stand on (0, 0), whatever the view is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.analysis import best_view, head_joint, screen_axes
from ....core.timeline.pose_picture import figure_of
from ...border.armature import skeleton_of
from ..poses import saved_poses, stored_poses

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import Motion
    from ..poses.stored_poses import FittedPoses
    from ..settings import MOTIONEDIT_PG_tree_node

_UP = np.array([0.0, 0.0, 1.0])
_HEAD_RADIUS, _HEAD_CORNERS = 0.075, 12


@dataclass(frozen=True, eq=False)
class Miniatures:
    """The figures of a node's targets.

    Attributes:
        lines: (K, L, 2, 2) ends of all lines; the tallest pose is one unit high.
        clear: (L,) lines that the node poses; the others only complete the figure.
        number: Row of each target by its name.
    """

    lines: np.ndarray
    clear: np.ndarray
    number: dict[str, int]


def miniatures(owner: Object, node: MOTIONEDIT_PG_tree_node) -> Miniatures | None:
    """Figures of all own targets of a node; None for what has no bones."""
    targets = saved_poses.sound_targets(owner, node)
    if not owner.pose or not targets:
        return None
    parts = [saved_poses.pose_of_target(owner, target) for target in targets]
    fitted = stored_poses.fitted(owner, parts, skeleton=skeleton_of(owner))
    numbers = {target.name: number for number, target in enumerate(targets)}
    return _drawn(fitted, _posed_joints(node, fitted), numbers)


def _posed_joints(node: MOTIONEDIT_PG_tree_node, fitted: FittedPoses) -> np.ndarray:
    names, owned = fitted.poses.skeleton.names, {each.name for each in node.owned}
    limit = np.array([not node.limited or name in owned for name in names], dtype=bool)
    return limit & fitted.held.any(axis=0)


def _drawn(fitted: FittedPoses, posed: np.ndarray, numbers: dict[str, int]) -> Miniatures | None:
    figure = figure_of(fitted.poses, _UP)
    if not figure.segments:
        return None
    to_view, joints = _view(fitted.poses), len(posed)
    flat = figure.points @ to_view
    lines = np.stack([flat[:, [s.start for s in figure.segments]], flat[:, [s.end for s in figure.segments]]], axis=2)
    # A line is posed by the bone it belongs to: the joint at its beginning.
    clear = posed[[segment.start % joints for segment in figure.segments]]
    if figure.head is not None:
        lines = np.concatenate([lines, _heads(figure.head @ to_view, figure.height)], axis=1)
        clear = np.concatenate([clear, np.full(_HEAD_CORNERS, posed[head_joint(fitted.poses.skeleton)])])
    return _standing(lines, clear, numbers)


def _view(poses: Motion) -> np.ndarray:
    """(3, 2) to the right and up, from where the limbs spread most; the same for all, so that they compare."""
    right, up, _towards = screen_axes(best_view(poses, up=_UP), _UP)
    return np.stack([right, up], axis=1)


def _heads(centres: np.ndarray, height: float) -> np.ndarray:
    """(K, C, 2, 2) circles."""
    angles = np.arange(_HEAD_CORNERS) * (2.0 * np.pi / _HEAD_CORNERS)
    rim = centres[:, None] + _HEAD_RADIUS * height * np.column_stack([np.cos(angles), np.sin(angles)])
    return np.stack([rim, np.roll(rim, -1, axis=1)], axis=2)


def _standing(lines: np.ndarray, clear: np.ndarray, numbers: dict[str, int]) -> Miniatures:
    """The figures moved to (0, 0) and scaled together."""
    lowest, highest = lines.min(axis=(1, 2)), lines.max(axis=(1, 2))
    middle = 0.5 * (lowest + highest)
    foot = np.column_stack([middle[:, 0], lowest[:, 1]])
    tallest = float((highest - lowest)[:, 1].max()) or 1.0
    placed = (lines - foot[:, None, None]) / tallest
    return Miniatures(placed, clear, numbers)
