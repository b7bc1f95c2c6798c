"""The surface of a field of distances, as a mesh of squares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array

Field = Callable[[Array], Array]
# The corners of a cell, and the pairs of them that its twelve edges join.
_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_EDGES = np.array([(a, b) for a in range(8) for b in range(a) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1])
# Steps towards the surface, after a mesh through the middles of cells was found.
_STEPS = 3


def surface_of(field: Field, lowest: Array, highest: Array, cell: float) -> tuple[Array, Array]:
    """Vertices (V, 3) and squares (Q, 4) where the field is zero, within a box.

    Each cell that the surface passes through has one vertex, in the middle of where its edges are cut
    (surface nets); the squares join those of the four cells around a cut edge, and look outwards.

    Args:
        field: Distances of points (N, 3), negative inside.
        lowest: Corner of the box.
        highest: The opposite corner; the field has to be positive along the whole border.
        cell: Size of a cell.
    """
    counts = np.ceil((highest - lowest) / cell).astype(int) + 1
    grid = np.stack(np.meshgrid(*(np.arange(count) for count in counts), indexing="ij"), axis=-1)
    values = field(lowest + cell * grid.reshape(-1, 3)).reshape(counts)
    crossed, vertices = _cell_vertices(values)
    number = np.full(values.shape, -1)
    number[tuple(crossed.T)] = np.arange(len(crossed))
    return _settled(field, lowest + cell * vertices, cell), _squares(values, number)


def _cell_vertices(values: Array) -> tuple[NDArray[np.intp], Array]:
    """Cells (V, 3) that the surface passes through, and the vertex of each in steps of the grid."""
    inner = tuple(size - 1 for size in values.shape)
    shifted = [tuple(slice(c, c + n) for c, n in zip(corner, inner, strict=True)) for corner in _CORNERS]
    corners = np.stack([values[each] for each in shifted])
    inside = corners < 0.0
    crossed = np.argwhere(inside.any(axis=0) & ~inside.all(axis=0))
    at = corners[:, crossed[:, 0], crossed[:, 1], crossed[:, 2]].T
    first, second = at[:, _EDGES[:, 0]], at[:, _EDGES[:, 1]]
    cut = (first < 0.0) != (second < 0.0)
    share = np.where(cut, first / np.where(cut, first - second, 1.0), 0.0)
    places = _CORNERS[_EDGES[:, 0]] + share[..., None] * (_CORNERS[_EDGES[:, 1]] - _CORNERS[_EDGES[:, 0]])
    middles = (places * cut[..., None]).sum(axis=1) / cut.sum(axis=1)[:, None]
    return crossed, np.asarray(crossed + middles, dtype=np.float64)


def _squares(values: Array, number: Array) -> Array:
    """The square around every edge of the grid that the surface cuts."""
    squares = []
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        start, stop = (np.take(values, range(k, values.shape[axis] - 1 + k), axis) for k in (0, 1))
        cut = np.argwhere((start < 0.0) != (stop < 0.0))
        leaving = start[tuple(cut.T)] < 0.0
        around = np.repeat(cut[:, None], 4, axis=1)
        around[:, [1, 2], one] -= 1
        around[:, [2, 3], two] -= 1
        square = number[tuple(np.moveaxis(around, -1, 0))]
        squares.append(np.where(leaving[:, None], square, square[:, ::-1]))
    return np.concatenate(squares)


def _settled(field: Field, vertices: Array, cell: float) -> Array:
    """Vertices moved onto the surface, at most half a cell each time."""
    step = 0.05 * cell
    for _ in range(_STEPS):
        value = field(vertices)
        slopes = [(field(vertices + step * axis) - field(vertices - step * axis)) / (2.0 * step) for axis in np.eye(3)]
        slope = np.stack(slopes, axis=1)
        move = value / np.maximum((slope**2).sum(axis=1), 0.1)
        vertices = vertices - np.clip(move, -0.5 * cell, 0.5 * cell)[:, None] * slope
    return vertices
