"""Joints of two chains of different lengths that correspond: spines with more bones, arms with twist bones."""

from collections.abc import Sequence

import numpy as np

from ...motion import Skeleton
from ...numerics import Array

Pairs = list[tuple[int, int]]


def matched_chain(source: Skeleton, one: Sequence[int], target: Skeleton, other: Sequence[int]) -> Pairs:
    """(source, target) joints of two chains from the same part of the body to the same part.

    First and last joints correspond. Of those between, every one of the shorter chain takes the joint
    of the longer one that lies nearest along the chain, in order. So a knee finds the knee although
    the other leg has a twist bone, and a spine's extra joints stay free.
    """
    if not one or not other:
        return []
    if len(one) > len(other):
        return [(joint, partner) for partner, joint in matched_chain(target, other, source, one)]
    if len(one) == 1:
        return [(one[0], other[0])]
    places = _nearest_in_order(_shares(source, one), _shares(target, other))
    return [(joint, other[place]) for joint, place in zip(one, places, strict=True)]


def _shares(skeleton: Skeleton, chain: Sequence[int]) -> Array:
    """(N,) how far along the chain each joint lies at rest, 0 to 1; even steps for a chain without length."""
    steps = np.linalg.norm(np.diff(skeleton.rest_positions[list(chain)], axis=0), axis=1)
    ways = np.concatenate([[0.0], np.cumsum(steps)])
    return ways / ways[-1] if ways[-1] > 0.0 else np.linspace(0.0, 1.0, len(chain))


def _nearest_in_order(shorter: Array, longer: Array) -> list[int]:
    """Places in the longer list, increasing, ends on ends, with the least sum of squared distances."""
    count, room = len(shorter), len(longer)
    away = (shorter[:, None] - longer) ** 2
    cost = np.full((count, room), np.inf)
    before = np.zeros((count, room), dtype=np.intp)
    cost[0, 0] = 0.0
    for row in range(1, count):
        last = row == count - 1
        for place in range(row, room) if not last else (room - 1,):
            before[row, place] = int(np.argmin(cost[row - 1, :place]))
            cost[row, place] = cost[row - 1, before[row, place]] + away[row, place]
    places = [room - 1]
    for row in range(count - 1, 0, -1):
        places.append(int(before[row, places[-1]]))
    return places[::-1]
