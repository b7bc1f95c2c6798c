"""The solver: exact, whatever is held, tied, closed or left open."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_pace import slow_pace

from core.guided_warp.solver.pace import PaceProblem, solve_pace


def numbered(names):
    """Unknowns in order of where they first appear."""
    _, first, numbers = np.unique(names, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[numbers]


def tied(names, parts, *, start, turn, turns):
    """Let the intervals of several turns share their unknowns, as far as they are of one part."""
    names = names.copy()
    for place in range(start, min(start + turn * turns, len(names))):
        if parts[place] == parts[start]:
            names[place] = names[start + (place - start) % turn]
    return names


@st.composite
def problems(draw):
    count, seed = draw(st.integers(4, 40)), draw(st.integers(0, 10**6))
    random = np.random.default_rng(seed)
    widths, stiffness = random.uniform(0.5, 1.5, count) / 30.0, 10.0 ** random.uniform(-3.0, 0.0, count)
    links = np.minimum(stiffness[1:], stiffness[:-1]) * 10.0 ** random.uniform(-2.0, 0.0, count - 1)
    parts = np.unique(np.sort(random.integers(0, draw(st.integers(1, 3)), count)), return_inverse=True)[1]
    names = np.arange(count)
    if draw(st.booleans()):
        names = tied(names, parts, start=count // 4, turn=5, turns=4)
    held = (random.random(count) < 0.2) & (np.bincount(names, minlength=count)[names] == 1)
    low, high = np.where(held, 1.0, 0.25), np.where(held, 1.0, 4.0)
    least, most = (np.bincount(parts, widths * bound) for bound in (low, high))
    lengths = least + (most - least) * random.uniform(0.02, 0.6, len(least))
    if draw(st.booleans()):
        lengths[-1] = np.nan
    wanted = np.where(random.random(count) < 0.5, 1.0, random.uniform(0.3, 3.0, count))
    closing = draw(st.sampled_from([0.0, 0.01]))
    return PaceProblem(widths, wanted, stiffness, links, low, high, numbered(names), parts, lengths, closing)


@given(problems())
@settings(deadline=None, max_examples=60)
def test_no_other_pace_costs_less(problem):
    found, slow = solve_pace(problem), slow_pace(problem)
    assert problem.cost(found) <= problem.cost(slow) * (1.0 + 1e-6) + 1e-12


@given(problems())
@settings(deadline=None, max_examples=60)
def test_lengths_bounds_and_ties_are_met(problem):
    found = solve_pace(problem)
    sums = np.bincount(problem.parts, problem.widths * found)
    given_length = ~np.isnan(problem.lengths)
    np.testing.assert_allclose(sums[given_length], problem.lengths[given_length], atol=1e-9)
    assert (found >= problem.low - 1e-9).all()
    assert (found <= problem.high + 1e-9).all()
    for unknown in range(int(problem.unknowns.max()) + 1):
        assert np.ptp(found[problem.unknowns == unknown]) == 0.0


@pytest.mark.parametrize("share", [0.25, 0.26, 0.3, 3.99, 4.0])
def test_the_ends_of_what_is_possible_are_reached(share):
    count = 30
    widths, ones = np.full(count, 1.0 / 30.0), np.ones(count)
    stiffness = np.linspace(0.01, 1.0, count)
    problem = PaceProblem(
        widths, ones, stiffness, 0.3 * ones[1:], 0.25 * ones, 4.0 * ones, np.arange(count),
        np.zeros(count, dtype=int), np.array([share]),
    )  # fmt: skip
    assert (widths * solve_pace(problem)).sum() == pytest.approx(share, abs=1e-9)


def test_what_is_stiff_keeps_its_pace_and_the_rest_gives_way():
    count = 60
    stiffness = np.where(np.arange(count) < 30, 1.0, 0.001)
    ones = np.ones(count)
    problem = PaceProblem(
        ones / 30.0, ones, stiffness, 1e-6 * ones[1:], 0.25 * ones, 4.0 * ones, np.arange(count),
        np.zeros(count, dtype=int), np.array([1.6]),
    )  # fmt: skip
    found = solve_pace(problem)
    assert found[:29].min() > 0.99
    assert found[31:].max() < 0.7
