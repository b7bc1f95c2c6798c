"""Interpolation of values at scattered places: linear radial basis functions and an affine part (pose trees, 3).

The affine part spans only the line, plane or space in which the places lie, so that one place, two
places and places in a row need no special treatment: along directions in which nothing was said the
values change only through the distances.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..numerics import Array

# Extent of the places along a direction, as a share of the largest, below which they are flat there.
_FLAT = 1e-6


@dataclass(frozen=True, eq=False)
class RadialBasis:
    """Values at any place that are exact at the given ones.

    Attributes:
        places: (N, 3) distinct, moved and scaled to the size of one.
        origin: (3,) their middle.
        size: Their extent.
        directions: (3, R) directions in which they spread.
        weights: (N + 1 + R, D) of the distances, of one and of the directions.
    """

    places: Array
    origin: Array
    size: float
    directions: Array
    weights: Array

    @classmethod
    def fit(cls, places: Any, values: Any) -> "RadialBasis":
        """Solve for the weights.

        Args:
            places: (N, 3) distinct places, one or more.
            values: (N, D) what is to be met there.
        """
        places, values = np.asarray(places, dtype=np.float64), np.asarray(values, dtype=np.float64)
        origin = places.mean(axis=0)
        size = float(np.abs(places - origin).max()) or 1.0
        scaled = (places - origin) / size
        empty = cls(scaled, origin, size, _spread(scaled), np.empty((0, 0)))
        system = empty._system()
        goal = np.zeros((len(system), values.shape[1]))
        goal[: len(places)] = values
        return replace(empty, weights=np.asarray(np.linalg.solve(system, goal)))

    def _system(self) -> Array:
        count, size = len(self.places), len(self.places) + 1 + self.directions.shape[1]
        system = np.zeros((size, size))
        self._fill(system[:count], self.places)
        system[count:, :count] = system[:count, count:].T
        return system

    def rows(self, places: Any) -> Array:
        """(M, N + 1 + R) distances, one and directions at places (M, 3)."""
        return self._rows((np.asarray(places, dtype=np.float64) - self.origin) / self.size)

    def _rows(self, scaled: Array) -> Array:
        rows = np.empty((len(scaled), len(self.places) + 1 + self.directions.shape[1]))
        self._fill(rows, scaled)
        return rows

    def _fill(self, rows: Array, scaled: Array) -> None:
        count = len(self.places)
        _put_distances(rows[:, :count], scaled, self._columns)
        rows[:, count] = 1.0
        rows[:, count + 1 :] = scaled @ self.directions

    @cached_property
    def _columns(self) -> Array:
        """(3, N) the places, one coordinate after the other."""
        return np.ascontiguousarray(self.places.T)

    def __call__(self, places: Any) -> Array:
        """(M, D) values at places (M, 3)."""
        values: Array = self.rows(places) @ self.weights
        return values


def _spread(scaled: Array) -> Array:
    """(3, R) directions in which places with their middle at zero spread."""
    squares, directions = np.linalg.eigh(scaled.T @ scaled)
    return np.ascontiguousarray(directions[:, squares > _FLAT**2 * max(1.0, squares[-1])])


def _put_distances(result: Array, one: Array, columns: Array, *, block: int = 32) -> None:
    """Distances (M, N) of places (M, 3) from others (3, N), in blocks that stay in cache.

    They come from differences, which keep a distance of zero exactly zero.
    """
    if len(one) == 1:
        x, y, z = squared = columns - one.T
        np.multiply(squared, squared, out=squared)
        x += y
        x += z
        np.sqrt(x, out=result[0])
        return
    difference = np.empty((min(block, len(one)), columns.shape[1]))
    for start in range(0, len(one), block):
        squares, part = result[start : start + block], one[start : start + block]
        buffer = difference[: len(part)]
        np.subtract(part[:, :1], columns[0], out=buffer)
        np.multiply(buffer, buffer, out=squares)
        for axis in (1, 2):
            np.subtract(part[:, axis : axis + 1], columns[axis], out=buffer)
            np.multiply(buffer, buffer, out=buffer)
            squares += buffer
        np.sqrt(squares, out=squares)
