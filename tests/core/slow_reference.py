"""Obvious versions of fast algorithms: one frame, one joint, one curve at a time.

Nothing here is tuned; each function should be right at a glance. Tests compare the fast
versions with these.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from core.motion.skeleton import Skeleton
from core.numerics.quaternion import Array


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


def reduce_curve(times: Array, values: Array, tolerance: float, kind: str) -> list[int]:
    """Frames that become keys of one curve: from each key as far as the piece keeps the bound."""
    slopes = [_parabola_slope(times, values, frame) for frame in range(len(times))]
    keys, reach = [0], 2
    while keys[-1] < len(times) - 1:
        start = keys[-1]
        good, bad = start + 1, len(times)
        while good + 1 < bad:
            # Reach out, twice as far each time, until a piece fails; then halve the gap.
            end = min(start + reach, len(times) - 1) if bad == len(times) else (good + bad) // 2
            if _piece_keeps_bound(times, values, slopes, start, end, tolerance, kind):
                reach = 2 * (end - start) if bad == len(times) else reach
                good = end
            else:
                bad = end
        keys.append(good)
        reach = max(good - start, 2)
    return keys


def _parabola_slope(times: Array, values: Array, frame: int) -> float:
    near = np.clip(frame, 1, len(times) - 2) + np.array([-1, 0, 1]) if len(times) > 2 else np.arange(2)
    parabola = np.polyfit(times[near] - times[frame], values[near], len(near) - 1)
    return float(parabola[-2])


def _piece_keeps_bound(
    times: Array, values: Array, slopes: Any, start: int, end: int, tolerance: float, kind: str
) -> bool:
    middles = 0.5 * (times[start:end] + times[start + 1 : end + 1])
    straight = np.interp(middles, times, values)
    smooth = CubicHermiteSpline(times, values, slopes)(middles)
    inner = slice(start + 1, end)
    if kind == "SMOOTH":
        ends = [start, end]
        piece = CubicHermiteSpline(times[ends], values[ends], np.array(slopes)[ends])
    else:
        piece = _best_cubic(
            (times[start], values[start]),
            (times[end], values[end]),
            np.concatenate([times[inner], middles]),
            np.concatenate([values[inner], smooth]),
        )
    low, high = np.minimum(straight, smooth) - tolerance, np.maximum(straight, smooth) + tolerance
    fits_samples = np.abs(piece(times[inner]) - values[inner]).max() <= tolerance
    return bool(fits_samples and ((piece(middles) >= low) & (piece(middles) <= high)).all())


def _best_cubic(begin: Any, end: Any, times: Array, values: Array) -> Any:
    """The cubic through two points that lies nearest to the others."""

    def line(at: Array) -> Array:
        return np.interp(at, [begin[0], end[0]], [begin[1], end[1]])

    def bulges(at: Array) -> Array:
        part = (at - begin[0]) / (end[0] - begin[0])
        return np.stack([part * (1 - part) ** 2, part**2 * (1 - part)], axis=-1)

    size = np.linalg.lstsq(bulges(times), values - line(times), rcond=None)[0]
    return lambda at: line(at) + bulges(at) @ size
