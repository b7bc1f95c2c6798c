"""The pose that a motion plays around."""

from dataclasses import replace

import numpy as np

from ..motion import Motion
from ..numerics import Array, quaternion


def mean_pose(motion: Motion) -> Motion:
    """A motion of one frame: the mean of all poses, at the time of the first."""
    return replace(
        motion.part(0, 1),
        rotations=mean_rotations(motion.rotations),
        locations=motion.locations.mean(axis=0, keepdims=True),
        scales=motion.scales.mean(axis=0, keepdims=True),
    )


def mean_rotations(rotations: Array) -> Array:
    """(1, J, 4) the rotations nearest to rotations (F, J, 4) by the sum of squared sines of half the angles.

    It turns with the rotations as `quaternion.mean` does, and takes one pass instead of many.
    """
    components = np.moveaxis(rotations.T, 0, 1)
    products = components @ np.swapaxes(components, 1, 2)
    nearest = np.linalg.eigh(products)[1][..., -1]
    # The sign that most of the quaternions have.
    return quaternion.aligned(nearest, rotations.sum(axis=0))[None]
