"""Handles of some keys of a curve made longer, shorter, steeper or flat; keys and all other handles stay.

A way between two keys is shaped by the handle that leaves the first and the one that arrives at the second,
each counted from its key. Slopes of all components of a rotation change by the same factor, and so does its
speed.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from .keys import ALIGNED, BEZIER, FREE, LINEAR, SAME_FRAME, KeyArrays

Shape = Literal["auto", "straight", "flat"]

# Share of the way to the next key that a handle is made to reach.
_LONGEST = 2.0 / 3.0


def with_scaled_slopes(keys: KeyArrays, chosen: np.ndarray, arriving: float, leaving: float) -> KeyArrays:
    """Change how fast a curve passes keys.

    A factor below 1 makes the handle flatter and longer, so that the curve lingers at a key where it rests
    already; above 1 steeper and shorter.

    Args:
        keys: All keys of the curve.
        chosen: (K,) which of them.
        arriving: Factor on the way in; 1 changes nothing.
        leaving: Factor on the way out.
    """
    new = _copied(keys)
    for side, factor in ((-1, arriving), (1, leaving)):
        if factor == 1.0:
            continue
        for key, other in _segments(new, chosen, side):
            run, rise = _arm(new, key, side)
            longest = max(_LONGEST * abs(float(new["co"][other, 0] - new["co"][key, 0])), abs(run))
            length = min(abs(run) / factor if factor else np.inf, longest)
            slope = factor * rise / run
            _set_arm(new, key, side, side * length, slope * side * length)
    return _tied(keys, new, chosen, is_even=arriving == leaving)


def with_shape(
    keys: KeyArrays, chosen: np.ndarray, shape: Shape, arriving: float | None, leaving: float | None
) -> KeyArrays:
    """Give keys new handles, from the keys beside them alone.

    Args:
        keys: All keys of the curve.
        chosen: (K,) which of them.
        shape: "auto" passes with one slope, that from the key before to the key after; "straight" points at
            these; "flat" comes to rest.
        arriving: Factor on the slope of the way in; None leaves it.
        leaving: Factor on that of the way out.
    """
    new = _copied(keys)
    for side, factor in ((-1, arriving), (1, leaving)):
        if factor is None:
            continue
        for key, other in _segments(new, chosen, side):
            run = (new["co"][other, 0] - new["co"][key, 0]) / 3.0
            _set_arm(new, key, side, run, factor * _slope(new, key, other, shape) * run)
    return _tied(keys, new, chosen, is_even=arriving == leaving and shape != "straight")


def has_handles(keys: KeyArrays, chosen: np.ndarray) -> bool:
    """Whether handles of chosen keys count, or could: not where the ways beside them are stepped or have an easing."""
    return any(_segments(_copied(keys), chosen, side) for side in (-1, 1))


def _slope(keys: KeyArrays, key: int, other: int, shape: Shape) -> float:
    if shape == "flat":
        return 0.0
    first = max(key - 1, 0) if shape == "auto" else min(key, other)
    last = min(key + 1, len(keys["co"]) - 1) if shape == "auto" else max(key, other)
    (start, low), (end, high) = keys["co"][[first, last]].astype(np.float64)
    return float((high - low) / max(end - start, SAME_FRAME))


def _copied(keys: KeyArrays) -> KeyArrays:
    return {name: values.copy() for name, values in keys.items()}


def _segments(keys: KeyArrays, chosen: np.ndarray, side: int) -> list[tuple[int, int]]:
    """Chosen keys and the keys beside them, on the way to which handles count; straight ways get some."""
    found = []
    for key in np.flatnonzero(chosen).tolist():
        other = key + side
        first = min(key, other)
        if not 0 <= other < len(keys["co"]) or keys["interpolation"][first] not in (BEZIER, LINEAR):
            continue
        if keys["interpolation"][first] == LINEAR:
            _straighten(keys, first)
        found.append((key, other))
    return found


def _straighten(keys: KeyArrays, first: int) -> None:
    """Make the straight way after a key a curve that is straight."""
    third = (keys["co"][first + 1] - keys["co"][first]) / 3.0
    keys["handle_right"][first] = keys["co"][first] + third
    keys["handle_left"][first + 1] = keys["co"][first + 1] - third
    keys["handle_right_type"][first] = keys["handle_left_type"][first + 1] = FREE
    keys["interpolation"][first] = BEZIER


def _arm(keys: KeyArrays, key: int, side: int) -> tuple[float, float]:
    """Frames and value from a key to its handle, no longer than Blender takes it."""
    run, rise = (keys[_name(side)][key] - keys["co"][key]).astype(np.float64)
    other = key + side
    span = abs(float(keys["co"][other, 0] - keys["co"][key, 0])) if 0 <= other < len(keys["co"]) else abs(run)
    if abs(run) < SAME_FRAME:
        return side * span / 3.0, 0.0
    share = min(1.0, span / abs(run))
    return float(share * run), float(share * rise)


def _set_arm(keys: KeyArrays, key: int, side: int, run: float, rise: float) -> None:
    keys[_name(side)][key] = keys["co"][key] + np.array([run, rise], dtype=np.float32)


def _tied(old: KeyArrays, new: KeyArrays, chosen: np.ndarray, *, is_even: bool) -> KeyArrays:
    """With types that leave the handles of chosen keys where they are now."""
    moved = chosen & np.any([(old[name] != new[name]).any(axis=1) for name in ("handle_left", "handle_right")], axis=0)
    for name in ("handle_left_type", "handle_right_type"):
        joined = is_even & (old["handle_left_type"] != FREE) & (old["handle_right_type"] != FREE)
        new[name] = np.where(moved, np.where(joined, ALIGNED, FREE), new[name]).astype(old[name].dtype)
    return new


def _name(side: int) -> str:
    return "handle_left" if side < 0 else "handle_right"
