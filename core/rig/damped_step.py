"""One step of selectively damped least squares, as Blender's inverse kinematics takes it (Buss and Kim 2005)."""

import numpy as np

from ..numerics import Array

# Blender's own numbers: the most that an angle changes in a step, and how much of a step is taken.
_LARGEST_TURN, _SHARE = np.pi / 4.0, 0.8


def damped_step(derivatives: Array, missing: Array, weights: Array) -> Array:
    """(F, D) changes of angles and lengths by selectively damped least squares.

    Args:
        derivatives: (F, 3, D) how the end moves.
        missing: (F, 3) what it has to move.
        weights: (D,) how readily each changes.
    """
    root = np.sqrt(weights)
    scaled = derivatives * root
    squares, left = np.linalg.eigh(scaled @ scaled.swapaxes(-1, -2))
    values = np.sqrt(np.maximum(squares, 0.0))
    known = values > 1e-10
    inverse = np.where(known, 1.0 / np.where(known, values, 1.0), 0.0)
    right = scaled.swapaxes(-1, -2) @ left * inverse[:, None, :]
    wanted = (left.swapaxes(-1, -2) @ missing[..., None])[..., 0] * inverse
    steps = right * wanted[:, None, :]
    norms = np.sqrt((scaled**2).sum(axis=1))
    spread = (np.abs(right) * norms[..., None]).sum(axis=1) * inverse
    allowed = _LARGEST_TURN / np.maximum(spread, 1.0)
    largest = (np.abs(steps) * root[:, None]).max(axis=1)
    damp = np.where(allowed < largest, allowed / np.where(largest > 0.0, largest, 1.0), 1.0)
    kept = np.minimum(damp[:, None, :] / weights[:, None], 1.0)
    changes = _SHARE * (kept * steps).sum(axis=-1) * weights
    most = np.abs(changes).max(axis=-1, keepdims=True)
    limited: Array = np.where(most > _LARGEST_TURN, changes * _LARGEST_TURN / (_LARGEST_TURN + most), changes)
    return limited
