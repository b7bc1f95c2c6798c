"""Normal equations of the spline tangents of many intervals, linearised about what they are now."""

import numpy as np

from ...numerics import Array, quaternion
from .rotation_derivatives import spline_and_derivatives
from .rotation_problem import RotationProblem


def tangents_of(problem: RotationProblem, second: Array, third: Array) -> Array:
    """(6, N) rotation vectors from the ends to the inner controls, each in the axes of its end."""
    return np.concatenate([_tangent(problem.first, second), _tangent(problem.last, third)])


def controls_of(problem: RotationProblem, tangents: Array) -> tuple[Array, Array]:
    """Inner controls (N, 4) that (6, N) tangents lead to."""
    second = quaternion.multiply(problem.first, quaternion.exp(tangents[:3].T))
    return second, quaternion.multiply(problem.last, quaternion.exp(tangents[3:].T))


def cost_of(problem: RotationProblem, tangents: Array) -> Array:
    """(N,) sums of squared angles."""
    return problem.cost(problem.residuals(*controls_of(problem, tangents)))


def linearised(problem: RotationProblem, tangents: Array) -> tuple[Array, Array, Array]:
    """Matrices (N, 6, 6), right sides (N, 6) and costs (N,) about the present (6, N) tangents.

    The way to a sample is taken to change as the spline turns. For the gradient that is exact, and
    for the matrix it is the better the nearer the spline is.
    """
    controls, samples = controls_of(problem, tangents), problem.samples
    values, turns = spline_and_derivatives(problem.first, *controls, problem.last, samples.owner, samples.times)
    misses = problem.misses(values)
    matrix = np.empty((6, 6, tangents.shape[1]))
    for row in range(6):
        products = np.einsum("cp,cqp->qp", turns[:, row], turns[:, : row + 1])
        matrix[row, : row + 1] = matrix[: row + 1, row] = samples.sums(products)
    right = samples.sums(np.einsum("cqp,cp->qp", turns, misses))
    to_turns = _turns_by_tangents(problem, tangents)
    return (
        to_turns.swapaxes(1, 2) @ np.moveaxis(matrix, -1, 0) @ to_turns,
        np.einsum("nqr,qn->nr", to_turns, right),
        problem.cost(misses),
    )


def middle_turn(problem: RotationProblem, tangents: Array) -> tuple[Array, Array]:
    """(3, N) rotation vectors from the second to the third control, and (6, N) how their lengths grow.

    The lengths grow as the product of the (6, N) numbers with changes of the tangents.
    """
    second, third = controls_of(problem, tangents)
    turn = quaternion.log(quaternion.multiply(third, quaternion.conjugate(second))).T
    length = np.sqrt((turn * turn).sum(axis=0))
    axis = turn / np.where(length == 0.0, 1.0, length)
    growth = np.concatenate([-axis, axis])
    return turn, np.einsum("nqr,qn->rn", _turns_by_tangents(problem, tangents), growth)


def _tangent(knots: Array, controls: Array) -> Array:
    return quaternion.log(quaternion.multiply(quaternion.conjugate(knots), controls)).T


def _turns_by_tangents(problem: RotationProblem, tangents: Array) -> Array:
    """(N, 6, 6) small turns of both controls, in the parent's axes, by changes of the tangents."""
    result = np.zeros((tangents.shape[1], 6, 6))
    for ends, part in ((problem.first, slice(0, 3)), (problem.last, slice(3, 6))):
        result[:, part, part] = quaternion.to_matrix(ends) @ _turn_by_vector(tangents[part])
    return result


def _turn_by_vector(vectors: Array) -> Array:
    """(N, 3, 3) derivatives of the exponential: small turns by changes of (3, N) rotation vectors."""
    angle = np.sqrt((vectors * vectors).sum(axis=0))
    x, y, z = vectors
    zero = np.zeros_like(x)
    cross = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), -1, 0)
    # (1 - cos) / angle² and (angle - sin) / angle³, which near zero lose their digits.
    tiny = angle < 1e-3
    safe = np.where(tiny, 1.0, angle)
    across = np.where(tiny, 0.5, 0.5 * np.sinc(angle / (2.0 * np.pi)) ** 2)
    twice = np.where(tiny, 1.0 / 6.0, (safe - np.sin(safe)) / safe**3)
    turns: Array = np.eye(3) + across[:, None, None] * cross + twice[:, None, None] * (cross @ cross)
    return turns
