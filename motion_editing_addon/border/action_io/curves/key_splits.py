"""Keys more on a curve that keeps its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .keys import ALIGNED, BEZIER, CONSTANT, FREE, SAME_FRAME, KeyArrays, generated_keys, merged, read_keys, write_keys

if TYPE_CHECKING:
    from bpy.types import FCurve

# Halvings that find a moment of a curve to the last bit.
_HALVINGS = 60
_BREAKDOWN = 2  # key type


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
        cut = _cut_at(_segments(keys, [before]), np.array([frame]))
        keys["handle_right"][[before]], keys["handle_left"][[after]] = cut[1], cut[5]
        new["handle_left"], new["co"], new["handle_right"] = cut[2:5]
        for arrays, numbers in ((keys, [before, after]), (new, [0])):
            arrays["handle_left_type"][numbers] = arrays["handle_right_type"][numbers] = FREE
    write_keys(curve, merged(keys, new))


def with_breakdowns(keys: KeyArrays, frames: np.ndarray, values: np.ndarray, tilts: np.ndarray) -> KeyArrays:
    """Keys of a curve with breakdowns among them.

    Automatic handles shape themselves. Handles that were set by hand are as long as their segment asks for: they
    would reach past a new key and bend the curve. So they are cut as the segment is, and the new key's continue them.

    Args:
        keys: All keys of the curve.
        frames: (N,) of the new keys in order, at most one between two others.
        values: (N,) their values.
        tilts: (N,) by how much the curve is to rise more there, a frame, than it does.
    """
    new = generated_keys(frames, values, interpolation=BEZIER)
    new["type"][:] = _BREAKDOWN
    kept = {name: array.copy() for name, array in keys.items()}
    before = np.searchsorted(keys["co"][:, 0], frames) - 1
    if len(keys["co"]):  # what steps goes on stepping
        new["interpolation"][keys["interpolation"][np.maximum(before, 0)] == CONSTANT] = CONSTANT
    chosen = np.flatnonzero((before >= 0) & (before < len(keys["co"]) - 1))
    chosen = chosen[_is_shaped(keys, before[chosen])]
    before = before[chosen]
    cut = _cut_at(_segments(keys, before), frames[chosen])
    kept["handle_right"][before], kept["handle_left"][before + 1] = cut[1], cut[5]
    run = cut[4] - cut[2]
    rise = run[:, 1] / np.maximum(run[:, 0], SAME_FRAME) + tilts[chosen]
    for name, handle in (("handle_left", cut[2]), ("handle_right", cut[4])):
        new[name][chosen, 0] = handle[:, 0]
        new[name][chosen, 1] = values[chosen] + rise * (handle[:, 0] - frames[chosen])
        new[f"{name}_type"][chosen] = ALIGNED
    return merged(kept, new)


def _is_shaped(keys: KeyArrays, before: np.ndarray) -> np.ndarray:
    """Whether a handle that was set by hand shapes the segment after each of some keys."""
    by_hand = np.isin(keys["handle_right_type"][before], (FREE, ALIGNED))
    by_hand |= np.isin(keys["handle_left_type"][before + 1], (FREE, ALIGNED))
    shaped: np.ndarray = by_hand & (keys["interpolation"][before] == BEZIER)
    return shaped


def _segments(keys: KeyArrays, before: np.ndarray | list[int]) -> np.ndarray:
    """(4, N, 2) control points of the segments after keys, with handles as short as Blender takes them."""
    after = np.asarray(before, dtype=np.intp) + 1
    start, end = (keys["co"][each].astype(np.float64) for each in (before, after))
    length = (end - start)[:, :1]
    arms = keys["handle_right"][before] - start, keys["handle_left"][after] - end
    out, back = (arm * np.minimum(1.0, length / np.maximum(np.abs(arm[:, :1]), SAME_FRAME)) for arm in arms)
    return np.stack([start, start + out, end + back, end])


def _cut_at(points: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """(7, N, 2) the control points of both parts of cubics that are cut at frames; they share the fourth."""
    low, high = np.zeros((len(frames), 1)), np.ones((len(frames), 1))
    for _halving in range(_HALVINGS):
        middle = 0.5 * (low + high)
        is_later = _cut(points, middle)[3, :, :1] < frames[:, None]
        low, high = np.where(is_later, middle, low), np.where(is_later, high, middle)
    return _cut(points, low)


def _cut(points: np.ndarray, share: np.ndarray) -> np.ndarray:
    """(7, N, 2) as above, cut at shares (N, 1) of the curves' parameter."""
    first, last = [points[0]], [points[3]]
    while len(points) > 1:
        points = (1.0 - share) * points[:-1] + share * points[1:]
        first.append(points[0])
        last.append(points[-1])
    return np.array([*first, *last[-2::-1]])
