"""The way to the least change that takes less time: through the multipliers, or along the controls."""

from contextlib import suppress
from functools import cached_property

import numpy as np

from ....numerics import Array
from ..objective import Objective
from ..rows import Rows
from .banded_step import BandedStep
from .dual_step import DualStep


class StepChoice:
    """Steps for constraints at certain frames, each taken the quicker way."""

    def __init__(self, basis_rows: Array, objective: Objective, weights: Array) -> None:
        """Prepare.

        Args:
            basis_rows: (U, C) the basis at the constrained frames.
            objective: What makes a change large.
            weights: (D,) of the degrees of freedom.
        """
        self._given = basis_rows, objective, weights

    @cached_property
    def dual(self) -> DualStep:
        """Through the multipliers."""
        return DualStep(*self._given)

    @cached_property
    def banded(self) -> BandedStep:
        """Along the controls."""
        return BandedStep(*self._given)

    def scales(self, rows: Rows) -> Array:
        """(R,) about how far a unit of each multiplier moves its row: never zero."""
        basis_rows, objective, weights = self._given
        return objective.row_scales(rows, basis_rows, weights)

    def __call__(self, rows: Rows, wanted: Array, give: Array) -> tuple[Array, Array]:
        """(C, D) controls of the least change whose rows are as wanted, and (R,) the multipliers."""
        if not len(rows):
            basis_rows, _, weights = self._given
            return np.zeros((basis_rows.shape[1], len(weights))), np.empty(0)
        if DualStep.cost(rows) > self.banded.cost(rows):
            with suppress(np.linalg.LinAlgError):
                return self.banded(rows, wanted, give)
        # Fewer rows, or objectives that rounding has spoiled for the other way.
        return self.dual(rows, wanted, give)
