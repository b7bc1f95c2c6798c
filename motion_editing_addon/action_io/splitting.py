"""A key more on a curve that keeps its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .keys import BEZIER, FREE, SAME_FRAME, generated_keys, merged, read_keys, write_keys

if TYPE_CHECKING:
    from bpy.types import FCurve

# Halvings that find a moment of a curve to the last bit.
_HALVINGS = 60


def split_at(curve: FCurve, frame: float) -> None:
    """Put a key on a curve between two of its keys; what the curve shows stays.

    Easings cannot be cut in two: there, at keys, and outside of all keys, nothing happens.
    """
    keys = read_keys(curve)
    after = int(np.searchsorted(keys["co"][:, 0], frame - SAME_FRAME))
    before = after - 1
    if before < 0 or after == len(keys["co"]) or abs(keys["co"][after, 0] - frame) <= SAME_FRAME:
        return
    kind = int(keys["interpolation"][before])
    if kind > BEZIER:
        return
    new = generated_keys([frame], [curve.evaluate(frame)], interpolation=kind)
    if kind == BEZIER:
        points = np.stack(
            [keys["co"][before], keys["handle_right"][before], keys["handle_left"][after], keys["co"][after]]
        )
        halves = _halves(_as_evaluated(points.astype(np.float64)), frame)
        keys["handle_right"][before], keys["handle_left"][after] = halves[1], halves[5]
        new["handle_left"][0], new["co"][0], new["handle_right"][0] = halves[2:5]
        for arrays, numbers in ((keys, [before, after]), (new, [0])):
            arrays["handle_left_type"][numbers] = arrays["handle_right_type"][numbers] = FREE
    write_keys(curve, merged(keys, new))


def _as_evaluated(points: np.ndarray) -> np.ndarray:
    """(4, 2) control points with handles as Blender shortens them, so that time never runs back."""
    length = points[3, 0] - points[0, 0]
    for key, handle in ((0, 1), (3, 2)):
        arm = points[handle] - points[key]
        points[handle] = points[key] + arm * min(1.0, length / max(abs(arm[0]), SAME_FRAME))
    return points


def _halves(points: np.ndarray, frame: float) -> np.ndarray:
    """(7, 2) the control points of both parts of a cubic that is cut at a frame; they share the fourth."""
    low, high = 0.0, 1.0
    for _halving in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _cut(points, middle)[3, 0] < frame else (low, middle)
    return _cut(points, low)


def _cut(points: np.ndarray, share: float) -> np.ndarray:
    """(7, 2) as above, cut at a share of the curve's parameter."""
    first, last = [points[0]], [points[3]]
    while len(points) > 1:
        points = (1.0 - share) * points[:-1] + share * points[1:]
        first.append(points[0])
        last.append(points[-1])
    return np.array([*first, *last[-2::-1]])
