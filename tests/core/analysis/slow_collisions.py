"""Plain versions of the collision search, obvious and slow."""

from __future__ import annotations

from typing import Any

import numpy as np


def segment_distance(p: Any, p_end: Any, q: Any, q_end: Any) -> float:
    """Least distance of two segments: the ends against the other segment, and the crossing of the lines."""
    ends = [
        _point_distance(p, q, q_end),
        _point_distance(p_end, q, q_end),
        _point_distance(q, p, p_end),
        _point_distance(q_end, p, p_end),
    ]
    sides = np.stack([p_end - p, q - q_end], axis=1)
    (s, t), _, rank, _ = np.linalg.lstsq(sides, q - p, rcond=None)
    if rank == 2 and 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
        ends.append(float(np.linalg.norm(p + s * (p_end - p) - q - t * (q_end - q))))
    return min(ends)


def _point_distance(point: Any, start: Any, end: Any) -> float:
    side = end - start
    square = side @ side
    share = np.clip((point - start) @ side / square, 0.0, 1.0) if square > 0.0 else 0.0
    return float(np.linalg.norm(point - start - share * side))


def touches(
    first: Any, first_radii: Any, second: Any, second_radii: Any, margin: float
) -> dict[tuple[int, ...], float]:
    """Depth by (frame, bone, other bone); first and second are (starts, ends), each (F, B, 3)."""
    found = {}
    for frame in range(len(first[0])):
        for one, one_radius in enumerate(first_radii):
            for other, other_radius in enumerate(second_radii):
                gap = segment_distance(
                    first[0][frame, one], first[1][frame, one], second[0][frame, other], second[1][frame, other]
                )
                depth = one_radius + other_radius + margin - gap
                if depth >= 0.0:
                    found[frame, one, other] = depth
    return found
