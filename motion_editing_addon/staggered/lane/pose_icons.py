"""Poses as small figures: for the strip as lines, for the list as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.analysis import best_view, points_of, screen_axes
from ...border.armature import why_sampled
from ...document import scope
from ...document.character.saved_body import body_of

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..session import Session

# Bones shorter than this share of the figure are not drawn: fingers would be a blot.
_SHORTEST = 0.035


def icons_of(context: Context, armature: Object, saved: Session) -> tuple[np.ndarray, ...]:
    """For every shown pose (S, 2, 2): ends of lines across and up, about 1 high, standing at (0, 0).

    None for rigs whose constraints pose them: to see them each pose would have to be played.
    """
    if why_sampled(armature) is not None:
        return ()
    motion = scope.read_clip(context, armature).motion
    frames = np.searchsorted(motion.times, saved.table.times[saved.table.shown] - 0.5 / motion.rate)
    frames = np.clip(frames, 0, len(motion) - 1)
    up = body_of(armature).up
    vertical = (0.0, 0.0, 1.0) if up is None else up.vector
    right, top, _towards = screen_axes(best_view(motion, up=vertical), vertical)
    points = points_of(motion)[frames] @ np.stack([right, top], axis=1)
    tall = float(np.percentile(np.ptp(points[..., 1], axis=1), 90)) or 1.0
    bones = _bones(motion.skeleton, points, tall)
    middles = 0.5 * (points[..., 0].min(axis=1) + points[..., 0].max(axis=1))
    grounds = points[..., 1].min(axis=1)
    placed = (points - np.stack([middles, grounds], axis=1)[:, None]) / tall
    return tuple(placed[:, bones])


def _bones(skeleton: Any, points: np.ndarray, tall: float) -> np.ndarray:
    """(S, 2) numbers of points that lines join: joints to those above them, and last joints to their tips."""
    count = len(skeleton)
    first = 1 if skeleton.has_placement else 0
    lines = [(int(skeleton.parents[j]), j) for j in range(count) if skeleton.parents[j] >= first]
    lines += [(j, count + j) for j in range(first, count) if not skeleton.children[j]]
    pairs = np.array(lines, dtype=np.intp).reshape(-1, 2)
    lengths = np.linalg.norm(points[:, pairs[:, 1]] - points[:, pairs[:, 0]], axis=-1).max(axis=0)
    drawn: np.ndarray = pairs[lengths > _SHORTEST * tall]
    return drawn


def pixels_of(icon: np.ndarray, size: int) -> np.ndarray:
    """(size, size, 4) picture of a figure's lines (S, 2, 2), white, from the lowest row up."""
    low, high = icon.reshape(-1, 2).min(axis=0), icon.reshape(-1, 2).max(axis=0)
    scale = (size - 4.0) / max(float((high - low).max()), 1e-6)
    ends = (icon - 0.5 * (low + high)) * scale + 0.5 * size
    row, column = np.mgrid[0:size, 0:size] + 0.5
    pixels = np.stack([column, row], axis=-1)[:, :, None]
    start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
    squared = np.maximum((along**2).sum(axis=1), 1e-9)
    share = np.clip(((pixels - start) * along).sum(axis=-1) / squared, 0.0, 1.0)
    away = np.linalg.norm(start + share[..., None] * along - pixels, axis=-1).min(axis=-1, initial=size)
    picture = np.ones((size, size, 4), dtype=np.float32)
    picture[..., 3] = np.clip(1.6 - away, 0.0, 1.0)
    return picture
