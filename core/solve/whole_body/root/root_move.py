"""Joints moved in the scene by their own locations."""

import numpy as np

from ....motion import Motion
from ....numerics import Array, quaternion


def moved(motion: Motion, joint: int, ways: Array) -> Motion:
    """The motion with a joint moved by (F, 3) ways in the scene, by its own location."""
    chosen = (ways != 0.0).any(axis=1)
    skeleton, parent = motion.skeleton, int(motion.skeleton.parents[joint])
    axes = quaternion.identity(len(motion)) if parent < 0 else motion.poses.rotations[:, parent]
    if skeleton.local_location[joint]:
        axes = quaternion.multiply(axes, skeleton.rest_offsets[0][joint])
    size = np.prod([np.ones(len(motion)), *(motion.scales[:, above, 0] for above in skeleton.ancestors(joint))], axis=0)
    shift = quaternion.rotate(quaternion.conjugate(axes), ways / size[:, None])
    locations = np.array(motion.locations.T).T
    locations[chosen, joint] += shift[chosen]
    return motion.with_locations(locations)


def lowered(motion: Motion, root: int, amounts: Array, up: Array) -> Motion:
    """The motion with its root moved down by amounts (F,) in units of the scene."""
    return moved(motion, root, -up * amounts[:, None])
