"""Rotations that come from single precision, as curves of an animation hold them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import quaternion

# Steps of single precision that the largest component may be away from its own: the length of such a quaternion is
# not quite one.
_STEPS = (0, 1, -1, 2, -2, 3, -3)


def single_quaternions(rotations: Any) -> NDArray[np.float32] | None:
    """Quaternions (..., 4) of single precision that normalized are these, bit for bit; None if there are none.

    Half the size, and what an animation has keyed: normalizing takes a quaternion off the numbers that single precision
    holds, by a factor which is all that has to be found.
    """
    rows = np.ascontiguousarray(rotations, dtype=np.float64).reshape(-1, 4)
    largest = np.abs(rows).max(axis=1, initial=0.0)
    known = largest.astype(np.float32).view(np.int32)
    found, left = np.empty(rows.shape, dtype=np.float32), np.arange(len(rows))
    for step in _STEPS:
        if left.size and (largest[left] > 0.0).all():
            factor = (known[left] + np.int32(step)).view(np.float32) / largest[left]
            single = (rows[left] * factor[:, None]).astype(np.float32)
            fits = (_bits(quaternion.normalize(single)) == _bits(rows[left])).all(axis=1)
            found[left[fits]], left = single[fits], left[~fits]
    return None if left.size else found.reshape(np.shape(rotations))


def _bits(values: Any) -> NDArray[np.int64]:
    return np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
