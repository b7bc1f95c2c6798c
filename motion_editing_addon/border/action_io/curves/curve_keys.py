"""Changing the keys of one F-curve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .keys import (
    ALIGNED,
    BEZIER,
    FREE,
    LINEAR,
    SAME_FRAME,
    VECTOR,
    KeyArrays,
    evaluated,
    generated_keys,
    merged,
    read_keys,
    write_keys,
)

if TYPE_CHECKING:
    from bpy.types import FCurve

# A curve with keys on this share of the sampled frames counts as baked.
_DENSE_SHARE = 0.8


@dataclass(frozen=True)
class CurveChange:
    """New values for the curves of one property.

    Attributes:
        frames: (F,) sampled frames.
        old: (F, components) or (F,) evaluated values before.
        new: Values after; equal to old where nothing changed.
        changed: (F,) samples that the edit changed.
        dense: Write every changed frame, not only those that have keys.
    """

    frames: np.ndarray
    old: np.ndarray
    new: np.ndarray
    changed: np.ndarray
    dense: bool

    def component(self, index: int) -> CurveChange:
        """The change of one component's curve."""
        return replace(self, old=self.old[:, index], new=self.new[:, index])

    def everywhere(self) -> CurveChange:
        """The same change, told at all samples."""
        return replace(self, changed=np.ones_like(self.changed))

    def for_new_curve(self, key_frames: np.ndarray) -> CurveChange:
        """The change for a channel without keys: one sample more on both sides holds the old value."""
        beside = np.zeros_like(self.changed)
        beside[:-1] |= self.changed[1:]
        beside[1:] |= self.changed[:-1]
        chosen = self.changed
        if not self.dense:
            keyed = np.abs(self.frames[:, None] - key_frames[None]).min(axis=1, initial=np.inf) < SAME_FRAME
            chosen = chosen & keyed if (chosen & keyed).any() else chosen
        return replace(self, changed=chosen | (beside & ~self.changed), dense=True)

    def held_outside(self, key_frames: np.ndarray) -> KeyArrays:
        """Keys that hold the old value right beside the samples, where the action goes on and the change does not."""
        first, last = self.frames[[0, -1]]
        starts, ends = (key_frames[0], key_frames[-1]) if len(key_frames) else (first, last)
        beside = ((0, first - 1.0, starts < first - SAME_FRAME), (-1, last + 1.0, ends > last))
        rows = [(frame, self.old[row]) for row, frame, goes_on in beside if goes_on and self.changed[row]]
        return generated_keys([frame for frame, _value in rows], [value for _frame, value in rows])


def is_dense(keys: np.ndarray, frames: np.ndarray) -> bool:
    """Whether a curve with these keys (K, 2) has one on nearly all of the sampled frames."""
    first, last = np.searchsorted(keys[:, 0], (frames[0] - SAME_FRAME, frames[-1] + SAME_FRAME))
    return bool(last - first > 2 and last - first >= _DENSE_SHARE * len(frames))


def change_keys(curve: FCurve, change: CurveChange) -> None:
    """Bring the new values into the keys that there are, and into every frame of a baked curve."""
    added = _keys_of_missing_frames(curve, change) if change.dense else None
    _change_existing_keys(curve, change)
    if added is not None:
        write_keys(curve, merged(read_keys(curve), added))
        curve.update()


def key_every_frame(curve: FCurve, change: CurveChange, *, interpolation: int = LINEAR) -> None:
    """Put one key on every frame that changed."""
    span = span_to_replace(read_keys(curve, "co")["co"][:, 0], change)
    keys = generated_keys(change.frames[span], change.new[span], interpolation=interpolation)
    replace_keys(curve, change.frames[span], keys)


def span_to_replace(keys: np.ndarray, change: CurveChange) -> slice:
    """The samples to replace: from the first to the last changed one, and on to the next kept keys.

    Without the latter the curve would bend differently on its way to a key farther away.
    """
    chosen = np.flatnonzero(change.changed)
    first, last = int(chosen[0]), int(chosen[-1])
    before = keys[keys < change.frames[first] - SAME_FRAME]
    after = keys[keys > change.frames[last] + SAME_FRAME]
    if before.size:
        first = int(np.searchsorted(change.frames, before[-1] + SAME_FRAME))
    if after.size:
        last = int(np.searchsorted(change.frames, after[0] - SAME_FRAME)) - 1
    return slice(first, last + 1)


def keys_alone(curve: FCurve, frames: np.ndarray) -> np.ndarray:
    """The curve at the frames as if it had no modifiers."""
    acting = [modifier for modifier in curve.modifiers if not modifier.mute]
    for modifier in acting:
        modifier.mute = True
    try:
        return evaluated(curve, frames)
    finally:
        for modifier in acting:
            modifier.mute = False


