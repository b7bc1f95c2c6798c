"""Weighted means of rotations that do not depend on the order in which they are listed."""

from typing import Any

import numpy as np

from .. import quaternion
from ..quaternion import Array

# When a mean is found, in radians, and after how many steps it is taken as it is.
_ACCURACY, _STEPS = 1e-11, 100
# Rotations that are averaged together: few enough to stay in the cache.
_BLOCK = 16384
# Cosine of half the angle to the first guess below which rotations are spread too widely for it.
_NEAR = 0.8
# How often the matrix of products is squared: its main direction then outweighs all others.
_SQUARINGS = 5


def weighted_mean(rotations: Any, weights: Any) -> Array:
    """Rotations (N, 4) with the least weighted sum of squared angles to rotations (M, N, 4), in any signs.

    Args:
        rotations: (M, N, 4) unit quaternions.
        weights: (M, N) none below 0, with a sum of one.
    """
    rotations, shares = np.asarray(rotations, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    result = np.empty(rotations.shape[1:])
    for start in range(0, len(result), _BLOCK):
        rows = slice(start, start + _BLOCK)
        # One array of each component for each motion, which is what quaternions are quick with.
        block = [quaternion.stack(*np.moveaxis(one[rows], -1, 0)) for one in rotations]
        result[rows] = _block_mean(block, shares[:, rows])
    return result


def _block_mean(rotations: list[Array], shares: Array) -> Array:
    """Step to the mean of the ways to all rotations until no step is left.

    Steps shrink by the same factor again and again, so that the one that would follow is known.
    """
    middle, before = _first_guess(rotations, shares), 0.0
    for _ in range(_STEPS):
        back = quaternion.conjugate(middle)
        ways = (share * quaternion.log(quaternion.multiply(back, one)).T for share, one in _pairs(shares, rotations))
        step = sum(ways, np.zeros((3, len(middle)))).T
        middle = quaternion.normalize(quaternion.multiply(middle, quaternion.exp(step)))
        largest = float(np.abs(step).max())
        if largest < _ACCURACY or largest**2 < 0.1 * _ACCURACY * before:
            break
        before = largest
    return middle


def _first_guess(rotations: list[Array], shares: Array) -> Array:
    """(N, 4) where the search begins.

    The normalized sum, with signs as in the rotation of most weight. Where rotations are spread so widely
    that signs are a matter of chance, it is the direction that all share most, whatever their signs.
    """
    heaviest = np.take_along_axis(np.stack(rotations), np.argmax(shares, axis=0)[None, :, None], axis=0)[0]
    near = [quaternion.aligned(one, heaviest) for one in rotations]
    guess = quaternion.normalize(
        sum((share * one.T for share, one in _pairs(shares, near)), np.zeros(near[0].T.shape)).T
    )
    closeness = np.min([np.abs(quaternion.dot(one, guess)) for one in rotations], axis=0)
    spread = np.flatnonzero(closeness < _NEAR)
    if len(spread):
        guess[spread] = _main_direction(np.stack([one[spread] for one in rotations]), shares[:, spread])
    return guess


def _pairs(shares: Array, rotations: list[Array]) -> Any:
    return zip(shares, rotations, strict=True)


def _main_direction(rotations: Array, shares: Array) -> Array:
    """(N, 4) quaternion that rotations (M, N, 4) share most."""
    products = np.einsum("mni,mnj->nij", shares[..., None] * rotations, rotations)
    for _ in range(_SQUARINGS):
        products = products @ products
        products /= np.trace(products, axis1=1, axis2=2)[:, None, None]
    column = np.argmax(np.diagonal(products, axis1=1, axis2=2), axis=1)
    return quaternion.normalize(products[np.arange(len(products)), column])
