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
