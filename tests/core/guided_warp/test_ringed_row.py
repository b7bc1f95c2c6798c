"""Rows of equations, also with rings: compared with whole matrices."""

from __future__ import annotations

import numpy as np
import pytest

from core.guided_warp.solver.ringed_row import RingedRow, solve_tridiagonal


def made_row(count, seed):
    random = np.random.default_rng(seed)
    beside = -(10.0 ** random.uniform(-3, 1, max(count - 1, 0)))
    main = 10.0 ** random.uniform(-3, 0, count)
    main[:-1] -= beside
    main[1:] -= beside
    return main, beside, random.normal(size=(3, count))


def matrix(main, beside):
    return np.diag(main) + np.diag(beside, 1) + np.diag(beside, -1)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 8, 9, 100, 1000])
def test_a_row_is_solved_as_its_matrix_is(count):
    main, beside, right = made_row(count, count)
    expected = np.linalg.solve(matrix(main, beside), right.T).T
    np.testing.assert_allclose(solve_tridiagonal(main, beside, right), expected, rtol=1e-8, atol=1e-10)


def test_one_right_side_is_enough():
    main, beside, right = made_row(12, 1)
    np.testing.assert_allclose(solve_tridiagonal(main, beside, right[0]), solve_tridiagonal(main, beside, right)[0])


@pytest.mark.parametrize("count", [5, 40])
def test_ties_close_rings(count):
    main, beside, right = made_row(count, count)
    ties, strengths = np.array([[0, count - 1], [1, 4]]), np.array([0.7, 20.0])
    whole = matrix(main, beside)
    for (one, other), strength in zip(ties, strengths, strict=True):
        step = np.zeros(count)
        step[one], step[other] = 1.0, -1.0
        whole += strength * np.outer(step, step)
    found = RingedRow(main, beside, ties, strengths).solve(right)
    np.testing.assert_allclose(found, np.linalg.solve(whole, right.T).T, rtol=1e-8, atol=1e-10)


def test_nothing_given_is_changed():
    main, beside, right = made_row(9, 2)
    before = [each.copy() for each in (main, beside, right)]
    solve_tridiagonal(main, beside, right)
    for each, same in zip((main, beside, right), before, strict=True):
        np.testing.assert_array_equal(each, same)
