"""Figures that walk on the spot: they are retargeted as if they travelled, and put back on the spot.

Their feet go back while they stand. Seen from the ground, which moves along with them, the figure travels and its feet
stand still; so all that is known about standing feet holds.
"""

import numpy as np

from ..body import Body
from ..motion import Motion
from ..numerics import Array
from ..solve.whole_body import moved


def ways_of(times: Array, velocity: Array) -> Array:
    """(F, 3) how far ground that moves at a velocity (3,), in units a second, has come."""
    return np.asarray((times - times[0])[:, None] * velocity)


def carried(motion: Motion, body: Body, ways: Array) -> Motion:
    """The whole figure moved by ways (F, 3): its root, and hands and feet that do not hang on it."""
    if not ways.any():
        return motion
    root = int(body.require("root"))
    ends = [limb.end for limb in body.limbs if limb.end is not None]
    loose = [end for end in ends if root not in (end, *motion.skeleton.ancestors(end))]
    for joint in (root, *loose):
        motion = moved(motion, joint, ways)
    return motion
