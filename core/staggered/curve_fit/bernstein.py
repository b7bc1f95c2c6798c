"""The two inner Bernstein polynomials of a cubic, and their normal equations for many intervals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from .interval_samples import IntervalSamples

# Below this part of its largest possible value the determinant says that the samples cannot
# tell the two inner controls apart: there are fewer than two, or they lie close together.
_SINGULAR = 1e-6


@dataclass(frozen=True, eq=False)
class InnerControls:
    """Least squares for the two inner controls of N cubics, whose ends are given.

    Attributes:
        samples: The samples that are fitted.
        first: (M,) weight of the first inner control at every sample.
        second: (M,) weight of the second.
        squares: (3, N) sums of first², first × second, second².
        solvable: (N,) the samples determine both controls.
    """

    samples: IntervalSamples
    first: Array
    second: Array
    squares: Array
    solvable: NDArray[np.bool_]

    @classmethod
    def of(cls, samples: IntervalSamples) -> "InnerControls":
        """Set up the normal equations."""
        t = samples.times
        first, second = 3.0 * t * (1.0 - t) ** 2, 3.0 * t**2 * (1.0 - t)
        squares = samples.sums(np.stack([first * first, first * second, second * second]))
        determinant = squares[0] * squares[2] - squares[1] ** 2
        solvable = determinant > _SINGULAR * squares[0] * squares[2]
        return cls(samples, first, second, squares, solvable)

    def solve(self, residuals: Array, for_second: Array | None = None) -> tuple[Array, Array]:
        """Best inner controls for (w, M) residuals, each (w, N); 0 where they are not determined.

        Args:
            residuals: What the controls should add.
            for_second: The same seen from the second control, if that differs.
        """
        right_first = self.samples.sums(residuals * self.first)
        right_second = self.samples.sums((residuals if for_second is None else for_second) * self.second)
        a, b, c = self.squares
        scale = np.where(self.solvable, 1.0 / np.where(self.solvable, a * c - b * b, 1.0), 0.0)
        return (c * right_first - b * right_second) * scale, (a * right_second - b * right_first) * scale
