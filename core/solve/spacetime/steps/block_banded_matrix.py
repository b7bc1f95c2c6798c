"""Symmetric systems in which every block of unknowns meets only some blocks after it and before it."""

import numpy as np

from ....numerics import Array


class BlockBanded:
    """A positive definite system, factored once and solved for any number of right sides.

    Blocks are eliminated one after the other, each by its Cholesky factor. The factors' inverses are kept: they
    are as exact as the factors, and a product with them is the quickest way to solve that NumPy has.
    """

    def __init__(self, band: Array) -> None:
        """Factor in place.

        Args:
            band: (B, N, (W + 1) N) each block of rows, from the diagonal on over the next W blocks. What would be
                beyond the last block is zero.

        Raises:
            numpy.linalg.LinAlgError: The system is not positive definite.
        """
        blocks, size, wide = band.shape
        width = wide // size - 1
        self._inverses = np.empty((blocks, size, size))
        self._later = np.empty((blocks, size, width * size))
        for number, row in enumerate(band):
            self._inverses[number] = np.linalg.inv(np.linalg.cholesky(row[:, :size]))
            later = np.matmul(self._inverses[number], row[:, size:], out=self._later[number])
            taken = later.T @ later
            for after in range(min(width, blocks - number - 1)):
                start = after * size
                band[number + after + 1, :, : width * size - start] -= taken[start : start + size, start:]

    def solved(self, right: Array) -> Array:
        """(B, N) the solution for a right side (B, N)."""
        blocks, size = right.shape
        width = self._later.shape[2] // size
        padded = np.concatenate([right, np.zeros((width, size))])
        for number, (inverse, later) in enumerate(zip(self._inverses, self._later, strict=True)):
            padded[number] = inverse @ padded[number]
            padded[number + 1 : number + 1 + width] -= (padded[number] @ later).reshape(width, size)
        padded[blocks:] = 0.0
        for number in range(blocks - 1, -1, -1):
            known = self._later[number] @ padded[number + 1 : number + 1 + width].reshape(-1)
            padded[number] = (padded[number] - known) @ self._inverses[number]
        return padded[:blocks]
