"""Noise that a timing edit uncovers (section 6).

Captured joints in a row often carry noise that cancels out further down. Shifting them against
each other takes that away, and a fine shake appears at their descendants.
"""

from typing import Any

import numpy as np

from ...errors import TooFewFramesError
from ...motion import Motion
from ...numerics import Array, quaternion


def high_frequency_energy(motion: Motion) -> Array:
    """(J,) mean square of what a place has beyond its smoothed path, in squared units.

    The smoothed path is the 1/16 [1 4 6 4 1] mean: above a third of the highest frequency that
    the frames can hold, most of a motion counts as noise, below a tenth next to nothing does.
    """
    if len(motion) < 5:
        raise TooFewFramesError(f"Measuring noise needs 5 frames, the motion has {len(motion)}")
    places = motion.poses.positions
    # The fourth difference is sixteen times what the mean takes away.
    rest = np.diff(places, n=4, axis=0) / 16.0
    energy: Array = (rest * rest).sum(axis=2).mean(axis=0)
    return energy


def added_noise(before: Motion, after: Motion) -> Array:
    """(J,) high-frequency energy that an edit added at every joint; negative where it took some away."""
    return high_frequency_energy(after) - high_frequency_energy(before)


def smooth_chain(motion: Motion, joints: Any, *, radius: int = 2) -> Motion:
    """Average the rotations of some joints over neighbouring frames, to be done before staggering them.

    The average is the normalized quaternion mean. The window narrows towards both ends of the
    motion, whose first and last pose stay.

    Args:
        joints: Numbers of the joints, for example a spine's.
        radius: Frames averaged on each side; raise it for noise that is slower.
    """
    chosen, frames = np.asarray(joints, dtype=np.intp), np.arange(len(motion))
    reach = np.minimum(radius, np.minimum(frames, len(motion) - 1 - frames))
    rotations = np.array(motion.rotations)
    total = np.cumsum(rotations[:, chosen], axis=0)
    total = np.concatenate([np.zeros_like(total[:1]), total])
    mean = quaternion.normalize(total[frames + reach + 1] - total[frames - reach])
    rotations[:, chosen] = np.where((reach == 0)[:, None, None], rotations[:, chosen], mean)
    return motion.with_rotations(rotations)
