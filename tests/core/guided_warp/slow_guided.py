"""Guided warping in plain loops: every score and every choice spelled out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import inf
from typing import Any

import numpy as np

NEIGHBOURS = 3


def feature(before: Any, own: Any, after: Any) -> Any:
    """Pose, velocity and acceleration of the middle of three samples."""
    return np.concatenate([own, (after - before) / 2.0, after - 2.0 * own + before])


def reference_features(reference: Any) -> Any:
    """(r - 2, 3 D) features of all inner samples."""
    return np.array([feature(*reference[place - 1 : place + 2]) for place in range(1, len(reference) - 1)])


def score(before: Any, own: Any, after: Any, references: Any) -> float:
    """Mean distance to the nearest reference features."""
    mine = feature(before, own, after)
    distances = sorted(float(np.linalg.norm(mine - other)) for other in references)
    nearest = distances[:NEIGHBOURS]
    return sum(nearest) / len(nearest)


def cost(samples: Any, path: Any, references: Any) -> float:
    """Sum of the scores of all inner samples of a path."""
    return sum(
        score(samples[path[place - 1]], samples[path[place]], samples[path[place + 1]], references)
        for place in range(1, len(path) - 1)
    )


def all_paths(count: int, length: int, most_steps: int, pins: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Every choice of `length` samples that is complete and in order, with given ones at given places."""
    for inner in combinations(range(1, count - 1), length - 2):
        path = (0, *inner, count - 1)
        gaps = [after - before for before, after in pairwise(path)]
        if max(gaps) <= most_steps and all(path[place] == sample for place, sample in pins.items()):
            yield path


def table(samples: Any, references: Any, most_steps: int) -> dict[tuple[int, int, int], float]:
    """Scores of all triples that may follow each other."""
    count = len(samples)
    return {
        (i, j, k): score(samples[i], samples[j], samples[k], references)
        for j in range(1, count - 1)
        for i in range(max(0, j - most_steps), j)
        for k in range(j + 1, min(count, j + most_steps + 1))
    }


def shortest(scores: dict[tuple[int, int, int], float], count: int, length: int, most_steps: int) -> float:
    """Least cost of `length` samples: the recurrence of the paper, pair by pair."""
    costs = {(0, j): 0.0 for j in range(1, min(count, most_steps + 1))}
    for _ in range(length - 2):
        further: dict[tuple[int, int], float] = {}
        for (i, j), so_far in costs.items():
            for k in range(j + 1, min(count, j + most_steps + 1)):
                total = so_far + scores[i, j, k]
                if total < further.get((j, k), inf):
                    further[j, k] = total
        costs = further
    return min(so_far for (_, j), so_far in costs.items() if j == count - 1)
