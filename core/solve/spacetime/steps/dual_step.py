"""The least change that meets linearized constraints, found through their multipliers: best where they are few."""

import numpy as np

from ....numerics import Array
from ..objective import Objective
from ..rows import Rows


class DualStep:
    """Steps for constraints at certain frames; what depends on the frames alone is worked out once."""

    def __init__(self, basis_rows: Array, objective: Objective, weights: Array) -> None:
        """Prepare.

        Args:
            basis_rows: (U, C) the basis at the constrained frames.
            objective: What makes a change large.
            weights: (D,) of the degrees of freedom.
        """
        self._response = objective.inverse @ basis_rows.T
        self._kernel = basis_rows @ self._response
        self._weights = weights

    @staticmethod
    def cost(rows: Rows) -> float:
        """About how many multiplications a step takes."""
        parts, degrees = rows.slopes.shape
        return float(parts * parts * degrees) + 0.4 * float(len(rows)) * len(rows) * len(rows)

    def __call__(self, rows: Rows, wanted: Array, give: Array) -> tuple[Array, Array]:
        """(C, D) controls of the least change whose rows are as wanted, and (R,) the multipliers.

        Args:
            rows: The linearized constraints.
            wanted: (R,) what slopes times change are to be.
            give: (R,) by how much a row gives way to its multiplier.
        """
        light = rows.slopes / self._weights
        parts = self._kernel[np.ix_(rows.part_frames, rows.part_frames)]
        parts *= light @ rows.slopes.T
        system = rows.summed(rows.summed(parts).T).T
        system[np.diag_indices_from(system)] += give
        multipliers = np.asarray(np.linalg.solve(system, wanted))
        pull = rows.pulled(multipliers, len(self._kernel)) / self._weights
        return np.asarray(self._response @ pull), multipliers
