"""Interpolation between two poses that move: places and velocities are met at both ends."""

from typing import Any

import numpy as np

from . import quaternion
from .quaternion import Array


def ease(shares: Any) -> Array:
    """From 0 to 1, level at both ends."""
    held = np.clip(shares, 0.0, 1.0)
    eased: Array = held * held * (3.0 - 2.0 * held)
    return eased


def vector_curve(start: Array, end: Array, leave: Array, arrive: Array, shares: Array) -> Array:
    """(N, ...) a cubic from start to end.

    Args:
        start: (...) where it begins.
        end: (...) where it ends.
        leave: (...) derivative at the start, over the whole way as one.
        arrive: (...) derivative at the end.
        shares: (N,) of the way, 0 to 1.
    """
    share = shares.reshape(-1, *[1] * start.ndim)
    back = 1.0 - share
    early = (1.0 + 2.0 * share) * back**2 * start + share * back**2 * leave
    late = (3.0 - 2.0 * share) * share**2 * end - share**2 * back * arrive
    curve: Array = early + late
    return curve


def rotation_curve(start: Array, end: Array, leave: Array, arrive: Array, shares: Array) -> Array:
    """(N, ..., 4) a cubic Bézier curve of rotations from start to end, the shorter way.

    It is q(s) = start · exp(β₁ a) · exp(β₂ b) · exp(β₃ c) with the cumulative Bernstein polynomials β:
    a and c follow from the velocities, b from the end.

    Args:
        start: (..., 4) where it begins.
        end: (..., 4) where it ends.
        leave: (..., 3) angular velocity at the start in the joint's own axes, over the whole way as one.
        arrive: (..., 3) angular velocity at the end.
        shares: (N,) of the way, 0 to 1.
    """
    first, last = leave / 3.0, arrive / 3.0
    whole = quaternion.multiply(quaternion.conjugate(start), end)
    inner = quaternion.multiply(quaternion.conjugate(quaternion.exp(first)), whole)
    middle = quaternion.log(quaternion.multiply(inner, quaternion.conjugate(quaternion.exp(last))))
    share = shares.reshape(-1, *[1] * start.ndim)
    weights = (1.0 - (1.0 - share) ** 3, share**2 * (3.0 - 2.0 * share), share**3)
    curve = np.broadcast_to(start, (len(shares), *start.shape))
    for weight, way in zip(weights, (first, middle, last), strict=True):
        curve = quaternion.multiply(curve, quaternion.exp(weight * way))
    return quaternion.normalize(curve)
