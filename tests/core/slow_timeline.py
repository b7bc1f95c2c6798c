"""Time alignment and match web in plain loops, every pair spelled out."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import Any

import numpy as np


def distances(first: Any, second: Any) -> Any:
    """(N, M) Euclidean distances of all frames."""
    return np.array([[np.linalg.norm(one - other) for other in second] for one in first])


def steps_of(limit: int) -> list[tuple[int, int]]:
    """Steps that a slope limit allows."""
    return [(1, 1), *((1, far) for far in range(2, limit + 1)), *((far, 1) for far in range(2, limit + 1))]


def step_cost(table: Any, row: int, column: int, step: tuple[int, int]) -> float:
    """What a step that ends at a pair costs: it goes diagonally first, then along one motion."""
    down, right = step
    return (
        sum(table[row - back][column] for back in range(down - 1, 0, -1))
        + sum(table[row][column - back] for back in range(right - 1, 0, -1))
        + table[row][column]
    )


def align_cost(first: Any, second: Any, limit: int) -> float:
    """Least cost over all complete paths; infinite if there is none."""
    table = distances(first, second).tolist()

    @cache
    def least(row: int, column: int) -> float:
        if row < 0 or column < 0:
            return inf
        if row == 0 and column == 0:
            return table[0][0]
        return min(
            least(row - step[0], column - step[1]) + step_cost(table, row, column, step)
            if row >= step[0] and column >= step[1]
            else inf
            for step in steps_of(limit)
        )

    return least(len(first) - 1, len(second) - 1)


def ranked(curve: Any, weights: Any) -> list[int]:
    """Frames by rank: each time all of them are measured from the line through those taken."""
    frames = np.arange(len(curve))
    size = 2.0 * max(np.linalg.norm(pose - curve.mean(axis=0)) for pose in curve)
    hooks, order = {0, len(curve) - 1}, []
    while len(order) < len(curve):
        known = sorted(hooks | set(order))
        line = np.stack([np.interp(frames, known, column[known]) for column in curve.T], axis=1)
        score = np.linalg.norm(curve - line, axis=1) / size + weights
        score[[0, -1]] += 1.0
        score[order] = -inf
        order.append(int(np.argmax(score)))
    return order


def window_distance(first: Any, second: Any, up: Any, weights: Any = None) -> float:
    """Root mean square distance of two windows (L, J, 3) after the best turn and shift of the second."""
    from core.analysis.pose_features import horizontal_alignment

    joints = first.shape[1]
    share = np.ones(joints) if weights is None else np.asarray(weights, dtype=float)
    each = np.tile(share, len(first))
    angle, shift = horizontal_alignment(second.reshape(-1, 3), first.reshape(-1, 3), up, weights=each)
    axis = np.asarray(up, dtype=float)
    moved = rodrigues(second.reshape(-1, 3), axis, angle) + shift
    gaps = ((moved - first.reshape(-1, 3)) ** 2).sum(axis=1)
    return float(np.sqrt((each * gaps).sum() / each.sum()))


def rodrigues(points: Any, axis: Any, angle: float) -> Any:
    """Points turned about an axis."""
    along = (points @ axis)[:, None] * axis
    return along + (points - along) * np.cos(angle) + np.cross(axis, points) * np.sin(angle)


def window_distances(positions: Any, up: Any, window: int) -> Any:
    """(N, N) distances of all windows."""
    starts = range(len(positions) - window + 1)
    return np.array(
        [
            [
                window_distance(positions[row : row + window], positions[column : column + window], up)
                for column in starts
            ]
            for row in starts
        ]
    )


def minima(table: Any, threshold: float, gap: int) -> set[tuple[int, int]]:
    """Cells of the upper half that are the least of three in their row or in their column."""
    found = set()
    size = len(table)
    for row in range(size):
        for column in range(row + gap, size):
            own = table[row, column]
            of_row = own < min(table[row, max(column - 1, 0) : column], default=inf) and own <= min(
                table[row, column + 1 : column + 2], default=inf
            )
            of_column = own < min(table[max(row - 1, 0) : row, column], default=inf) and own <= min(
                table[row + 1 : row + 2, column], default=inf
            )
            if own <= threshold and (of_row or of_column):
                found.add((row, column))
    return found
