"""Intervals of rotations to which splines are fitted, and what is measured on them."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array, quaternion, spline
from ..layout import rows
from .interval_samples import IntervalSamples


@dataclass(frozen=True, eq=False)
class RotationProblem:
    """Intervals to be fitted.

    Attributes:
        first: (N, 4) rotations at their starts.
        last: (N, 4) rotations at their ends.
        samples: When the values between were taken.
        values: (M, 4) the values.
    """

    first: Array
    last: Array
    samples: IntervalSamples
    values: Array

    def spline(self, second: Array, third: Array) -> Array:
        """(M, 4) the splines with these inner controls at all samples."""
        return spline(self.first, second, third, self.last, self.samples.owner, self.samples.times)

    def misses(self, rotations: Array) -> Array:
        """(3, M) rotation vectors from rotations to samples, in the parent's axes."""
        return quaternion.log(quaternion.multiply(self.values, quaternion.conjugate(rotations))).T

    def residuals(self, second: Array, third: Array) -> Array:
        """(3, M) rotation vectors from the splines to the samples."""
        return self.misses(self.spline(second, third))

    def cost(self, residuals: Array) -> Array:
        """(N,) sum of squared angles of every interval."""
        return self.samples.sums((residuals * residuals).sum(axis=0))

    def chosen(self, intervals: NDArray[np.intp]) -> "RotationProblem":
        samples, number = self.samples.chosen(intervals)
        return RotationProblem(
            rows(self.first, intervals), rows(self.last, intervals), samples, rows(self.values, number)
        )

    def thinned(self, most: int) -> "RotationProblem":
        """The same intervals with no more samples each than this, evenly spread."""
        samples, number = self.samples.thinned(most)
        return RotationProblem(self.first, self.last, samples, rows(self.values, number))


def direct_controls(first: Array, last: Array) -> tuple[Array, Array]:
    """Inner controls on thirds of the shortest way."""
    return quaternion.slerp(first, last, 1.0 / 3.0), quaternion.slerp(first, last, 2.0 / 3.0)


def largest_bend(problem: RotationProblem, second: Array, third: Array) -> Array:
    """(N,) largest angle between neighbouring controls."""
    controls = (problem.first, second, third, problem.last)
    angles = [quaternion.angle_between(a, b) for a, b in pairwise(controls)]
    bend: Array = np.max(angles, axis=0)
    return bend


def chosen_controls(flags: NDArray[np.bool_], yes: Array, no: Array) -> Array:
    return np.where(flags, yes.T, no.T).T
