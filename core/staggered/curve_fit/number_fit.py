"""Spline tangents of numbers by least squares (section 4.1.1)."""

from ...numerics import Array
from .bernstein import InnerControls
from .interval_samples import IntervalSamples


def fit_numbers(first: Array, last: Array, samples: IntervalSamples, values: Array) -> tuple[Array, Array]:
    """Inner controls (N, 1) of the cubics from `first` to `last` (N, 1) nearest to the (M, 1) values.

    Where the samples do not determine them they lie on thirds of the straight line.
    """
    second, third = first + (last - first) / 3.0, last - (last - first) / 3.0
    equations = InnerControls.of(samples)
    t, owner = samples.times, samples.owner
    rest = 1.0 - t
    line = first[owner, 0] * rest**3 + last[owner, 0] * t**3
    line += second[owner, 0] * equations.first + third[owner, 0] * equations.second
    change_second, change_third = equations.solve((values[:, 0] - line)[None])
    return second + change_second.T, third + change_third.T
