"""Weighted means of rotations that do not depend on the order in which they are listed."""

from typing import Any

import numpy as np

from ..numerics import Array, quaternion

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
        rotations: (M, N, 4) unit quaternions, or M arrays of them.
        weights: (M, N) none below 0, with a sum of one.
    """
    several = [np.asarray(one, dtype=np.float64) for one in rotations]
    shares = np.asarray(weights, dtype=np.float64)
    result = np.empty((4, len(several[0]))).T
    for start in range(0, len(result), _BLOCK):
        rows = slice(start, start + _BLOCK)
        result[rows] = _block_mean([one[rows] for one in several], shares[:, rows])
    return result


def _block_mean(rotations: list[Array], shares: Array) -> Array:
    """Go towards the mean until no step is left.

    Steps shrink by the same factor again and again, so that the one that would follow is known.
    """
    middle, before = _first_guess(rotations, shares), 0.0
    for _ in range(_STEPS):
        last, middle = middle, _nearer(middle, rotations, shares)
        largest = 2.0 * float(np.abs(middle - last).max())
        if largest < _ACCURACY or largest**2 < 0.1 * _ACCURACY * before:
            break
        before = largest
    return middle


def _nearer(middle: Array, rotations: list[Array], shares: Array) -> Array:
    """(N, 4) one step from quaternions towards the mean, in signs as they are.

    The way to a rotation is the part of its quaternion across the middle, times half the angle between them
    over its sine. At the mean the ways balance: it has the direction of the sum with these factors. The step
    to that direction would be right for ways all at right angles to it, and too long by the part of the sum
    that is missing to one for ways along it; half of what is missing is the best for both.
    """
    total = np.zeros((4, len(middle)))
    for share, one in _pairs(shares, rotations):
        cosine = quaternion.dot(one, middle)
        total += share * _angle_over_sine(np.abs(cosine)) * np.where(cosine < 0.0, -1.0, 1.0) * one.T
    along = quaternion.dot(total.T, middle)
    return quaternion.normalize((total + 0.5 * (1.0 - along) * middle.T).T)


def _angle_over_sine(cosine: Array) -> Array:
    """Angle in radians over its sine, from cosines from 0 to 1."""
    sine = np.sqrt(np.maximum(1.0 - cosine * cosine, 0.0))
    # As smooth at angle zero as anywhere: rounding of the cosine is no larger in the quotient.
    quotient: Array = np.arctan2(sine, cosine) / np.where(sine == 0.0, 1.0, sine)
    return np.where(sine == 0.0, 1.0, quotient)


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
