"""Where the knots and lines of staggered poses lie in their lane, and what is near the mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .stagger_data import CandidateItem, StaggerItem

if TYPE_CHECKING:
    from ...interface.drawing.shapes import Placement
    from .stagger_data import StaggerLaneData

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

# Pixels at a UI scale of 1.
NAMES_HEIGHT, ICONS_HEIGHT, FOOT = 17.0, 34.0, 2.0
_LEAST_ROW, _MOST_ROW, _FOR_EACH_JOINT, _ROW_MARGIN = 16.0, 32.0, 5.0, 5.0
_NEAR_KNOT, _NEAR_LINE, _NEAR_NAME, _NEAR_CANDIDATE = 5.5, 4.0, 8.0, 5.0


@dataclass(frozen=True, eq=False)
class StaggerGeometry:
    """Places in (frame, height), heights in pixels at a UI scale of 1 above the lane's lower edge.

    Attributes:
        row_edges: (N, 2) lower and upper edge of every row, the first row on top.
        joint_heights: (J,) NaN for joints in no row.
        names_bottom: Upper edge of the rows; the poses' names are above it.
        icons_bottom: Upper edge of the names; figures of the poses stand above it, if there are any.
        height: Of the whole lane.
        knots: (N, 2) knots from the top row down, one pose after the other.
        knot_poses: (N,) their poses.
        knot_joints: (N,) their joints.
    """

    row_edges: Array
    joint_heights: Array
    names_bottom: float
    icons_bottom: float
    height: float
    knots: Array
    knot_poses: Indices
    knot_joints: Indices

    @property
    def links(self) -> Indices:
        """(N,) knots that are followed by another one of the same pose."""
        return np.flatnonzero(np.diff(self.knot_poses) == 0)


def geometry_of(data: StaggerLaneData) -> StaggerGeometry:
    """Lay out rows, joints and knots."""
    joint_rows = np.asarray(data.joint_rows, dtype=np.intp)
    counts = np.bincount(joint_rows[joint_rows >= 0], minlength=len(data.rows))
    tall = np.clip(counts * _FOR_EACH_JOINT + 2.0 * _ROW_MARGIN - _FOR_EACH_JOINT, _LEAST_ROW, _MOST_ROW)
    bottoms = FOOT + np.concatenate([np.cumsum(tall[::-1])[::-1][1:], [0.0]])
    top = FOOT + float(tall.sum())
    edges = np.column_stack([bottoms, bottoms + tall])
    heights = _joint_heights(joint_rows, edges)
    order = np.lexsort((np.arange(len(joint_rows)), joint_rows))
    order = order[joint_rows[order] >= 0]
    frames = np.asarray(data.knot_frames, dtype=np.float64)[:, order]
    poses, places = np.nonzero(np.isfinite(frames))
    joints = order[places]
    knots = np.column_stack([frames[poses, places], heights[joints]])
    names = top + NAMES_HEIGHT
    return StaggerGeometry(edges, heights, top, names, names + ICONS_HEIGHT * bool(data.icons), knots, poses, joints)


def _joint_heights(joint_rows: Indices, edges: Array) -> Array:
    """Joints of a limb spread evenly over its row, the first on top."""
    heights = np.full(len(joint_rows), np.nan)
    for row, (bottom, top) in enumerate(edges):
        joints = np.flatnonzero(joint_rows == row)
        inset = _ROW_MARGIN if len(joints) > 1 else 0.5 * (top - bottom)
        heights[joints] = np.linspace(top - inset, bottom + inset, len(joints))
    return heights


def item_at(
    geometry: StaggerGeometry, data: StaggerLaneData, x: float, y: float, placement: Placement
) -> StaggerItem | CandidateItem | None:
    """The nearest knot within reach, else a pose's name or figure, a candidate, else the nearest line."""
    mouse, pixel = np.array([x, y]), placement.pixel
    knots = np.column_stack([placement.across(geometry.knots[:, 0]), placement.up(geometry.knots[:, 1])])
    number = _nearest(np.linalg.norm(knots - mouse, axis=1), _NEAR_KNOT * pixel)
    if number is not None:
        return StaggerItem(int(geometry.knot_poses[number]), int(geometry.knot_joints[number]))
    if y >= placement.up(geometry.names_bottom):
        number = _nearest(np.abs(placement.across(np.asarray(data.pose_frames)) - x), _NEAR_NAME * pixel)
        if number is not None:
            return StaggerItem(number)
        hidden = np.asarray(data.candidate_frames, dtype=np.float64)
        number = _nearest(np.abs(placement.across(hidden) - x), _NEAR_CANDIDATE * pixel) if len(hidden) else None
        return None if number is None else CandidateItem(int(data.candidates[number]))
    links = geometry.links
    number = _nearest(_distances(mouse, knots[links], knots[links + 1]), _NEAR_LINE * pixel)
    return None if number is None else StaggerItem(int(geometry.knot_poses[links[number]]))


def _nearest(distances: Array, reach: float) -> int | None:
    if not len(distances):
        return None
    number = int(np.argmin(distances))
    return number if distances[number] <= reach else None


def _distances(point: Array, starts: Array, ends: Array) -> Array:
    """Distance of a point to each of many line segments."""
    along = ends - starts
    squared = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((point - starts) * along).sum(axis=1) / squared, 0.0, 1.0)
    distances: Array = np.linalg.norm(starts + share[:, None] * along - point, axis=1)
    return distances
