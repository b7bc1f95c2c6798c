"""Areas between a curve and a level, in one colour above it and another below."""

from __future__ import annotations

from typing import Any

import numpy as np

from .shapes import TRIANGLES, Array, Colour, Shape


def areas_from_level(points: Any, level: float, above: Colour, below: Colour) -> Shape:
    """The filled areas between a curve (N, 2) and a level; points that are not finite leave a gap."""
    points = np.asarray(points, dtype=np.float64)
    starts, ends = _cut_at_level(points[:-1], points[1:], level)
    is_above = starts[:, 1] + ends[:, 1] > 2.0 * level
    colours = np.where(is_above[:, None], above, below)
    first_feet, last_feet = (np.column_stack([side[:, 0], np.full(len(side), level)]) for side in (starts, ends))
    corners = (first_feet, last_feet, ends, first_feet, ends, starts)
    return Shape(TRIANGLES, np.stack(corners, axis=1).reshape(-1, 2), np.repeat(colours, 6, axis=0))


def _cut_at_level(starts: Array, ends: Array, level: float) -> tuple[Array, Array]:
    """Pieces of the curve, none of which crosses the level."""
    known = np.isfinite(starts).all(axis=1) & np.isfinite(ends).all(axis=1)
    starts, ends = starts[known], ends[known]
    first, last = starts[:, 1] - level, ends[:, 1] - level
    crossing = first * last < 0.0
    share = first[crossing] / (first - last)[crossing]
    cuts = starts[crossing] + share[:, None] * (ends - starts)[crossing]
    cuts[:, 1] = level
    nearer = ends.copy()
    nearer[crossing] = cuts
    return np.vstack([starts, cuts]), np.vstack([nearer, ends[crossing]])
