"""All keys of the active armature at a moment, and what an edit did to them. Runs inside Blender."""

from __future__ import annotations

import re
from dataclasses import dataclass

import bpy
import numpy as np

# Every attribute of a key that says where it is, in one row.
_PLACES = ("co", "handle_left", "handle_right")
# Frames between the shifts that are tried, and the largest one.
_STEP, _FARTHEST = 0.05, 30.0


@dataclass(frozen=True, eq=False)
class CurveSnapshot:
    """Keys and handles of every F-curve: (N, 6) frames and values by data path and index."""

    keys: dict[tuple[str, int], np.ndarray]

    def is_same(self, other: CurveSnapshot) -> bool:
        """Whether every key and handle is the same bit for bit."""
        return self.keys.keys() == other.keys.keys() and all(
            np.array_equal(rows, other.keys[curve]) for curve, rows in self.keys.items()
        )

    def at(self, frames: np.ndarray) -> np.ndarray:
        """(C, F) values of all curves; keys lie on every frame, so that straight lines between them do."""
        return np.array([np.interp(frames, rows[:, 0], rows[:, 1]) for rows in self.keys.values()])

    def shift_in(self, after: CurveSnapshot, first: float, last: float) -> float:
        """How many frames later a part of the motion is seen after an edit: the shift that fits best."""
        frames = np.arange(first, last + 0.5)
        wanted = self.at(frames)
        shifts = np.arange(-_FARTHEST, _FARTHEST + _STEP, _STEP)
        errors = [float(np.square(after.at(frames + shift) - wanted).sum()) for shift in shifts]
        return float(shifts[np.argmin(errors)])

    def changed(self, after: CurveSnapshot, by_more_than: float = 0.0) -> tuple[set[str], set[float]]:
        """Bones, and frames with a key before or after at which their curves have other values."""
        bones, frames = set(), set()
        for curve, rows in self.keys.items():
            new = after.keys[curve]
            keyed = np.union1d(rows[:, 0], new[:, 0])
            away = np.abs(np.interp(keyed, *rows[:, :2].T) - np.interp(keyed, *new[:, :2].T))
            other = keyed[away > by_more_than]
            if len(other):
                bones.add(re.findall(r'bones\["(.+?)"\]', curve[0])[0])
                frames |= set(other.tolist())
        return bones, frames


def snapshot() -> CurveSnapshot:
    """The active armature's keys as they are."""
    action = bpy.context.object.animation_data.action
    curves = [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]
    return CurveSnapshot({(curve.data_path, curve.array_index): _rows(curve) for curve in curves})


def _rows(curve: bpy.types.FCurve) -> np.ndarray:
    columns = []
    for name in _PLACES:
        values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get(name, values)
        columns.append(values.reshape(-1, 2))
    return np.concatenate(columns, axis=1)
