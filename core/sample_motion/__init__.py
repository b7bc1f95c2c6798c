"""A motion of our own to try everything on: a figure walks, jumps, walks on, punches and settles."""

import math
from functools import lru_cache

import numpy as np

from ..motion import Motion
from . import mannequin
from .body_keys import body_curves
from .choreography import DURATION, SampleEvents, sample_events
from .figure import center_of_mass, sample_skeleton
from .figure_poses import pose

__all__ = ["SampleEvents", "center_of_mass", "mannequin", "sample_events", "sample_motion", "sample_skeleton"]

# The motion is made at least this finely, since the fall in the jump is integrated in time.
_FINE_RATE = 240.0


# Making it takes a while, and it is asked for again and again; motions cannot be changed.
@lru_cache(maxsize=4)
def sample_motion(rate: float = 30.0) -> Motion:
    """Make the sample motion.

    A stylised human of 24 joints, 1.75 m tall, z up, facing -y, walks, jumps, walks on, throws
    five punches (right, left, right, left, right) and comes to rest. `sample_events` tells when.

    Args:
        rate: Frames per second, at least 10. The motion is the same at every rate.
    """
    if not rate >= 10.0:
        raise ValueError("The sample motion needs at least 10 frames per second")
    finer = max(1, math.ceil(_FINE_RATE / rate))
    frames = math.floor(DURATION * rate) + 1
    times = np.arange(frames * finer) / (rate * finer)
    motion = pose(sample_skeleton(), body_curves(), times, rate)
    chosen = slice(0, frames * finer, finer)
    return Motion.build(
        motion.skeleton,
        np.array(motion.rotations[chosen]),
        rate=rate,
        locations=np.array(motion.locations[chosen]),
    )
