"""Axes of bones as Euler angles and back, each frame for itself."""

from typing import Any

import numpy as np

from ...numerics import Array, quaternion, rotation_channels
from .. import matrices


def angles_of(rotations: Array, order: str, near: Any = None) -> Array:
    """(F, 3) Euler angles of (F, 3, 3) axes, each frame for itself."""
    turns = quaternion.from_matrix(rotations)[None]
    begin = np.zeros((len(rotations), 3)) if near is None else near
    angles: Array = rotation_channels.to_euler(turns, order, start=begin)[0]
    return angles


def turned(angles: Array, order: str) -> Array:
    """(F, 3, 3) axes of (F, 3) Euler angles."""
    return quaternion.to_matrix(rotation_channels.from_euler(angles, order))


def resized(rotation: Array, sizes: Array, own: Array) -> Array:
    """Matrices of axes and sizes at the place of others."""
    return matrices.affine(rotation * sizes[:, None, :], own[:, :3, 3])