def _change_existing_keys(curve: FCurve, change: CurveChange) -> None:
    """Move the values of keys where the motion changed; frames and everything else stay."""
    arrays = read_keys(curve, "co", "handle_left_type", "handle_right_type", "interpolation")
    keys = arrays["co"]
    values = _values_at_keys(keys, change)
    moved = values != keys[:, 1]
    if not moved.any():
        return
    before = read_keys(curve, "handle_left", "handle_right") if _keeps_handles(arrays) else None
    rise = values - keys[:, 1]
    keys[:, 1] = values
    if before is not None:
        before["handle_left"][:, 1] += rise
        before["handle_right"][:, 1] += rise
    write_keys(curve, {"co": keys, **(before or {})})
    curve.update()
    if before is not None and not moved.all():
        _restore_far_handles(curve, before, moved)


def _values_at_keys(keys: np.ndarray, change: CurveChange) -> np.ndarray:
    """New value of every key; keys outside the changed samples keep theirs bit for bit."""
    position = np.searchsorted(change.frames, keys[:, 0] - SAME_FRAME)
    index = np.minimum(position, len(change.frames) - 1)
    on_sample = np.abs(change.frames[index] - keys[:, 0]) < SAME_FRAME
    values = keys[:, 1].copy()
    direct = on_sample & change.changed[index]
    # Where a modifier adds to the keys, the key takes the difference, so that the sum is right.
    plain = direct & (change.old[index] == keys[:, 1])
    values[plain] = change.new[index[plain]]
    added = direct & ~plain
    values[added] += change.new[index[added]] - change.old[index[added]]
    between = ~on_sample & (keys[:, 0] > change.frames[0]) & (keys[:, 0] < change.frames[-1])
    if between.any():
        difference = np.where(change.changed, change.new - change.old, 0.0)
        values[between] += np.interp(keys[between, 0], change.frames, difference).astype(np.float32)
    return values


def _keeps_handles(arrays: KeyArrays) -> bool:
    """Whether handles were set by hand, or shape the curve and may be touched far from the change."""
    by_hand = any(
        (arrays[side] == kind).any()
        for side in ("handle_left_type", "handle_right_type")
        for kind in (FREE, ALIGNED, VECTOR)
    )
    return by_hand or bool((arrays["interpolation"] == BEZIER).any())


def _restore_far_handles(curve: FCurve, before: KeyArrays, moved: np.ndarray) -> None:
    """Undo what recalculating did to automatic handles away from the moved keys.

    An automatic handle follows its two neighbours. Curves with continuous acceleration are
    left as Blender solved them, because there every handle depends on every key.
    """
    if curve.auto_smoothing != "NONE":
        return
    near = moved.copy()
    near[:-1] |= moved[1:]
    near[1:] |= moved[:-1]
    after = read_keys(curve, "handle_left", "handle_right")
    for name, handles in after.items():
        restored = np.where(near[:, None], handles, before[name])
        if not np.array_equal(restored, handles):
            write_keys(curve, {name: restored})


def _keys_of_missing_frames(curve: FCurve, change: CurveChange) -> KeyArrays | None:
    """Keys on changed frames of a baked curve that have none; None if all have one."""
    keys = read_keys(curve, "co")["co"][:, 0]
    index = np.searchsorted(keys, change.frames - SAME_FRAME)
    present = np.zeros(len(change.frames), dtype=np.bool_)
    inside = index < len(keys)
    present[inside] = np.abs(keys[index[inside]] - change.frames[inside]) < SAME_FRAME
    missing = change.changed & ~present
    if not missing.any():
        return None
    frames, new = change.frames[missing], change.new[missing]
    if len(curve.modifiers):  # They add to the keys.
        new = keys_alone(curve, frames) + new - change.old[missing]
    return generated_keys(frames, new)


def replace_keys(curve: FCurve, frames: np.ndarray, new: KeyArrays) -> None:
    """Put new keys in place of those within the given frames."""
    arrays = read_keys(curve)
    before = arrays["co"][:, 0] < frames[0] - SAME_FRAME
    after = arrays["co"][:, 0] > frames[-1] + SAME_FRAME
    # Automatic handles of the keys next to the new ones would turn and bend what was left alone.
    beside = [int(np.flatnonzero(before)[-1])] if before.any() else []
    beside += [int(np.flatnonzero(after)[0])] if after.any() else []
    arrays["handle_left_type"][beside] = arrays["handle_right_type"][beside] = FREE
    kept = before | after
    write_keys(curve, merged({name: values[kept] for name, values in arrays.items()}, new))
    curve.update()


def largest_miss(curve: FCurve, change: CurveChange) -> float:
    """How far the curve stays from the wanted values at the changed samples; sparse keys may miss some."""
    wanted = change.changed
    got = evaluated(curve, change.frames[wanted])
    return float(np.abs(got - change.new[wanted]).max(initial=0.0))
