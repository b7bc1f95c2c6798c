"""From the scene to pixels of a region, and room for things beside each other there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .shapes import Array

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class ScreenView:
    """How a region sees the scene; equal where it has not changed.

    Attributes:
        matrix: 16 numbers, row by row, from the scene to the region's clip space.
        size: Width and height of the region in pixels.
        pixel: UI scale.
    """

    matrix: tuple[float, ...]
    size: tuple[int, int]
    pixel: float = 1.0

    @classmethod
    def of(cls, matrix: Any, size: tuple[int, int], pixel: float = 1.0) -> ScreenView:
        """From a matrix of Blender."""
        return cls(tuple(float(number) for row in matrix for number in row), size, pixel)

    def pixels(self, places: Any) -> Array:
        """(N, 3) across, up, and the distance from the eye; not finite for what is behind it."""
        places = np.asarray(places, dtype=np.float64).reshape(-1, 3)
        clip = places @ self._rows[:, :3].T + self._rows[:, 3]
        depth = np.where(clip[:, 3] > 1e-6, clip[:, 3], np.nan)
        flat = (clip[:, :2] / depth[:, None] + 1.0) * 0.5 * self.size
        # A parallel projection has the same w everywhere: its z tells what is nearer.
        parallel = not np.any(self._rows[3, :3])
        return np.column_stack([flat, np.where(np.isfinite(depth), clip[:, 2], np.nan) if parallel else depth])

    def lengths(self, places: Any, lengths: Any) -> Array:
        """(N,) pixels that lengths in the scene take, seen flat on, at places."""
        clip = np.asarray(places, dtype=np.float64).reshape(-1, 3) @ self._rows[3, :3] + self._rows[3, 3]
        up = np.linalg.norm(self._rows[1, :3])
        return np.asarray(lengths) * up * 0.5 * self.size[1] / np.maximum(clip, 1e-6)

    @property
    def _rows(self) -> Array:
        return np.reshape(self.matrix, (4, 4))


def inside(pixels: Array, size: tuple[int, int]) -> Array:
    """(N,) whether places are in a region."""
    across, up = pixels[:, 0], pixels[:, 1]
    return np.asarray((across >= 0.0) & (up >= 0.0) & (across <= size[0]) & (up <= size[1]))


def free_boxes(
    candidates: Sequence[Sequence[Box]], taken: Sequence[Box] = (), *, gap: float = 0.0, most: int | None = None
) -> list[int | None]:
    """For each thing, the most important first, the first of its places that is free; None where there is no room.

    Args:
        candidates: For each thing the boxes (left, bottom, right, top) it could have, the best first.
        taken: Boxes that are not free from the beginning.
        gap: Least distance of two boxes.
        most: No more things than this get a place.
    """
    full = np.empty((len(taken) + len(candidates), 4))
    full[: len(taken)] = np.reshape(taken, (-1, 4))
    count, limit = len(taken), len(full) if most is None else len(taken) + most
    chosen: list[int | None] = []
    for places in candidates:
        has_room = (n for n, box in enumerate(places) if not _touches(box, full[:count], gap))
        number = next(has_room, None) if count < limit else None
        chosen.append(number)
        if number is not None:
            full[count] = places[number]
            count += 1
    return chosen


def _touches(box: Box, full: Array, gap: float) -> bool:
    left, bottom, right, top = box
    across = (full[:, 0] < right + gap) & (full[:, 2] + gap > left)
    return bool((across & (full[:, 1] < top + gap) & (full[:, 3] + gap > bottom)).any())
