"""Half a turn is as far as a control of a rotation spline can be from the next one.

Beyond, slerp goes round the other way and the spline jumps. Steps of a solver end at this limit,
and slide along it where the spline would still be better beyond.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array, quaternion
from .rotation_equations import middle_turn
from .rotation_problem import RotationProblem

# A little less than half a turn, so that slerp goes the way that is meant.
_FARTHEST = 3.14
# From this near on a control counts as being at the limit.
_NEAR = 0.01

_PARTS = slice(0, 3), slice(3, 6)


@dataclass(frozen=True, eq=False)
class TangentLimits:
    """The limits of N intervals, seen from their present (6, N) tangents.

    Attributes:
        lengths: (3, N) length of both tangents, and of the turn from the second to the third control.
        growth: (3, 6, N) how each grows with the tangents.
        middle: (3, N) turn from the second to the third control.
    """

    lengths: Array
    growth: Array
    middle: Array

    @classmethod
    def at(cls, problem: RotationProblem, tangents: Array) -> "TangentLimits":
        """Measure them."""
        middle, middle_growth = middle_turn(problem, tangents)
        lengths = np.stack([_length(tangents[part]) for part in _PARTS] + [_length(middle)])
        growth, directions = np.zeros((3, *tangents.shape)), unit_tangents(tangents)
        for number, part in enumerate(_PARTS):
            growth[number, part] = directions[part]
        growth[2] = middle_growth
        return cls(lengths, growth, middle)

    def free_directions(self, descent: Array) -> Array:
        """(N, 6, 6) projections that take away growth beyond the limits where (N, 6) `descent` asks for it."""
        outward = np.einsum("lqn,nq->ln", self.growth, descent) > 0.0
        walls = self.growth * (outward & (self.lengths > _FARTHEST - _NEAR))[:, None]
        for wall in walls[:2]:
            walls[2] -= wall * (wall * walls[2]).sum(axis=0)
        size = _length(walls[2])
        walls[2] /= np.where(size > 1e-6, size, np.inf)
        free: Array = np.eye(6) - np.einsum("lan,lbn->nab", walls, walls)
        return free

    def kept(self, problem: RotationProblem, tangents: Array) -> Array:
        """Changed tangents (6, N), those that went too far brought back to the limits."""
        middle, _ = middle_turn(problem, tangents)
        turned = _length(middle)
        # Beyond half a turn the shorter way is the other one.
        turned = np.where((middle * self.middle).sum(axis=0) < 0.0, 2.0 * np.pi - turned, turned)
        excess = np.where(self.lengths[2] > 0.5 * np.pi, np.maximum(turned - _FARTHEST, 0.0), 0.0)
        square = (self.growth[2] ** 2).sum(axis=0)
        result: Array = tangents - self.growth[2] * (excess / np.where(square > 0.0, square, 1.0))
        for part in _PARTS:
            length = _length(result[part])
            result[part] *= np.minimum(1.0, _FARTHEST / np.where(length == 0.0, 1.0, length))
        return result


def folds(first: Array, last: Array, old: Array, new: Array) -> NDArray[np.bool_]:
    """(N,) splines whose (6, N) new tangents have crossed a limit that the old ones kept.

    Args:
        first: (N, 4) rotations at the starts.
        last: (N, 4) rotations at the ends.
        old: (6, N) tangents within the limits.
        new: (6, N) tangents that may be beyond.
    """
    middle, turned = (_middle(first, last, tangents) for tangents in (old, new))
    reversed_ = (middle * turned).sum(axis=0) < 0.0
    crossed: NDArray[np.bool_] = reversed_ & (_length(middle) > 0.5 * np.pi) & (_length(turned) > 0.5 * np.pi)
    return crossed | (np.stack([_length(new[part]) for part in _PARTS]) > np.pi).any(axis=0)


def _middle(first: Array, last: Array, tangents: Array) -> Array:
    """(3, N) rotation vectors from the second to the third control."""
    second = quaternion.multiply(first, quaternion.exp(tangents[:3].T))
    third = quaternion.multiply(last, quaternion.exp(tangents[3:].T))
    return quaternion.log(quaternion.multiply(third, quaternion.conjugate(second))).T


def unit_tangents(tangents: Array) -> Array:
    """Both tangents (6, N) with length 1; those without a direction stay 0."""
    lengths = (_length(tangents[part]) for part in _PARTS)
    return np.concatenate(
        [tangents[part] / np.where(length == 0.0, 1.0, length) for part, length in zip(_PARTS, lengths, strict=True)]
    )


def _length(vectors: Array) -> Array:
    length: Array = np.sqrt((vectors * vectors).sum(axis=0))
    return length
