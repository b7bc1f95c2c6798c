"""Full Gauss-Newton steps for rotation splines that bend far (Appendix A).

The unknowns are the tangents at both ends, as rotation vectors. Half a turn is as long as a
tangent can be, and much captured motion has its best spline there; so steps slide along that limit.
"""

import numpy as np

from .. import quaternion
from ..quaternion import Array
from .layout import rows
from .rotation_problem import RotationProblem, chosen_controls, direct_controls, largest_bend

# Radians by which a control is turned to measure a derivative.
_PROBE = 1e-6

# Full steps end when one takes away less than this part of the cost, or fails at this damping.
_LEAST_GAIN = 2e-3
_MOST_DAMPING = 1e2

# Radians between neighbouring controls from which on there may be a better optimum elsewhere.
_FAR_ROUND = 2.5

# A little less than half a turn, so that slerp goes the way that is meant.
_LONGEST_TANGENT = 3.14


def full_fit(problem: RotationProblem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
    """Full steps from the given controls; where they lead far round, from others too."""
    second, third = _full_steps(problem, second, third, steps)
    far = np.flatnonzero(largest_bend(problem, second, third) > _FAR_ROUND)
    if far.size:
        part = problem.chosen(far)
        second[far], third[far] = _from_elsewhere(part, rows(second, far), rows(third, far), steps)
    return second, third


def _from_elsewhere(problem: RotationProblem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
    """The best of what full steps find from the direct way and from shorter tangents."""
    count = len(second)
    shorter = 0.5 * np.concatenate([_tangent(problem.first, second), _tangent(problem.last, third)])
    direct, near = direct_controls(problem.first, problem.last), _controls(problem, shorter)
    twice = problem.chosen(np.tile(np.arange(count), 2))
    starts = np.concatenate([direct[0], near[0]]), np.concatenate([direct[1], near[1]])
    others = _full_steps(twice, starts[0], starts[1], steps)
    costs = twice.cost(twice.residuals(*others)).reshape(2, count)
    best = np.argmin(costs, axis=0) * count + np.arange(count)
    better = costs.min(axis=0) < problem.cost(problem.residuals(second, third))
    return chosen_controls(better, rows(others[0], best), second), chosen_controls(
        better, rows(others[1], best), third
    )


def _full_steps(problem: RotationProblem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
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


def _step(problem: RotationProblem, tangents: Array, residuals: Array, damping: Array) -> Array:
    """(6, N) change of both tangents that solves the linearised problem.

    A tangent of half a turn cannot grow: beyond, slerp goes round the other way. Where the
    solution asks for it, the change is kept at right angles to the tangent.
    """
    count = tangents.shape[1]
    # One evaluation of six copies, each with one unknown moved, costs far fewer calls than six.
    moved = (tangents[:, None] + _PROBE * np.eye(6)[..., None]).reshape(6, -1)
    probes = _residuals(problem.chosen(np.tile(np.arange(count), 6)), moved)
    stacked = (residuals[:, None] - probes.reshape(3, 6, -1)).swapaxes(0, 1) / _PROBE
    row, column = np.tril_indices(6)
    matrix = np.empty((count, 6, 6))
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


def _controls(problem: RotationProblem, tangents: Array) -> tuple[Array, Array]:
    second = quaternion.multiply(problem.first, quaternion.exp(tangents[:3].T))
    return second, quaternion.multiply(problem.last, quaternion.exp(tangents[3:].T))


def _residuals(problem: RotationProblem, tangents: Array) -> Array:
    return problem.residuals(*_controls(problem, tangents))
