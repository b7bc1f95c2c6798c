"""Obvious versions of fast algorithms: one frame, one joint, one curve at a time.

Nothing here is tuned; each function should be right at a glance. Tests compare the fast
versions with these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.quaternion import Array
from core.skeleton import Skeleton


def rotation_matrix(rotation: Array) -> Array:
    """3x3 matrix of one unit quaternion: its columns are the turned axes, v + 2w(u×v) + 2u×(u×v)."""
    w, vector = rotation[0], rotation[1:]
    columns = []
    for axis in np.eye(3):
        across = np.cross(vector, axis)
        columns.append(axis + 2 * w * across + 2 * np.cross(vector, across))
    return np.array(columns).T


def transform(turn: Array, place: Array) -> Array:
    """4x4 matrix that applies the 3x3 matrix `turn`, then moves by `place`."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, place
    return matrix


def forward_kinematics(skeleton: Skeleton, rotations: Any, locations: Any, scales: Any) -> Array:
    """(F, J, 4, 4) global matrices of joints that follow their parents fully."""
    rest = [
        transform(rotation_matrix(turn), place)
        for turn, place in zip(skeleton.rest_rotations, skeleton.rest_positions, strict=True)
    ]
    result = np.empty((*np.shape(rotations)[:2], 4, 4))
    for frame in range(len(result)):
        for joint in range(len(skeleton)):
            result[frame, joint] = _global_matrix(
                skeleton, rest, joint, rotations[frame], locations[frame], scales[frame]
            )
    return result


def _global_matrix(
    skeleton: Skeleton, rest: list[Array], joint: int, rotations: Array, locations: Array, scales: Array
) -> Array:
    parent = skeleton.parents[joint]
    above, rest_above = np.eye(4), np.eye(4)
    if parent >= 0:
        above = _global_matrix(skeleton, rest, parent, rotations, locations, scales)
        rest_above = rest[parent]
    offset = np.linalg.inv(rest_above) @ rest[joint]
    location = np.zeros(3) if skeleton.connected[joint] else locations[joint]
    turned = transform(rotation_matrix(rotations[joint]) * scales[joint], np.zeros(3))
    if skeleton.local_location[joint]:
        return above @ offset @ transform(np.eye(3), location) @ turned
    return above @ transform(np.eye(3), location) @ offset @ turned
