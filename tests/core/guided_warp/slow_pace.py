"""The best pace by another way: a whole matrix and a general solver that knows nothing of rows and bounds of ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from core.guided_warp.solver.pace import PaceProblem


def slow_pace(problem: PaceProblem) -> Any:
    """(N,) the best pace."""
    count, unknowns = len(problem.widths), int(problem.unknowns.max()) + 1
    shown = np.zeros((count, unknowns))
    shown[np.arange(count), problem.unknowns] = 1.0
    steps = np.diff(np.eye(count), axis=0)
    around = np.eye(count)[-1] - np.eye(count)[0]
    weights = problem.stiffness * problem.widths
    quadratic = np.diag(weights) + steps.T @ np.diag(problem.links) @ steps + problem.closing * np.outer(around, around)
    quadratic, linear = shown.T @ quadratic @ shown, shown.T @ (weights * problem.wanted)
    low = [max(problem.low[problem.unknowns == each]) for each in range(unknowns)]
    high = [min(problem.high[problem.unknowns == each]) for each in range(unknowns)]
    given = np.flatnonzero(~np.isnan(problem.lengths))
    sums = np.array([shown.T @ (problem.widths * (problem.parts == part)) for part in given]).reshape(-1, unknowns)
    met = {"type": "eq", "fun": lambda x: sums @ x - problem.lengths[given], "jac": lambda _x: sums}
    found = minimize(
        lambda x: 0.5 * x @ quadratic @ x - linear @ x,
        np.clip(np.ones(unknowns), low, high),
        jac=lambda x: quadratic @ x - linear,
        bounds=list(zip(low, high, strict=True)),
        constraints=[met] if len(given) else [],
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-16},
    )
    return shown @ found.x
