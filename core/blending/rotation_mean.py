"""Weighted means of rotations that do not depend on the order in which they are listed."""

from typing import Any

import numpy as np

from .. import quaternion
from ..quaternion import Array

# When a mean is found, in radians, and after how many steps it is taken as it is.
_ACCURACY, _STEPS = 1e-13, 100
# How often the matrix of products is squared: its main direction then outweighs all others.
_SQUARINGS = 5


def weighted_mean(rotations: Any, weights: Any) -> Array:
    """Rotations (N, 4) with the least weighted sum of squared angles to rotations (M, N, 4), in any signs.

    Args:
        rotations: (M, N, 4) unit quaternions.
        weights: (M, N) none below 0, with a sum of one.
    """
    rotations, shares = np.asarray(rotations, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    middle = _main_direction(rotations, shares)
    open_rows = np.arange(len(middle))
    for _ in range(_STEPS):
        if not len(open_rows):
            break
        steps = _mean_step(middle[open_rows], rotations[:, open_rows], shares[:, open_rows])
        middle[open_rows] = quaternion.normalize(quaternion.multiply(middle[open_rows], quaternion.exp(steps)))
        open_rows = open_rows[np.abs(steps).max(axis=1) > _ACCURACY]
    return middle


def _mean_step(middle: Array, rotations: Array, shares: Array) -> Array:
    """(N, 3) weighted mean of the ways from the middle to all rotations."""
    ways = quaternion.log(quaternion.multiply(quaternion.conjugate(middle), rotations))
    step: Array = np.einsum("mn,mnc->nc", shares, ways)
    return step


def _main_direction(rotations: Array, shares: Array) -> Array:
    """(N, 4) quaternion that all share most, whatever their signs: where the search begins."""
    products = np.einsum("mn,mni,mnj->nij", shares, rotations, rotations)
    for _ in range(_SQUARINGS):
        products = products @ products
        products /= np.trace(products, axis1=1, axis2=2)[:, None, None]
    column = np.argmax(np.diagonal(products, axis1=1, axis2=2), axis=1)
    return quaternion.normalize(products[np.arange(len(products)), column])
