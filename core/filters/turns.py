"""What leads from one rotation to another, also beyond half a turn."""

import numpy as np

from ..numerics import Array, quaternion

# Sine of half an angle below which the axis of a turn is lost in rounding.
_TINY = 1e-8


def turn_between(slow: Array, fast: Array) -> Array:
    """The turn, in the slow rotation's own axes, that leads from it to the fast one."""
    return quaternion.multiply(quaternion.conjugate(slow), fast)


def long_log(turns: Array) -> Array:
    """Rotation vectors (..., 3) of up to a whole turn: quaternions with continuous signs go on beyond half of it."""
    w, x, y, z = np.moveaxis(turns, -1, 0)
    sine = np.sqrt(x * x + y * y + z * z)
    tiny = sine < _TINY
    factor = np.where(tiny, 2.0, 2.0 * np.arctan2(sine, w) / np.where(tiny, 1.0, sine))
    return quaternion.stack(x * factor, y * factor, z * factor)
