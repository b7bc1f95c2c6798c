"""Solid and dashed shapes in the scene, as plain arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .shapes import TRIANGLES, Array, Picture, Shape, segments

# A cube from -1 to 1: corners counted in binary by x, y, z, its faces seen from outside, and how much
# light each gets as if from above and a little from the left, so that it looks solid from everywhere.
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
_FACES = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
_LIGHT = np.array([0.72, 0.66, 0.84, 0.6, 0.45, 1.0])
_EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)])


def cubes(matrices: Any, colours: Any) -> Shape:
    """Solid cubes to be drawn without their back faces.

    Args:
        matrices: (N, 4, 4) from a cube of half a side 1 to the scene.
        colours: One, or (N, 4).
    """
    corners, matrices = _cube_corners(matrices)
    every = np.broadcast_to(np.asarray(colours, dtype=np.float64), (len(corners), 4))
    faces = np.stack([_FACES[:, [0, 1, 2]], _FACES[:, [0, 2, 3]]], axis=1)  # (6, 2, 3)
    triangles = corners[:, faces]  # (N, 6, 2, 3, 3)
    mirrored = np.linalg.det(matrices[:, :3, :3]) < 0.0
    triangles[mirrored] = triangles[mirrored][..., ::-1, :]
    lit = np.repeat(every[:, None], 6, axis=1)
    lit[..., :3] *= _LIGHT[:, None]
    return Shape(TRIANGLES, triangles.reshape(-1, 3), np.repeat(lit.reshape(-1, 4), 6, axis=0))


def cube_edges(matrices: Any, colours: Any, width: float = 1.0) -> Shape:
    """The edges of the same cubes."""
    corners, _matrices = _cube_corners(matrices)
    every = np.broadcast_to(np.asarray(colours, dtype=np.float64), (len(corners), 4))
    ends = corners[:, _EDGES].reshape(-1, 2, 3)
    return segments(ends[:, 0], ends[:, 1], np.repeat(every, len(_EDGES), axis=0), width)


def _cube_corners(matrices: Any) -> tuple[Array, Array]:
    matrices = np.asarray(matrices, dtype=np.float64).reshape(-1, 4, 4)
    return _CORNERS @ matrices[:, :3, :3].swapaxes(1, 2) + matrices[:, None, :3, 3], matrices


def dashed(starts: Any, ends: Any, colours: Any, width: float = 1.0, *, dash: float) -> Shape:
    """Dashed lines from `starts` to `ends`, each (N, 3).

    Args:
        starts: First points.
        ends: Last points.
        colours: One, or (N, 4).
        width: In pixels at a UI scale of 1.
        dash: Length of a dash and of the gap behind it, in units of the scene.
    """
    starts, ends = (np.asarray(each, dtype=np.float64).reshape(-1, 3) for each in (starts, ends))
    every = np.broadcast_to(np.asarray(colours, dtype=np.float64), (len(starts), 4))
    counts = np.clip(np.linalg.norm(ends - starts, axis=1) / (2.0 * dash), 1, 200).astype(np.intp)
    line = np.repeat(np.arange(len(starts)), counts)
    number = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
    # A line of n dashes has n - 1 gaps: it begins and ends with a dash.
    share = 1.0 / (2.0 * counts[line] - 1.0)
    way, first = (ends - starts)[line], 2.0 * number * share
    return segments(
        starts[line] + first[:, None] * way, starts[line] + (first + share)[:, None] * way, every[line], width
    )


def dimmed(picture: Picture, share: float) -> Picture:
    """The same shapes, more transparent: for what is behind objects."""
    fainter = np.array([1.0, 1.0, 1.0, share])
    return Picture(
        tuple(Shape(each.kind, each.places, each.colours * fainter, each.size, each.offsets) for each in picture.shapes)
    )
