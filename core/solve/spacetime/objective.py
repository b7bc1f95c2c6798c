"""What makes a change large: its size everywhere, or its size in some frequencies."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...numerics import Array, LowPass
from .rows import Rows
from .spline_basis import SplineBasis

# Share of the plain objective that is left where a change has no part in the frequencies that count:
# it keeps the problem solvable.
_PLAIN_SHARE = 1e-3
_RIDGE = 1e-9
# Controls whose curves are filtered at once: long motions would not fit into memory with all of them.
_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class Objective:
    """Size of a displacement, controls (C,) against each other.

    Attributes:
        gram: (C, C) positive definite.
    """

    gram: Array

    @cached_property
    def inverse(self) -> Array:
        """(C, C) of the gram."""
        return np.asarray(np.linalg.inv(self.gram))

    @cached_property
    def bandwidth(self) -> int:
        """How many controls apart two may be and still count together."""
        rows, columns = np.nonzero(self.gram)
        return int((columns - rows).max(initial=0))

    def size_of(self, controls: Array, weights: Array) -> float:
        """Of controls (C, D) whose degrees of freedom weigh (D,)."""
        return float(((controls * (self.gram @ controls)).sum(axis=0) * weights).sum())

    def row_scales(self, rows: Rows, basis_rows: Array, weights: Array) -> Array:
        """(R,) about how far a unit of each row's multiplier moves the row: never zero.

        Args:
            rows: Linearized constraints.
            basis_rows: (U, C) the basis at the constrained frames.
            weights: (D,) of the degrees of freedom.
        """
        looseness = (basis_rows**2 / np.diag(self.gram)).sum(axis=1)
        scales = rows.summed((rows.slopes**2 @ (1.0 / weights)) * looseness[rows.part_frames])
        return np.maximum(scales, 1e-6 * float(scales.max(initial=0.0)) or 1.0)

    @classmethod
    def least_change(cls, basis: SplineBasis, *, calm: float = 0.0) -> "Objective":
        """Every change counts by its square, frame by frame.

        Args:
            calm: Frames: a change that comes and goes within about so many counts for its swing as much as for
                its size. Raise it where an edit swings to the other side before and after.
        """
        gram = basis.gram()
        return cls._of(gram + calm**2 * basis.swing_gram() if calm else gram)

    @classmethod
    def least_change_above(cls, basis: SplineBasis, slow: LowPass, *, rate: float) -> "Objective":
        """Only what a low-pass filter would take away of the change counts: slow changes are nearly free.

        Args:
            slow: What may change freely.
            rate: Frames per second.
        """
        matrix = basis.matrix()
        missing = 1.0 - slow.factor(np.fft.rfftfreq(3 * len(matrix), 1.0 / rate).astype(np.float64))
        for start in range(0, matrix.shape[1], _AT_ONCE):
            columns = slice(start, start + _AT_ONCE)
            matrix[:, columns] = _filtered(matrix[:, columns], missing)
        return cls._of(matrix.T @ matrix + _PLAIN_SHARE * basis.gram())

    @classmethod
    def _of(cls, gram: Array) -> "Objective":
        return cls(gram + _RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram)))


def _filtered(curves: Array, factors: Array) -> Array:
    """(F, N) curves, their ends held on both sides, with their waves multiplied by factors."""
    frames = len(curves)
    padded = np.pad(curves, ((frames, frames), (0, 0)), mode="edge")
    waves = np.fft.rfft(padded, axis=0) * factors[:, None]
    return np.asarray(np.fft.irfft(waves, len(padded), axis=0)[frames : 2 * frames])
