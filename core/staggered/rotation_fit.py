"""Spline tangents of rotations, all intervals at once (Appendix A).

The squared angle between spline and samples is minimised. A start comes from least squares on
rotation vectors; Gauss-Newton steps follow that take the Bernstein polynomials for the
derivatives, which is exact for small angles; where the spline bends far, full Gauss-Newton steps
with the true derivatives finish the work. No step makes an interval worse.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .. import quaternion
from ..quaternion import Array
from .bernstein import InnerControls
from .interval_samples import IntervalSamples
from .layout import rows
from .rotation_spline import spline

# Radians by which a control is turned to measure a derivative.
_PROBE = 1e-6

# Full steps end when one takes away less than this part of the cost, or fails at this damping.
_LEAST_GAIN = 2e-3
_MOST_DAMPING = 1e2

# Radians between neighbouring controls from which on there may be a better optimum elsewhere.
_FAR_ROUND = 2.5

# A little less than half a turn, so that slerp goes the way that is meant.
_LONGEST_TANGENT = 3.14

# Samples worked on at once: their arrays stay in the processor's cache.
_SAMPLES_AT_ONCE = 8192
# Full steps work on fewer and fewer intervals; larger groups keep the last ones from being tiny.
_BENT_AT_ONCE = 65536


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


@dataclass(frozen=True, eq=False)
class _Problem:
    """Intervals to be fitted: ends (N, 4) and samples (M, 4)."""

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

    def chosen(self, intervals: NDArray[np.intp]) -> "_Problem":
        samples, number = self.samples.chosen(intervals)
        return _Problem(
            rows(self.first, intervals), rows(self.last, intervals), samples, rows(self.values, number)
        )


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
    second, third = _direct(first, last)
    problem = _Problem(first, last, samples, values)
    bent = []
    for part in _parts(samples, _worth_fitting(problem), _SAMPLES_AT_ONCE):
        controls = rows(second, part), rows(third, part)
        second[part], third[part], hard = _quick_fit(problem.chosen(part), *controls, options)
        bent.append(part[hard])
    for part in _parts(samples, np.concatenate([np.empty(0, dtype=np.intp), *bent]), _BENT_AT_ONCE):
        controls = rows(second, part), rows(third, part)
        second[part], third[part] = _full_fit(problem.chosen(part), *controls, options.full_steps)
    return second, third


def _parts(samples: IntervalSamples, intervals: NDArray[np.intp], size: int) -> list[NDArray[np.intp]]:
    """Intervals in groups whose samples are worked on together."""
    blocks = np.cumsum(samples.counts[intervals]) // size
    return [part for part in np.split(intervals, np.flatnonzero(np.diff(blocks)) + 1) if part.size]


def _worth_fitting(problem: _Problem) -> NDArray[np.intp]:
    """Intervals with samples that determine a spline and that do not all stand still."""
    owner = problem.samples.owner
    start = np.take(problem.first.T, owner, axis=1)
    differs = (start != problem.values.T).any(axis=0)
    moves = problem.samples.sums(differs) > 0
    return np.flatnonzero(moves & InnerControls.of(problem.samples).solvable)


def _quick_fit(
    problem: _Problem, second: Array, third: Array, options: FitOptions
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Controls after the quick steps, and whether an interval needs full ones."""
    equations = InnerControls.of(problem.samples)
    second, third = _better_start(problem, equations, second, third)
    second, third, gain = _quick_steps(problem, equations, second, third, options.quick_steps)
    return second, third, (_bend(problem, second, third) > options.bend) | (gain > options.gain)


