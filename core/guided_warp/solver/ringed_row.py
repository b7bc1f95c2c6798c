"""Systems of equations in which every unknown meets its two neighbours only, also where the row closes to rings."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array

Ends = NDArray[np.intp]


def solve_tridiagonal(main: Array, beside: Array, right: Array) -> Array:
    """(..., N) unknowns by cyclic reduction: every other unknown is eliminated at once, again and again.

    The matrix must be symmetric, and its main diagonal must outweigh what is beside it.

    Args:
        main: (N,) main diagonal.
        beside: (N - 1,) what is above and below it.
        right: (..., N) right sides.
    """
    count = len(main)
    # Rows that say nothing make the number of rows 2, 4, 8, ... less one: every halving has a middle then.
    size = (1 << int(count).bit_length()) - 1
    diagonal, links, sums = np.ones(size), np.zeros(size - 1), np.zeros((*right.shape[:-1], size))
    diagonal[:count], links[: count - 1], sums[..., :count] = main, beside, right
    levels = []
    while len(diagonal) > 1:
        levels.append((diagonal, links, sums))
        diagonal, links, sums = _halved(diagonal, links, sums)
    found = sums / diagonal
    for diagonal, links, sums in reversed(levels):
        found = _filled(diagonal, links, sums, found)
    return found[..., :count]


def _halved(main: Array, beside: Array, right: Array) -> tuple[Array, Array, Array]:
    """The equations of every second unknown, the others put in."""
    before, after = -beside[::2] / main[:-1:2], -beside[1::2] / main[2::2]
    diagonal = main[1::2] + before * beside[::2] + after * beside[1::2]
    sums = right[..., 1::2] + before * right[..., :-1:2] + after * right[..., 2::2]
    return diagonal, after[:-1] * beside[2::2], sums


def _filled(main: Array, beside: Array, right: Array, known: Array) -> Array:
    """All unknowns, where every second one is known."""
    found = np.empty_like(right)
    found[..., 1::2] = known
    rest = right[..., ::2].copy()
    rest[..., 1:] -= beside[1::2] * known
    rest[..., :-1] -= beside[::2] * known
    found[..., ::2] = rest / main[::2]
    return found


@dataclass(frozen=True, eq=False)
class RingedRow:
    """Equations of a row of unknowns, some of which are tied to others far away: where a ring closes.

    Attributes:
        main: (N,) main diagonal, the ties not counted.
        beside: (N - 1,) what is above and below it.
        ties: (T, 2) unknowns whose difference counts too.
        strengths: (T,) how much each does, above 0.
    """

    main: Array
    beside: Array
    ties: Ends
    strengths: Array

    def solve(self, right: Array) -> Array:
        """(K, N) unknowns for right sides (K, N); each tie is a rank-one change of the row (Woodbury)."""
        if not len(self.ties):
            return solve_tridiagonal(self.main, self.beside, right)
        steps = np.zeros((len(self.ties), len(self.main)))
        rows = np.arange(len(self.ties))
        steps[rows, self.ties[:, 0]], steps[rows, self.ties[:, 1]] = 1.0, -1.0
        found = solve_tridiagonal(self.main, self.beside, np.concatenate([right, steps]))
        plain, answers = found[: len(right)], found[len(right) :]
        gaps = plain[:, self.ties[:, 0]] - plain[:, self.ties[:, 1]]
        inner = np.diag(1.0 / self.strengths) + answers[:, self.ties[:, 0]] - answers[:, self.ties[:, 1]]
        return plain - np.linalg.solve(inner.T, gaps.T).T @ answers
