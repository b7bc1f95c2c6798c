"""Channels that jump from value to value: switches between IK and FK, whom a hand follows, choices.

Their keys are constant and stay so; nothing ever lies between two of their values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .channels import Property, channels_of, new_curve
from .ends import ends_of_curves
from .key_splits import split_at
from .keys import CONSTANT, SAME_FRAME, KeyArrays, generated_keys, key_count, merged, read_keys, write_keys
from .numbers import is_whole, number_at

if TYPE_CHECKING:
    from bpy.types import FCurve, Object

    from .channels import Channels
    from .curve_keys import CurveChange


def is_stepped(prop: Property, curve: FCurve | None) -> bool:
    """Whether a single number jumps: by constant keys, or because it is a whole number."""
    if prop.size > 1 or (curve is not None and len(curve.modifiers)):
        return False
    kinds = read_keys(curve, "interpolation")["interpolation"] if curve is not None else np.empty(0)
    return bool(len(kinds) and (kinds == CONSTANT).all()) or is_whole(prop.owner, prop.path)


def stepped_names(channels: Channels) -> frozenset[str]:
    """Names of the scalar channels that jump."""
    return frozenset(prop.name for prop in channels.scalars if is_stepped(prop, channels.curves.get((prop, 0))))


def jumps_seldom(change: CurveChange) -> bool:
    """Whether the new values of a curve stand at most changed samples: not so where an edit lets it vary freely."""
    jumps = np.append(False, change.new[1:] != change.new[:-1]) & change.changed
    return bool(jumps.sum() <= 0.5 * change.changed.sum() + 1)


def change_steps(curve: FCurve, change: CurveChange, *, end: float | None) -> None:
    """Bring new values into a curve that jumps: into its keys, and into new ones where it jumps now.

    Args:
        curve: Its keys outside the changed samples stay; it may have none yet.
        change: Of this curve alone.
        end: Frame at which the action ends; without keys nothing comes after.
    """
    frames, new = change.frames, change.new
    keys = read_keys(curve)
    times = keys["co"][:, 0].astype(np.float64)
    rows = np.searchsorted(frames, times + SAME_FRAME) - 1
    inside = (rows >= 0) & (times < frames[-1] + 1.0 - SAME_FRAME)
    inside[inside] = change.changed[rows[inside]]
    for name in ("co", "handle_left", "handle_right"):
        keys[name][inside, 1] = new[rows[inside]]
    near = change.changed | np.roll(change.changed, 1)
    near[0] = change.changed[0]
    jumps = np.append(True, new[1:] != new[:-1]) & near
    wanted = [(float(frame), float(value)) for frame, value in zip(frames[jumps], new[jumps], strict=True)]
    if change.changed[-1] and end is not None and end > frames[-1] + SAME_FRAME:  # What comes after stays.
        wanted.append((float(frames[-1]) + 1.0, float(curve.evaluate(float(frames[-1]) + 1.0))))
    added = [pair for pair in wanted if not (np.abs(times - pair[0]) < SAME_FRAME).any()]
    if added:
        keys = merged(keys, generated_keys(*zip(*added, strict=True), interpolation=CONSTANT))
    write_keys(curve, keys)
    curve.update()


def hold_number(armature: Object, path: str, value: float, first: float, last: float) -> None:
    """Let a number of an armature have one value from one frame to another; before and after it stays as it is.

    Args:
        armature: What carries the action.
        path: Of the number.
        value: To be held.
        first: First frame.
        last: Last frame.
    """
    channels, prop = channels_of(armature), Property(armature, path)
    ends = ends_of_curves(channels.curves.values()) or (first, last)
    curve = channels.curves.get((prop, 0)) or new_curve(channels, prop, 0)
    around = [frame for frame in (first - 1.0, last + 1.0) if ends[0] <= frame <= ends[1]]
    present = float(number_at(armature, path) or 0.0)
    steps = {frame: curve.evaluate(frame) if key_count(curve) else present for frame in around} | {first: value}
    for frame in around:
        split_at(curve, frame)
    keys = read_keys(curve)
    times = keys["co"][:, 0]
    apart = (times < first - 1.0 - SAME_FRAME) | (times > last + 1.0 - SAME_FRAME)
    added = [frame for frame in sorted(steps) if not (np.abs(times[apart] - frame) < SAME_FRAME).any()]
    new = generated_keys(added, [steps[frame] for frame in added], interpolation=CONSTANT)
    write_keys(curve, merged({name: values[apart] for name, values in keys.items()}, new))
    curve.update()


def with_last_step(keys: KeyArrays) -> KeyArrays:
    """Keys of which the last is constant if all before it are: nothing follows that would tell."""
    kinds = keys["interpolation"].copy()
    kinds[-1:] = CONSTANT if (kinds[:-1] == CONSTANT).all() else kinds[-1:]
    return {**keys, "interpolation": kinds}


def steps_of(frames: np.ndarray, values: np.ndarray, before: float | None) -> np.ndarray:
    """(F,) samples that are keys of a curve that jumps: the first, those at which it jumps, and the last.

    Args:
        frames: (F,) samples.
        values: (F,) of them.
        before: Value before the first one; the first is a key in any case if not given.
    """
    chosen = np.append(True, values[1:] != values[:-1])
    chosen[0] = before is None or values[0] != before
    chosen[-1] = True
    return chosen[: len(frames)]
