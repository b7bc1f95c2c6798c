"""Spline tangents of rotations, all intervals at once (Appendix A).

The squared angle between spline and samples is minimised. A start comes from least squares on
rotation vectors; Gauss-Newton steps follow that take the Bernstein polynomials for the
derivatives, which is exact for small angles; where the spline bends far, full Gauss-Newton steps
with the true derivatives finish the work. No step makes an interval worse.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array, quaternion
from ..layout import rows
from .bernstein import InnerControls
from .interval_samples import IntervalSamples
from .rotation_full_steps import full_fit
from .rotation_problem import RotationProblem, chosen_controls, direct_controls, largest_bend

# Samples worked on at once: their arrays stay in the processor's cache.
_SAMPLES_AT_ONCE = 8192
# Full steps work on fewer and fewer intervals; larger groups keep the last ones from being tiny.
_BENT_AT_ONCE = 65536
# Radians; what a shorter step leaves undone is not worth a full one.
_LONG_STEP = 0.02


@dataclass(frozen=True)
class FitOptions:
    """How hard the solver tries; the defaults reach the optimum within a percent on captured motion.

    Attributes:
        quick_steps: Steps of all intervals with approximate derivatives. Lower for a rougher,
            faster fit; the displacement maps keep the motion exact in any case.
        full_steps: Most steps with true derivatives; an interval takes them only as long as they help.
        bend: Radians between neighbouring controls above which an interval takes full steps.
        gain: Part of the cost that the last quick step took away above which it does as well.
    """

    quick_steps: int = 2
    full_steps: int = 12
    bend: float = 1.0
    gain: float = 0.01


def fit_rotations(
    first: Array, last: Array, samples: IntervalSamples, values: Array, options: FitOptions | None = None
) -> tuple[Array, Array]:
    """Inner controls (N, 4) of the rotation splines from `first` to `last` (N, 4) nearest to the values.

    Where the samples do not determine them they lie on thirds of the direct way.

    Args:
        first: (N, 4) rotations at the starts of the intervals.
        last: (N, 4) rotations at their ends.
        samples: When the values were taken.
        values: (M, 4) rotations between, without sign jumps inside an interval.
        options: How hard to try.
    """
    options = options or FitOptions()
    second, third = direct_controls(first, last)
    problem = RotationProblem(first, last, samples, values)
    bent = []
    for part in _parts(samples, _worth_fitting(problem), _SAMPLES_AT_ONCE):
        controls = rows(second, part), rows(third, part)
        second[part], third[part], hard = _quick_fit(problem.chosen(part), *controls, options)
        bent.append(part[hard])
    for part in _parts(samples, np.concatenate([np.empty(0, dtype=np.intp), *bent]), _BENT_AT_ONCE):
        controls = rows(second, part), rows(third, part)
        second[part], third[part] = full_fit(problem.chosen(part), *controls, options.full_steps)
    return second, third


def _parts(samples: IntervalSamples, intervals: NDArray[np.intp], size: int) -> list[NDArray[np.intp]]:
    """Intervals in groups whose samples are worked on together."""
    blocks = np.cumsum(samples.counts[intervals]) // size
    return [part for part in np.split(intervals, np.flatnonzero(np.diff(blocks)) + 1) if part.size]


def _worth_fitting(problem: RotationProblem) -> NDArray[np.intp]:
    """Intervals with samples that determine a spline and that do not all stand still."""
    owner = problem.samples.owner
    start = np.take(problem.first.T, owner, axis=1)
    differs = (start != problem.values.T).any(axis=0)
    moves = problem.samples.sums(differs) > 0
    return np.flatnonzero(moves & InnerControls.of(problem.samples).solvable)


def _quick_fit(
    problem: RotationProblem, second: Array, third: Array, options: FitOptions
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Controls after the quick steps, and whether an interval needs full ones."""
    equations = InnerControls.of(problem.samples)
    second, third = _better_start(problem, equations, second, third)
    second, third, gain = _quick_steps(problem, equations, second, third, options.quick_steps)
    return second, third, (largest_bend(problem, second, third) > options.bend) | (gain > options.gain)


def _better_start(
    problem: RotationProblem, equations: InnerControls, second: Array, third: Array
) -> tuple[Array, Array]:
    """Least squares on rotation vectors seen from the first rotation, where that beats the direct way."""
    owner, t = problem.samples.owner, problem.samples.times
    back = quaternion.conjugate(problem.first)
    vectors = quaternion.log(quaternion.multiply(rows(back, owner), problem.values)).T
    end = quaternion.log(quaternion.multiply(back, problem.last)).T
    controls = equations.solve(vectors - np.take(end, owner, axis=1) * t**3)
    start = [quaternion.multiply(problem.first, quaternion.exp(control.T)) for control in controls]
    # Rotation vectors jump where a rotation comes near half a turn away; elsewhere they are safe.
    risky = problem.samples.sums((vectors * vectors).sum(axis=0) > 2.0**2) > 0
    if risky.any():
        direct = problem.cost(problem.residuals(second, third))
        risky &= direct < problem.cost(problem.residuals(*start))
    return chosen_controls(risky, second, start[0]), chosen_controls(risky, third, start[1])


def _quick_steps(
    problem: RotationProblem, equations: InnerControls, second: Array, third: Array, steps: int
) -> tuple[Array, Array, Array]:
    """Gauss-Newton with Bernstein polynomials for derivatives; a step that fails is halved.

    Returns both controls and the part of the cost (N,) that the last step took away.
    """
    residuals = problem.residuals(second, third)
    best, change = problem.cost(residuals), np.stack(equations.solve(residuals))
    size, gain = np.ones(len(second)), np.ones(len(second))
    for _ in range(steps):
        tried = _turned(second, change[0] * size), _turned(third, change[1] * size)
        residuals = problem.residuals(*tried)
        cost = problem.cost(residuals)
        better = cost < best
        second, third = chosen_controls(better, tried[0], second), chosen_controls(better, tried[1], third)
        # A step that failed though it was long says that the derivatives are not good enough there.
        long = np.abs(change * size).max(axis=(0, 1)) > _LONG_STEP
        gain = np.where(better, 1.0 - cost / np.where(better, best, 1.0), np.where(long, 1.0, 0.0))
        best = np.where(better, cost, best)
        change = np.where(better, np.stack(equations.solve(residuals)), change)
        size = np.where(better, 1.0, 0.5 * size)
    return second, third, gain


def _turned(rotations: Array, vectors: Array) -> Array:
    """Rotations (N, 4) followed by a turn about (3, N) vectors in the parent's axes."""
    return quaternion.multiply(quaternion.exp(vectors.T), rotations)
