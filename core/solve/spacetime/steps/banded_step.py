"""The least change that meets linearized constraints, found control by control along time: best where they are many.

With P = H + J' J / give the multipliers are (wanted - J x) / give, where P x = J' wanted / give. Controls that are
far apart in time do not meet in P: it is banded, and solving it costs as much as there are frames. Where rows
hardly give way, P would be ill-conditioned; there a larger give is used, and what is then missing is asked for again.
"""

import numpy as np
from numpy.typing import NDArray

from ....numerics import Array
from ..objective import Objective
from ..rows import Rows
from .block_banded_matrix import BlockBanded

Indices = NDArray[np.intp]
# Share of a row's own scale below which giving way would spoil the numbers, and how often to ask for what is missing.
_LEAST_GIVE = 1e-7
_ASKED = 2
# Share of what was wanted that may be missing in the end.
_MET = 1e-7


class BandedStep:
    """Steps for constraints at certain frames; quick for objectives that compare only controls near each other."""

    def __init__(self, basis_rows: Array, objective: Objective, weights: Array) -> None:
        """Prepare.

        Args:
            basis_rows: (U, C) the basis at the constrained frames.
            objective: What makes a change large.
            weights: (D,) of the degrees of freedom.
        """
        self._basis_rows = basis_rows
        self._objective = objective
        self._weights = weights
        there = basis_rows != 0.0
        self._first = there.argmax(axis=1)
        self._last = np.where(there.any(axis=1), basis_rows.shape[1] - 1 - there[:, ::-1].argmax(axis=1), 0)

    def cost(self, rows: Rows) -> float:
        """About how many multiplications a step takes."""
        width, degrees = self._width(rows), float(len(self._weights))
        factored = (1.5 + width + width * width) * self._basis_rows.shape[1] * degrees * degrees * degrees
        put_together = len(rows) * (width + 1) * (width + 1) * degrees * degrees
        return float(factored + put_together)

    def __call__(self, rows: Rows, wanted: Array, give: Array) -> tuple[Array, Array]:
        """(C, D) controls of the least change whose rows are as wanted, and (R,) the multipliers.

        Args:
            rows: The linearized constraints.
            wanted: (R,) what slopes times change are to be.
            give: (R,) by how much a row gives way to its multiplier.
        """
        safe = np.maximum(give, _LEAST_GIVE * self._objective.row_scales(rows, self._basis_rows, self._weights))
        factored = BlockBanded(self._band(rows, safe))
        controls = np.zeros((self._basis_rows.shape[1], len(self._weights)))
        multipliers, missing = np.zeros(len(rows)), wanted
        for _ in range(_ASKED):
            extra = factored.solved(self._basis_rows.T @ rows.pulled(missing / safe, len(self._basis_rows)))
            multipliers += (missing - rows.moved_by(self._basis_rows @ extra)) / safe
            controls += extra
            missing = wanted - rows.moved_by(self._basis_rows @ controls) - give * multipliers
            if np.abs(missing).max() <= _MET * np.abs(wanted).max():
                break
        return controls, multipliers

    def _width(self, rows: Rows) -> int:
        """How many controls apart two may be and still meet in a row or in the objective."""
        first, last = self._reach(rows)
        return max(self._objective.bandwidth, int((last - first).max(initial=0)))

    def _reach(self, rows: Rows) -> tuple[Indices, Indices]:
        """(R,) the first and the last control that move each row."""
        if rows.whole:
            return self._first[rows.part_frames], self._last[rows.part_frames]
        first, last = np.full(len(rows), self._basis_rows.shape[1]), np.zeros(len(rows), dtype=np.intp)
        np.minimum.at(first, rows.part_rows, self._first[rows.part_frames])
        np.maximum.at(last, rows.part_rows, self._last[rows.part_frames])
        return first, last

    def _band(self, rows: Rows, give: Array) -> Array:
        """(C, D, (W + 1) D) the system."""
        width, degrees = self._width(rows), len(self._weights)
        band = self._objective_band(width)
        first_of_parts = self._reach(rows)[0][rows.part_rows]
        basis_rows = np.pad(self._basis_rows, ((0, 0), (0, width)))
        for first in np.unique(first_of_parts):
            parts = np.flatnonzero(first_of_parts == first)
            wide = self._wide(rows, parts, basis_rows[:, first : first + width + 1], give)
            product = wide.T @ wide
            for after in range(min(width + 1, len(band) - first)):
                start = after * degrees
                band[first + after, :, : product.shape[1] - start] += product[start : start + degrees, start:]
        return band

    def _wide(self, rows: Rows, parts: Indices, basis_rows: Array, give: Array) -> Array:
        """(N, (W + 1) D) some rows, given by their parts, over the controls that move them."""
        factors = basis_rows[rows.part_frames[parts]] / np.sqrt(give[rows.part_rows[parts]])[:, None]
        wide = (factors[:, :, None] * rows.slopes[parts][:, None]).reshape(len(parts), -1)
        if rows.whole:
            return np.asarray(wide)
        order = np.argsort(rows.part_rows[parts], kind="stable")
        _, starts = np.unique(rows.part_rows[parts][order], return_index=True)
        return np.asarray(np.add.reduceat(wide[order], starts, axis=0))

    def _objective_band(self, width: int) -> Array:
        """(C, D, (W + 1) D) the objective's part of the system."""
        controls, degrees = len(self._objective.gram), len(self._weights)
        band = np.zeros((controls, degrees, width + 1, degrees))
        along = np.arange(degrees)
        for after in range(min(width + 1, controls)):
            diagonal = np.diagonal(self._objective.gram, after)
            band[: controls - after, along, after, along] = diagonal[:, None] * self._weights
        return band.reshape(controls, degrees, -1)
