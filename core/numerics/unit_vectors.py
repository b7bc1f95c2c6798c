"""Vectors brought to length 1."""

import numpy as np

from .quaternion import Array


def unit(vectors: Array, *, shortest: float = 0.0) -> Array:
    """Vectors (..., N) brought to length 1; zero where they are no longer than the shortest that has a direction."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Array = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > shortest)
    return unit
