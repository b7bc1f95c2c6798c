"""Scalars that jump from value to value, such as switches: they are chosen and held, and never mixed."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .quaternion import Array

# Share of the way to a frame from which on rounding alone keeps a time from being that frame's.
REACHED = 1.0 - 1e-6
# Share of a time that is rounding.
_ROUNDING = 1e-9


def strongest(values: Sequence[Array], shares: Array) -> Array:
    """(F, ...) in every frame what that of several arrays (F, ...) has there whose share (F, P) is the largest."""
    chosen: Array = np.stack(values)[shares.argmax(axis=1), np.arange(len(shares))]
    return chosen


def stepped_offsets(times: Any, knots: Any, offsets: Any) -> Array:
    """(M, ...) offsets (K, ...) held from each knot to the next, and the first one also before it.

    Args:
        times: (M,) where they are asked for.
        knots: (K,) increasing times.
        offsets: (K, ...) what is held from there on.
    """
    times, knots = (np.asarray(each, dtype=np.float64) for each in (times, knots))
    # A knot that only rounding puts after a time counts as reached.
    reached = np.searchsorted(knots, times + _ROUNDING * (1.0 + np.abs(times)), side="right") - 1
    held: Array = np.asarray(offsets, dtype=np.float64)[np.maximum(reached, 0)]
    return held
