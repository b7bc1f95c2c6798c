"""Groups of like poses, to be children of a node (pose trees, 3.2)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionEditError
from ..motion import Motion
from ..numerics import Array
from ..wording import counted
from .pose_distance import pose_points

_ROUNDS = 100


class ClusterError(MotionEditError):
    """Poses cannot be parted as asked."""


def cluster_poses(poses: Motion, count: int) -> NDArray[np.intp]:
    """(N,) number of the group that every pose belongs to, each group with one pose or more.

    Args:
        poses: One frame each.
        count: Of groups; from one to the number of poses.
    """
    if not 1 <= count <= len(poses):
        raise ClusterError(f"{counted(len(poses), 'pose')} can be parted into 1 to {len(poses)} groups, not {count}")
    return cluster_points(pose_points(poses), count)


def cluster_points(points: Any, count: int) -> NDArray[np.intp]:
    """K-means of points (N, P) from seeds that lie far apart: the same for the same points in any run."""
    points = np.asarray(points, dtype=np.float64)
    centres = points[_seeds(points, count)]
    groups = np.full(len(points), -1)
    for _ in range(_ROUNDS):
        nearest = _nearest(points, centres)
        if (nearest == groups).all():
            break
        groups = nearest
        centres = np.stack([points[groups == number].mean(axis=0) for number in range(len(centres))])
    return groups


def _seeds(points: Array, count: int) -> list[int]:
    """The point farthest from the middle, then ever the one farthest from all chosen before."""
    seeds = [int(np.argmax(_squares(points, points.mean(axis=0))))]
    distances = _squares(points, points[seeds[0]])
    while len(seeds) < count:
        distances[seeds] = -1.0  # also where points coincide, none is chosen twice
        seeds.append(int(np.argmax(distances)))
        distances = np.minimum(distances, _squares(points, points[seeds[-1]]))
    return seeds


def _nearest(points: Array, centres: Array) -> NDArray[np.intp]:
    """Nearest centre of every point; a centre that lost all its points takes the point farthest from its own."""
    distances = np.stack([_squares(points, centre) for centre in centres], axis=1)
    nearest: NDArray[np.intp] = np.argmin(distances, axis=1)
    for empty in np.setdiff1d(np.arange(len(centres)), nearest):
        crowded = np.bincount(nearest, minlength=len(centres))[nearest] > 1
        own = np.take_along_axis(distances, nearest[:, None], axis=1)[:, 0]
        nearest[np.argmax(np.where(crowded, own, -1.0))] = empty
    return nearest


def _squares(points: Array, centre: Array) -> Array:
    squares: Array = ((points - centre) ** 2).sum(axis=1)
    return squares
