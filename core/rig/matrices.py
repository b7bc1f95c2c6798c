"""Affine matrices of many frames at once: (F, 4, 4), the last row 0 0 0 1."""

from typing import Any

import numpy as np

from ..motion import orthogonal
from ..numerics import Array, quaternion

# Columns whose cosine is below this stand at right angles.
_RIGHT_ANGLE = 1e-5


def affine(basis: Any, place: Any) -> Array:
    """Matrices of (..., 3, 3) axes and (..., 3) places."""
    basis, place = np.asarray(basis), np.asarray(place)
    shape = np.broadcast_shapes(basis.shape[:-2], place.shape[:-1])
    matrices = np.zeros((*shape, 4, 4))
    matrices[..., :3, :3], matrices[..., :3, 3], matrices[..., 3, 3] = basis, place, 1.0
    return matrices


def inverse(matrices: Array) -> Array:
    """The inverse of each; of those without volume zero axes."""
    basis = matrices[..., :3, :3]
    x, y, z = basis[..., 0], basis[..., 1], basis[..., 2]
    rows = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], axis=-2)
    volume = (x * rows[..., 0, :]).sum(axis=-1)
    back = rows / np.where(np.abs(volume) > 1e-30, volume, np.inf)[..., None, None]
    return affine(back, -(back @ matrices[..., :3, 3, None])[..., 0])


def sizes(matrices: Array) -> Array:
    """(..., 3) lengths of the axes."""
    lengths: Array = np.sqrt((matrices[..., :3, :3] ** 2).sum(axis=-2))
    return lengths


def axes(matrices: Array) -> Array:
    """(..., 3, 3) axes of unit length."""
    lengths = sizes(matrices)
    unit: Array = matrices[..., :3, :3] / np.where(lengths > 0.0, lengths, 1.0)[..., None, :]
    return unit


def straight(matrices: Array, *, keep_scale: bool = False) -> Array:
    """(..., 3, 3) axes without shear; those that have none stay as they are."""
    basis = matrices[..., :3, :3]
    sheared = _is_sheared(basis)
    if not sheared.any():
        return basis if keep_scale else axes(matrices)
    return np.where(
        sheared[..., None, None], orthogonal(basis, keep_scale=keep_scale), basis if keep_scale else axes(matrices)
    )


def _is_sheared(basis: Array) -> Array:
    unit = basis / np.maximum(np.sqrt((basis**2).sum(axis=-2, keepdims=True)), 1e-30)
    cosines = [np.abs((unit[..., a] * unit[..., b]).sum(axis=-1)) for a, b in ((0, 1), (1, 2), (0, 2))]
    sheared: Array = np.maximum.reduce(cosines) > _RIGHT_ANGLE
    return sheared


def mixed(start: Array, end: Array, share: Any) -> Array:
    """Between two matrices: turns along the shortest way, places and stretch evenly.

    Args:
        start: (F, 4, 4).
        end: (F, 4, 4).
        share: (F,) or one number, 1 for the end.
    """
    weight = np.broadcast_to(np.asarray(share, dtype=np.float64), start.shape[:1])
    one, other = _rotations(start[:, :3, :3]), _rotations(end[:, :3, :3])
    turn = quaternion.to_matrix(quaternion.slerp(quaternion.from_matrix(one), quaternion.from_matrix(other), weight))
    stretches = [turned.swapaxes(-1, -2) @ basis[:, :3, :3] for turned, basis in ((one, start), (other, end))]
    stretch = stretches[0] + weight[:, None, None] * (stretches[1] - stretches[0])
    place = start[:, :3, 3] + weight[:, None] * (end[:, :3, 3] - start[:, :3, 3])
    return affine(turn @ stretch, place)


def _rotations(basis: Array) -> Array:
    """The rotation that is nearest to each (F, 3, 3): what is left without any stretch."""
    unit = basis / np.maximum(np.sqrt((basis**2).sum(axis=-2, keepdims=True)), 1e-30)
    sheared = _is_sheared(basis)
    if sheared.any():
        left, _sizes, right = np.linalg.svd(basis[sheared])
        unit[sheared] = left @ right
    mirrored = np.linalg.det(unit) < 0.0
    turned: Array = np.where(mirrored[:, None, None], -unit, unit) if mirrored.any() else unit
    return turned


def shortest_turns(starts: Array, ends: Array) -> Array:
    """(F, 3, 3) rotations by the shortest ways between (F, 3) unit vectors; any axis where they are opposite."""
    axis = np.cross(starts, ends)
    cosine = (starts * ends).sum(axis=-1)
    opposite = cosine < -1.0 + 1e-12
    if opposite.any():
        side = np.where(np.abs(starts[opposite, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
        axis[opposite] = np.cross(starts[opposite], side)
    turns = quaternion.normalize(np.concatenate([np.where(opposite, 0.0, 1.0 + cosine)[:, None], axis], axis=1))
    matrices: Array = quaternion.to_matrix(turns)
    return matrices
