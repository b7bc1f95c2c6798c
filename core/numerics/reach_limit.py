"""How far a limb reaches for a target: it slows down before it is straight, so that nothing pops."""

import numpy as np

from .quaternion import Array


def soft_reach(distance: Array, full: Array, span: Array, softness: float) -> Array:
    """(F,) the length that a limb takes for targets at a distance.

    The distance d is kept up to a start s, and beyond it approaches the full length L without ever
    stopping abruptly: s + w (1 - exp(-(d - s) / w)) with w = L - s. The start is (1 - softness) L, or
    the limb's length in the original motion where that is longer, so that straight poses stay so.

    Args:
        distance: (F,) from the limb's first joint to the target.
        full: (F,) length of the straight limb.
        span: (F,) length of the limb in the original motion.
        softness: Part of the full length, 0 to 1, over which the limb slows down; 0 switches it off.
    """
    start = np.minimum(np.maximum((1.0 - softness) * full, span), full)
    room = full - start
    beyond = np.maximum(distance - start, 0.0)
    slack = np.where(room > 0.0, room, 1.0)
    eased = start + room * -np.expm1(-beyond / slack)
    return np.where(beyond > 0.0, eased, distance)
