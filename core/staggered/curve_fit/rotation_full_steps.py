"""Full Gauss-Newton steps for rotation splines that bend far (Appendix A).

The unknowns are the tangents at both ends, as rotation vectors. Much captured motion has its best
spline where one control is half a turn from the next, so steps slide along that limit.
"""

from itertools import product

import numpy as np

from ...numerics import Array
from ..layout import rows
from .rotation_equations import controls_of, cost_of, linearised, tangents_of
from .rotation_limits import TangentLimits, unit_tangents
from .rotation_problem import RotationProblem, chosen_controls, direct_controls, largest_bend

# Full steps end when one takes away less than this part of the cost, or fails at this damping.
_LEAST_GAIN = 2e-3
_MOST_DAMPING = 1e2

# Radians between neighbouring controls from which on there may be a better optimum elsewhere.
_FAR_ROUND = 2.5

# There full steps start again from this many of the most promising starts, ...
_STARTS = 2
# ... among which are both tangents with each of these lengths in radians, judged by this many samples.
_LENGTHS = (-3.0, -1.5, 0.0, 1.5, 3.0)
_FEW_SAMPLES = 12


def full_fit(problem: RotationProblem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
    """Full steps from the given controls; where they lead far round, from others too."""
    second, third = _full_steps(problem, second, third, steps)
    far = np.flatnonzero(largest_bend(problem, second, third) > _FAR_ROUND)
    if far.size:
        part = problem.chosen(far)
        found = _from_elsewhere(part, rows(second, far), rows(third, far), steps)
        # Steps that stalled at a fold of the cost often get on with fresh damping.
        second[far], third[far] = _full_steps(part, *found, steps)
    return second, third


def _from_elsewhere(problem: RotationProblem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
    """The best of what full steps find from the most promising other starts."""
    count, tangents = len(second), tangents_of(problem, second, third)
    starts = _promising(problem, _other_starts(problem, tangents))
    repeated = problem.chosen(np.tile(np.arange(count), _STARTS))
    others = _full_steps(repeated, *controls_of(repeated, starts.reshape(6, -1)), steps)
    costs = repeated.cost(repeated.residuals(*others)).reshape(_STARTS, count)
    best = np.argmin(costs, axis=0) * count + np.arange(count)
    better = costs.min(axis=0) < problem.cost(problem.residuals(second, third))
    return chosen_controls(better, rows(others[0], best), second), chosen_controls(better, rows(others[1], best), third)


def _other_starts(problem: RotationProblem, tangents: Array) -> Array:
    """(6, S, N) tangents: the direct way, and those found with other lengths, also to the other side.

    A control half a turn away can be left on the other side too, and steps never jump across.
    """
    direct = tangents_of(problem, *direct_controls(problem.first, problem.last))
    lengths = np.array(list(product(_LENGTHS, repeat=2)))
    scaled = np.repeat(lengths, 3, axis=1).T[..., None] * unit_tangents(tangents)[:, None]
    return np.concatenate([direct[:, None], scaled], axis=1)


def _promising(problem: RotationProblem, starts: Array) -> Array:
    """(6, _STARTS, N) the starts of every interval that cost least, by a few of its samples."""
    few = problem.thinned(_FEW_SAMPLES)
    costs = np.stack([cost_of(few, start) for start in starts.swapaxes(0, 1)])
    order = np.argsort(costs, axis=0, kind="stable")[:_STARTS]
    return np.take_along_axis(starts, order[None], axis=1)


def _full_steps(problem: RotationProblem, second: Array, third: Array, steps: int) -> tuple[Array, Array]:
    """Gauss-Newton with true derivatives, damped where a step fails, until nothing is gained."""
    tangents, count = tangents_of(problem, second, third), len(second)
    matrix, right, cost = np.empty((count, 6, 6)), np.empty((count, 6)), np.empty(count)
    active, moved, damping = np.arange(count), np.ones(count, dtype=np.bool_), np.full(count, 1e-6)
    for _ in range(steps):
        # An interval whose step failed stands where it stood, and keeps its equations.
        new = active[moved[active]]
        matrix[new], right[new], cost[new] = linearised(problem.chosen(new), tangents[:, new])
        part, now = problem.chosen(active), tangents[:, active]
        limits = TangentLimits.at(part, now)
        free = limits.free_directions(right[active])
        tried = limits.kept(part, now + _step(matrix[active], right[active], free, damping[active]))
        before, after = cost[active], cost_of(part, tried)
        better = moved[active] = after < before
        tangents[:, active[better]] = tried[:, better]
        damping[active] = np.where(better, 0.1, 100.0) * np.maximum(damping[active], 1e-5)
        active = active[np.where(better, after < (1.0 - _LEAST_GAIN) * before, damping[active] < _MOST_DAMPING)]
        if not active.size:
            break
    return controls_of(problem, tangents)


def _step(matrix: Array, right: Array, free: Array, damping: Array) -> Array:
    """(6, N) change of both tangents that solves the linearised problem in the free directions."""
    size = np.trace(matrix, axis1=1, axis2=2) / 6.0
    matrix, sides = free @ matrix @ free, free @ right[..., None]
    matrix += ((damping + 1e-9) * size + 1e-300)[:, None, None] * np.eye(6)
    return np.asarray(np.linalg.solve(matrix, sides)[..., 0].T, dtype=np.float64)
