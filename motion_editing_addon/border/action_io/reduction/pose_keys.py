"""Keys where a sparse curve passes poses that changed and has none there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..curves.curve_keys import CurveChange
from ..curves.key_splits import split_at, with_breakdowns
from ..curves.keys import BEZIER, CONSTANT, GENERATED, SAME_FRAME, read_keys, write_keys

if TYPE_CHECKING:
    from bpy.types import FCurve


@dataclass(frozen=True)
class PoseColumns:
    """Where a property passes poses.

    Attributes:
        samples: (K,) numbers of the samples, in order.
        changed: For each component the poses at which it changes.
    """

    samples: list[int]
    changed: list[list[int]]

    @classmethod
    def of(cls, change: CurveChange, samples: Iterable[int], *, is_new: bool) -> PoseColumns:
        """Compare the values before and after at the samples; a new property changes as a whole."""
        samples = list(samples)
        rows = (change.old[samples] != change.new[samples]) & change.changed[samples, None]
        if is_new:
            rows[:] = rows.any(axis=1, keepdims=True)
        return cls(samples, [np.flatnonzero(column).tolist() for column in rows.T])


def key_poses(
    curve: FCurve, change: CurveChange, samples: list[int], poses: list[int], *, stepped: bool = False
) -> None:
    """Key a curve at some poses.

    Beside a pose that had no key, and where there are none before or after one that had, the pose
    beside gets a key for what is there: the change reaches no further.

    Args:
        curve: With few keys, or none at all.
        change: New values of the curve.
        samples: (K,) numbers of the samples at which it passes poses, in order.
        poses: Numbers of the poses that changed.
        stepped: It jumps from key to key, also where it has none yet.
    """
    own = read_keys(curve, "co")["co"][:, 0]
    held = set()
    for pose in poses:
        frame = change.frames[samples[pose]]
        is_new = np.abs(own - frame).min(initial=np.inf) > SAME_FRAME
        if is_new or not (own < frame - SAME_FRAME).any():
            held.add(pose - 1)
        if is_new or not (own > frame + SAME_FRAME).any():
            held.add(pose + 1)
    for pose in sorted(held & set(range(len(samples))) - set(poses)):
        split_at(curve, float(change.frames[samples[pose]]))
        _insert(curve, change, samples[pose], CONSTANT if stepped else BEZIER)
    for pose in poses:
        _insert(curve, change, samples[pose], CONSTANT if stepped else BEZIER)


def _insert(curve: FCurve, change: CurveChange, sample: int, interpolation: int) -> None:
    """Put a key on a curve that has none there, as its keys are; handles of those that are not beside it stay."""
    frame = change.frames[[sample]]
    value = (change.new if change.changed[sample] else change.old)[[sample]].astype(np.float64)
    before = read_keys(curve)
    place = int(np.searchsorted(before["co"][:, 0], frame[0]))
    if np.abs(before["co"][:, 0] - frame).min(initial=np.inf) < SAME_FRAME:
        return
    keys = with_breakdowns(before, frame, value, np.zeros(1))
    keys["type"][place] = GENERATED
    kinds = before["interpolation"]
    keys["interpolation"][place] = kinds[max(place - 1, 0)] if len(kinds) else interpolation
    write_keys(curve, keys)
    curve.update()
    after = read_keys(curve, "handle_left", "handle_right")
    far = np.abs(np.arange(len(keys["co"])) - place) > 1
    for name, handles in after.items():
        kept = np.where(far[:, None], keys[name], handles)
        write_keys(curve, {name: kept})