def _better_start(
    problem: _Problem, equations: InnerControls, second: Array, third: Array
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
    return _where(risky, second, start[0]), _where(risky, third, start[1])


def _quick_steps(
    problem: _Problem, equations: InnerControls, second: Array, third: Array, steps: int
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
        second, third = _where(better, tried[0], second), _where(better, tried[1], third)
        gain = np.where(better, 1.0 - cost / np.where(better, best, 1.0), 0.0)
        best = np.where(better, cost, best)
        change = np.where(better, np.stack(equations.solve(residuals)), change)
        size = np.where(better, 1.0, 0.5 * size)
    return second, third, gain


def _full_fit(problem: _Problem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
    """Full steps from the given controls; where they lead far round, from others too."""
    second, third = _full_steps(problem, second, third, steps)
    far = np.flatnonzero(_bend(problem, second, third) > _FAR_ROUND)
    if far.size:
        part = problem.chosen(far)
        second[far], third[far] = _from_elsewhere(part, rows(second, far), rows(third, far), steps)
    return second, third


def _from_elsewhere(problem: _Problem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
    """The best of what full steps find from the direct way and from shorter tangents."""
    found = np.concatenate([_tangent(problem.first, second), _tangent(problem.last, third)])
    for begin in (_direct(problem.first, problem.last), _controls(problem, 0.5 * found)):
        other = _full_steps(problem, *begin, steps)
        better = problem.cost(problem.residuals(*other)) < problem.cost(problem.residuals(second, third))
        second, third = _where(better, other[0], second), _where(better, other[1], third)
    return second, third


def _full_steps(problem: _Problem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
    """Gauss-Newton with measured derivatives, damped where a step fails, until nothing is gained."""
    tangents = np.concatenate([_tangent(problem.first, second), _tangent(problem.last, third)])
    active, damping = np.arange(len(second)), np.full(len(second), 1e-6)
    for _ in range(steps):
        part, now = problem.chosen(active), tangents[:, active]
        residuals = _residuals(part, now)
        before = part.cost(residuals)
        tried = _shortened(now + _step(part, now, residuals, damping[active]))
        after = part.cost(_residuals(part, tried))
        better = after < before
        tangents[:, active[better]] = tried[:, better]
        damping[active] = np.where(better, 0.1, 100.0) * np.maximum(damping[active], 1e-5)
        active = active[
            np.where(better, after < (1.0 - _LEAST_GAIN) * before, damping[active] < _MOST_DAMPING)
        ]
        if not active.size:
            break
    return _controls(problem, tangents)


def _step(problem: _Problem, tangents: Array, residuals: Array, damping: Array) -> Array:
    """(6, N) change of both tangents that solves the linearised problem.

    A tangent of half a turn cannot grow: beyond, slerp goes round the other way. Where the
    solution asks for it, the change is kept at right angles to the tangent.
    """
    columns = []
    for unknown in range(6):
        moved = np.array(tangents)
        moved[unknown] += _PROBE
        columns.append((residuals - _residuals(problem, moved)) / _PROBE)
    stacked = np.stack(columns)
    row, column = np.tril_indices(6)
    matrix = np.empty((tangents.shape[1], 6, 6))
    products = problem.samples.sums(np.einsum("pcm,pcm->pm", stacked[row], stacked[column])).T
    matrix[:, row, column] = matrix[:, column, row] = products
    right = problem.samples.sums(np.einsum("pcm,cm->pm", stacked, residuals)).T[..., None]
    size = np.trace(matrix, axis1=1, axis2=2) / 6.0
    free = _free_directions(tangents, right[..., 0])
    matrix, right = free @ matrix @ free, free @ right
    matrix += ((damping + 1e-9) * size + 1e-300)[:, None, None] * np.eye(6)
    return np.asarray(np.linalg.solve(matrix, right)[..., 0].T, dtype=np.float64)


def _free_directions(tangents: Array, descent: Array) -> Array:
    """(N, 6, 6) projections that take away growth of tangents which have their full length."""
    free = np.tile(np.eye(6), (tangents.shape[1], 1, 1))
    for part in (slice(0, 3), slice(3, 6)):
        length = np.sqrt((tangents[part] ** 2).sum(axis=0))
        axis = tangents[part] / np.where(length == 0.0, 1.0, length)
        full = (length > _LONGEST_TANGENT - 0.01) & ((axis * descent.T[part]).sum(axis=0) > 0.0)
        free[:, part, part] -= np.einsum("an,bn->nab", axis * full, axis)
    return free


def _shortened(tangents: Array) -> Array:
    """Both tangents cut to their full length."""
    result = np.array(tangents)
    for part in (slice(0, 3), slice(3, 6)):
        length = np.sqrt((result[part] ** 2).sum(axis=0))
        result[part] *= np.minimum(1.0, _LONGEST_TANGENT / np.where(length == 0.0, 1.0, length))
    return result


def _tangent(knots: Array, controls: Array) -> Array:
    """(3, N) rotation vectors from knots to controls, in the knots' own axes."""
    return quaternion.log(quaternion.multiply(quaternion.conjugate(knots), controls)).T


def _controls(problem: _Problem, tangents: Array) -> tuple[Array, Array]:
    second = quaternion.multiply(problem.first, quaternion.exp(tangents[:3].T))
    return second, quaternion.multiply(problem.last, quaternion.exp(tangents[3:].T))


def _residuals(problem: _Problem, tangents: Array) -> Array:
    return problem.residuals(*_controls(problem, tangents))


def _bend(problem: _Problem, second: Array, third: Array) -> Array:
    """(N,) largest angle between neighbouring controls."""
    controls = (problem.first, second, third, problem.last)
    angles = [quaternion.angle_between(a, b) for a, b in pairwise(controls)]
    bend: Array = np.max(angles, axis=0)
    return bend


def _direct(first: Array, last: Array) -> tuple[Array, Array]:
    """Inner controls on thirds of the shortest way."""
    return quaternion.slerp(first, last, 1.0 / 3.0), quaternion.slerp(first, last, 2.0 / 3.0)


def _turned(rotations: Array, vectors: Array) -> Array:
    """Rotations (N, 4) followed by a turn about (3, N) vectors in the parent's axes."""
    return quaternion.multiply(quaternion.exp(vectors.T), rotations)


def _where(flags: NDArray[np.bool_], yes: Array, no: Array) -> Array:
    return np.where(flags, yes.T, no.T).T
