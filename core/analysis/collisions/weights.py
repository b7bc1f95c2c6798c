"""Which frames the icons of a timeline should show: those in which characters hit each other."""

import numpy as np

from ...numerics import Array
from .found import Collisions

# Frames before and after a collision that are still preferred.
_NEIGHBOURS = 3


def key_pose_weights(collisions: Collisions) -> Array:
    """(F,) preference of frames for `core.timeline.key_poses`.

    The first and the deepest frame of every collision have the full weight, so that each hit gets its
    icons before any other frame. The rest of the collision has a tenth, which falls to nothing over the
    neighbours: preferred among frames that tell as much, without filling the strip with one long hold.
    """
    weights = np.zeros(collisions.frame_count)
    frames = np.arange(collisions.frame_count)
    for first, last in collisions.spans:
        apart = np.maximum(np.maximum(first - frames, frames - last), 0)
        np.maximum(weights, 0.1 * np.maximum(1.0 - apart / (_NEIGHBOURS + 1), 0.0), out=weights)
    for span in collisions.spans:
        weights[[span[0], collisions.deepest_frame(span)]] = 1.0
    return weights
