"""Extremes that stay the furthest moments of their swings.

A swing that turns round leads away from its extreme on both sides. Along the middle of these two
directions, the way back, the extreme lies at the end: no other moment near it may lie behind it. So the
extreme keeps its time to the frame, however smooth the motion around it has become.
"""

import numpy as np

from ..motion import Indices
from ..numerics import Array

# Part of its old way back that every moment keeps at least. Above zero, or several frames would share the extreme;
# little, or the filtered motion would be as sharp as the old one.
_WAY_BACK = 0.1
# Two opposite directions have no middle: a motion that goes straight on has no extreme there.
_STRAIGHT = 0.1
# Radians or units below which the direction of a way is rounding.
_STILL = 1e-6


def pushes_back(now: Array, once: Array, sides: Array, owner: Indices) -> Array:
    """(P, 3) what to add to samples so that none lies behind its extreme that did not do so before.

    Args:
        now: (P, 3) where the samples are, seen from their extremes.
        once: (P, 3) where they were before the filter.
        sides: (N, 2, 3) where the motion was a moment before and after each extreme.
        owner: (P,) the extreme of every sample.
    """
    way_back = _middle(sides)[owner]
    reached, before = ((each * way_back).sum(axis=-1) for each in (now, once))
    least = np.where(before > 0.0, _WAY_BACK * before, before)
    pushes: Array = np.maximum(least - reached, 0.0)[:, None] * way_back
    return pushes


def _middle(sides: Array) -> Array:
    """(N, 3) unit vectors between the directions of both sides; zero where there is none."""
    length = np.linalg.norm(sides, axis=-1, keepdims=True)
    sums = np.where(length > _STILL, sides / np.where(length > 0.0, length, 1.0), 0.0).sum(axis=1)
    size = np.linalg.norm(sums, axis=-1, keepdims=True)
    middle: Array = np.where(size > _STRAIGHT, sums / np.where(size > 0.0, size, 1.0), 0.0)
    return middle
