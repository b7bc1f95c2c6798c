"""How far two poses are from each other: by their joints' places relative to the root (pose trees, 3.1)."""

import numpy as np

from ..motion import Motion
from ..numerics import Array


def pose_points(poses: Motion) -> Array:
    """(N, P) poses as points; their Euclidean distance is the root mean square over the joints.

    Scalars count as much as joints that move by the character's size, so that faces without bones
    can be told apart as well.
    """
    root = 1 if poses.skeleton.has_placement and len(poses.skeleton) > 1 else 0
    joints = poses.poses.positions[:, root:]
    relative = joints - joints[:, :1]
    size = float(np.ptp(poses.skeleton.rest_positions, axis=0).max()) or 1.0
    flat = np.concatenate([relative.reshape(len(poses), -1), size * poses.scalars], axis=1)
    count = max(1, relative.shape[1] + poses.scalars.shape[1])
    points: Array = flat / np.sqrt(count)
    return points
