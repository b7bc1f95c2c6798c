"""How unlike two moments of a motion are: all pairs, under the best horizontal alignment.

Moments are short windows of frames. Before two of them are compared, one is shifted along the ground
and turned about the up axis so that both lie on each other as well as possible (Kovar and Gleicher
2002, 2004). With c the centroid of a frame's joints, q = p - c and d = c minus its mean over the
window, the least mean square is

    D(i, j) = S_i + S_j - 2 box(Y Y') - 2 sqrt(A² + B²),
    A = box(Q Q') + d d',   B = box(Q R') + d e',

where box sums along the diagonal, Y are heights, Q the horizontal parts, and R and e the horizontal
parts turned by a quarter. Taking out centroids first keeps single precision exact wherever the body
goes; the products are few and large.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import NotFiniteError, TooFewFramesError
from ..numerics import Array
from ..wording import counted
from .view import screen_axes

Single = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class WindowGrid:
    """What is needed to compare all windows of a motion; a few numbers for each frame.

    Attributes:
        window: Frames of a window.
        heights: (F, J) weighted, less their mean.
        level: (F, 2 J) weighted horizontal parts, less their centroid.
        turned: (F, 2 J) the same turned by a quarter.
        drift: (N, 2 L) centroids of a window's frames, less their mean.
        turned_drift: (N, 2 L) the same turned by a quarter.
        squares: (N,) mean square of a window by itself.
    """

    window: int
    heights: Single
    level: Single
    turned: Single
    drift: Single
    turned_drift: Single
    squares: Single

    @classmethod
    def build(cls, positions: Any, up: Any, *, window: int, weights: Any = None) -> "WindowGrid":
        """Prepare the windows of a motion.

        Args:
            positions: (F, J, 3) joints, best in body heights.
            up: (3,) unit vector away from the ground.
            window: Frames of a window. Longer ones see more of the motion's speed; shorter ones end
                more exactly.
            weights: (J,) what each joint counts; all the same if not given.

        Raises:
            TooFewFramesError: The motion is shorter than a window.
            NotFiniteError: A position is NaN or infinite.
        """
        points = np.asarray(positions, dtype=np.float64)
        if len(points) < window:
            raise TooFewFramesError(f"Comparing moments needs {counted(window, 'frame')}, the motion has {len(points)}")
        if not np.isfinite(points).all():
            raise NotFiniteError("A bone's place is NaN or infinite; repair the motion's curves first")
        share = np.ones(points.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
        share = share / share.sum()
        right, upward, towards = screen_axes(0.0, up)
        seen = points @ np.stack([right, towards, upward], axis=1)
        centroid = np.einsum("j,fjc->fc", share, seen[..., :2])
        size = np.sqrt(share / window)
        level = (seen[..., :2] - centroid[:, None]) * size[:, None]
        heights = (seen[..., 2] - seen[..., 2].mean()) * size
        return cls._of_parts(level, heights, _drifts(centroid, window) / np.sqrt(window), window)

    @classmethod
    def _of_parts(cls, level: Array, heights: Array, drift: Array, window: int) -> "WindowGrid":
        own = (level**2).sum(axis=(1, 2)) + (heights**2).sum(axis=1)
        squares = np.convolve(own, np.ones(window), mode="valid") + (drift**2).sum(axis=(1, 2))
        flat, turned = (_flat(points) for points in (level, _quarter_turn(level)))
        drifts, turned_drifts = (_flat(points) for points in (drift, _quarter_turn(drift)))
        single = np.ascontiguousarray(heights, dtype=np.float32)
        return cls(window, single, flat, turned, drifts, turned_drifts, squares.astype(np.float32))

    def __len__(self) -> int:
        return len(self.squares)

    def squared(self, rows: slice, columns: slice) -> Single:
        """Mean squared distances of the windows that start at these frames; never below 0."""
        more = self.window - 1
        one, other = slice(rows.start, rows.stop + more), slice(columns.start, columns.stop + more)
        upright = diagonal_sums(self.heights[one] @ self.heights[other].T, self.window)
        along = diagonal_sums(self.level[one] @ self.level[other].T, self.window)
        across = diagonal_sums(self.level[one] @ self.turned[other].T, self.window)
        along += self.drift[rows] @ self.drift[columns].T
        across += self.drift[rows] @ self.turned_drift[columns].T
        along *= along
        across *= across
        along += across
        np.sqrt(along, out=along)
        along += upright
        along *= -2.0
        along += self.squares[rows, None]
        along += self.squares[columns]
        return np.maximum(along, 0.0, out=along)

    def distances(self, rows: slice, columns: slice) -> Single:
        """Root mean square distances of joints, in the units of the positions."""
        found: Single = np.sqrt(self.squared(rows, columns))
        return found


def diagonal_sums(table: Single, count: int) -> Single:
    """Sums of `count` entries down the diagonal from every entry, by doubling."""
    rows, columns = table.shape[0] - count + 1, table.shape[1] - count + 1
    total: Single | None = None
    done, power = 0, 1
    while power <= count:
        if count & power:
            part = table[done : done + rows, done : done + columns]
            total = part.copy() if total is None else np.add(total, part, out=total)
            done += power
        power *= 2
        if power <= count:
            half = power // 2
            table = table[:-half, :-half] + table[half:, half:]
    assert total is not None
    return total


def _drifts(centroid: Array, window: int) -> Array:
    """(N, L, 2) centroids of every window less their mean."""
    windows = np.lib.stride_tricks.sliding_window_view(centroid, window, axis=0).transpose(0, 2, 1)
    drifts: Array = windows - windows.mean(axis=1, keepdims=True)
    return drifts


def _quarter_turn(points: Array) -> Array:
    return np.stack([points[..., 1], -points[..., 0]], axis=-1)


def _flat(points: Array) -> Single:
    return np.ascontiguousarray(points.reshape(len(points), -1), dtype=np.float32)
