"""Where two motions are most alike: short windows compared under the best horizontal alignment."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..analysis import WindowGrid, feature_joints
from ..body import Body
from ..motion import Motion
from ..numerics import Array

Distances = NDArray[np.float32]
Allowed = NDArray[np.bool_]

# Moments a second that are compared first, and the most of each motion; the best are then compared at
# every frame.
_RATE, _MOST = 30.0, 1500


@dataclass(frozen=True)
class Moments:
    """Two windows that are alike.

    Attributes:
        first: Frame at which the window of the first motion begins.
        second: Frame at which that of the second begins.
        distance: Root mean square over joints and frames, in body heights.
    """

    first: int
    second: int
    distance: float


def compared_joints(motion: Motion, body: Body) -> Array:
    """(F, N, 3) joints that show what the body does, in body heights."""
    places = motion.poses.positions[:, list(feature_joints(body))]
    size = body.height or float(np.median(np.ptp(places, axis=1).max(axis=1))) or 1.0
    points: Array = places / size
    return points


def stride_of(rate: float, frames: int) -> int:
    """Every how many frames moments are compared at first."""
    return max(1, round(rate / _RATE), -(-frames // _MOST))


def window_distances(first: Array, second: Array, up: Any, *, window: int) -> Distances:
    """(N, M) distances of all windows of two sequences of joints (F, J, 3) and (G, J, 3)."""
    grid = WindowGrid.build(np.concatenate([first, second]), up, window=window)
    split, last = len(first), len(first) + len(second)
    return grid.distances(slice(0, split - window + 1), slice(split, last - window + 1))


def closest(first: Array, second: Array, up: Any, *, window: int, stride: int, allowed: Any = None) -> Moments:
    """The two windows that are most alike.

    Args:
        first: (F, J, 3) joints in body heights, `window` frames or more.
        second: (G, J, 3) likewise.
        up: (3,) unit vector away from the ground.
        window: Frames of a window.
        stride: Every how many frames windows are compared at first.
        allowed: Called with frames (N, 1) and (1, M) at which windows begin, tells which pairs count;
            all if not given. Of limited pairs only those count that are more alike than those beside
            them, unless there are none: else the nearest allowed ones would always win where the
            motion is slow.
    """
    row, column = _lowest(first[::stride], second[::stride], up, -(-window // stride), stride, allowed)
    reach = stride - 1
    top = max(0, min(stride * row - reach, len(first) - window))
    left = max(0, min(stride * column - reach, len(second) - window))
    one, other = first[top : top + 2 * reach + window], second[left : left + 2 * reach + window]
    distances = window_distances(one, other, up, window=window)
    row, column = _place_of_lowest(distances)
    return Moments(top + row, left + column, float(distances[row, column]))


def _lowest(one: Array, other: Array, up: Any, window: int, stride: int, allowed: Any) -> tuple[int, int]:
    distances = window_distances(one, other, up, window=window)
    if allowed is not None:
        rows, columns = (stride * np.arange(count) for count in distances.shape)
        distances = _limited(distances, np.broadcast_to(allowed(rows[:, None], columns[None]), distances.shape))
    return _place_of_lowest(distances)


def _place_of_lowest(distances: Distances) -> tuple[int, int]:
    row, column = np.unravel_index(int(np.argmin(distances)), distances.shape)
    return int(row), int(column)


def _limited(distances: Distances, allowed: Allowed) -> Distances:
    """Distances of the allowed pairs that no neighbour undercuts, or of all allowed pairs; else infinite."""
    padded = np.pad(distances, 1, constant_values=np.inf)
    rows, columns = distances.shape
    around = (
        padded[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if down or right
    )
    lowest = allowed.copy()
    for neighbours in around:
        lowest &= distances <= neighbours
    limited: Distances = np.where(lowest if lowest.any() else allowed, distances, np.float32(np.inf))
    return limited
