"""Where spans lie in their lane, and what of them is near the mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .span_data import SpanItem, SpanPart

if TYPE_CHECKING:
    from ...drawing.shapes import Placement
    from .span_data import Span, SpanLaneData

Array = NDArray[np.float64]

# Pixels at a UI scale of 1. Levels are lower where there are many, so that the lane stays below its usual height.
FOOT, _MOST_LEVEL, _LEAST_LEVEL, _USUAL_HEIGHT, _GAP = 2.0, 14.0, 6.0, 140.0, 1.5
# Levels are squeezed down to this: a row of one level still has room for its name.
_LEAST_SQUEEZED = 12.0
# A span of a single frame is so wide; the ends are caught so far beside a span, and inside if it is wide.
LEAST_WIDTH, _REACH, _WIDE = 7.0, 5.0, 24.0


@dataclass(frozen=True, eq=False)
class SpanGeometry:
    """Places in (frame, height), heights in pixels at a UI scale of 1 above the lane's lower edge.

    Attributes:
        data: The N spans.
        frames: (N, 2) first and last frame of each.
        heights: (N, 2) lower and upper edge of each bar.
        row_edges: (R, 2) lower and upper edge of each row, the first row on top.
        level: Height of a bar with the gap above it.
        height: Of the whole lane.
    """

    data: SpanLaneData
    frames: Array
    heights: Array
    row_edges: Array
    level: float
    height: float

    @property
    def least_share(self) -> float:
        """Part of the height at which bars can still be hit and rows be named."""
        return min(1.0, _LEAST_SQUEEZED / self.level)


def geometry_of(data: SpanLaneData) -> SpanGeometry:
    """Lay out rows; spans of a row that overlap lie above each other."""
    levels, counts = _levels(data)
    level = float(np.clip(_USUAL_HEIGHT / max(counts.sum(), 1), _LEAST_LEVEL, _MOST_LEVEL))
    tall = level * counts
    tops = FOOT + np.cumsum(tall[::-1])[::-1]
    edges = np.column_stack([tops - tall, tops])
    numbers = {name: number for number, name in enumerate(data.rows)}
    rows = np.array([numbers[span.row] for span in data.spans], dtype=np.intp)
    bars = edges[rows, 1] - level * levels
    frames = np.array([(span.start, span.end) for span in data.spans], dtype=np.float64).reshape(-1, 2)
    heights = np.column_stack([bars - level + 0.5 * _GAP, bars - 0.5 * _GAP])
    return SpanGeometry(data, frames, heights, edges, level, FOOT + float(tall.sum()))


def _levels(data: SpanLaneData) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(N,) how far down in its row each span lies, and (R,) how many levels each row has: as few as can be."""
    ends: dict[str, list[float]] = {name: [] for name in data.rows}
    levels = np.zeros(len(data.spans), dtype=np.intp)
    for number in sorted(range(len(data.spans)), key=lambda each: data.spans[each].start):
        levels[number] = _first_free(data.spans[number], ends[data.spans[number].row])
    return levels, np.array([max(len(ends[name]), 1) for name in data.rows], dtype=np.intp)


def _first_free(span: Span, ends: list[float]) -> int:
    """The first level whose last span is over; the level is taken."""
    free = next((level for level, end in enumerate(ends) if end < span.start), len(ends))
    ends[free : free + 1] = [span.end]
    return free


def item_at(geometry: SpanGeometry, x: float, y: float, placement: Placement) -> SpanItem | None:
    """The nearest span or end within reach, else the ground of the row."""
    reach = _REACH * placement.pixel
    edges = _pixels(geometry, placement)
    low, high = placement.up(geometry.heights - (0.5 * _GAP, -0.5 * _GAP)).T
    distances = np.maximum(np.maximum(edges[:, 0] - x, x - edges[:, 1]), 0.0)
    near = np.flatnonzero((low <= y) & (y < high) & (distances <= reach))
    if not len(near):
        return _ground_at(geometry, y, placement)
    number = near[np.argmin(distances[near])]
    left, right = edges[number]
    inside = reach if right - left >= _WIDE * placement.pixel else 0.0
    part = SpanPart.START if x < left + inside else SpanPart.END if x > right - inside else SpanPart.WHOLE
    return SpanItem(part, geometry.data.spans[number].number, geometry.data.spans[number].row)


def _pixels(geometry: SpanGeometry, placement: Placement) -> Array:
    """(N, 2) left and right edges of the bars; short ones are widened."""
    edges: Array = placement.across(geometry.frames)
    lacking = np.maximum(LEAST_WIDTH * placement.pixel - np.diff(edges, axis=1), 0.0)
    return edges + lacking * (-0.5, 0.5)


def _ground_at(geometry: SpanGeometry, y: float, placement: Placement) -> SpanItem | None:
    low, high = placement.up(geometry.row_edges).T
    rows = np.flatnonzero((low <= y) & (y < high))
    return SpanItem(SpanPart.GROUND, row=geometry.data.rows[rows[0]]) if len(rows) else None
