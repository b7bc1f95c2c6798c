"""Which properties differ between two motions, and their new values as channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.motion import Motion
from ....core.numerics import quaternion, rotation_channels, runs
from .clip import Clip, rotation_mode_of
from .curves.channels import Property

Change = tuple[Property, np.ndarray, np.ndarray]


def changed_values(clip: Clip, motion: Motion) -> list[Change]:
    """(property, new values (F, components) as float32, changed frames (F,)) of all that differs."""
    before = clip.motion
    changes: list[Change] = []
    for joint, (location, rotation, scale) in enumerate(clip.channels.joints):
        for prop, name in ((location, "locations"), (scale, "scales")):
            new = getattr(motion, name)[:, joint]
            changed = (new != getattr(before, name)[:, joint]).any(axis=1)
            ignored = name == "locations" and before.skeleton.connected[joint]
            if changed.any() and not ignored:
                changes.append((prop, new.astype(np.float32), changed))
        changed = (motion.rotations[:, joint] != before.rotations[:, joint]).any(axis=1)
        # A quaternion and its negative are the same rotation.
        changed &= (motion.rotations[:, joint] != -before.rotations[:, joint]).any(axis=1)
        if changed.any():
            mode = rotation_mode_of(clip.armature, rotation)
            values = _rotation_values(mode, clip.raw[rotation], before, motion, joint, changed)
            if mode == "QUATERNION":
                values, changed = _without_new_flips(clip.raw[rotation], values, changed)
            changes.append((rotation, _without_rounding(values, clip.raw[rotation]), changed))
    for channel, prop in enumerate(clip.channels.scalars):
        new = motion.scalars[:, channel : channel + 1]
        changed = (new != before.scalars[:, channel : channel + 1])[:, 0]
        if changed.any():
            changes.append((prop, new.astype(np.float32), changed))
    return changes


def _rotation_values(
    mode: str, raw: np.ndarray, before: Motion, after: Motion, joint: int, changed: np.ndarray
) -> np.ndarray:
    rotations = after.rotations[:, joint]
    if mode == "QUATERNION":
        return _quaternion_values(raw, before.rotations[:, joint], rotations, changed)
    values = np.array(raw, dtype=np.float32)
    for run in runs(changed):
        # Start from the untouched frame before, so that the curve joins on without a jump.
        start = raw[max(run.start - 1, 0)].astype(np.float64)
        values[run] = rotation_values(mode, rotations[run], start)
    return values


def rotation_values(mode: str, rotations: np.ndarray, start: Any = None) -> np.ndarray:
    """Rotations (F, 4) as channels of a rotation mode, continuous, the first near to `start`."""
    if mode == "QUATERNION":
        return rotations
    if mode == "AXIS_ANGLE":
        return rotation_channels.to_axis_angle(rotations, start)
    return rotation_channels.to_euler(rotations, mode, start)


def _without_rounding(values: np.ndarray, raw: np.ndarray) -> np.ndarray:
    """Keep components that differ from the old ones only by the rounding of converting back and forth."""
    same = np.abs(values - raw) <= 4.0 * np.finfo(np.float32).eps * np.maximum(np.abs(raw), 1.0)
    return np.where(same, raw, values)


def _quaternion_values(raw: np.ndarray, before: np.ndarray, after: np.ndarray, changed: np.ndarray) -> np.ndarray:
    """Signs agree with the untouched frames, or are continuous where all frames are new."""
    sign = np.where(quaternion.dot(raw, before) < 0.0, -1.0, 1.0)
    if changed.all():
        sign[:] = 1.0 if raw[0] @ after[0] >= 0.0 else -1.0
    else:
        # An edit may have come back with all signs turned; the untouched frames tell.
        kept = int(np.flatnonzero(~changed)[0])
        sign *= 1.0 if before[kept] @ after[kept] >= 0.0 else -1.0
    return (after * sign[:, None]).astype(np.float32)


def _without_new_flips(raw: np.ndarray, values: np.ndarray, changed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turn the signs after a flip that the edit brought in, where a bone now goes round the other way.

    A flip would let the curves pass through zero between two frames. The frames after it get the
    opposite quaternion, which is the same rotation.
    """
    flips = (quaternion.dot(values[1:], values[:-1]) < 0.0) & (quaternion.dot(raw[1:], raw[:-1]) >= 0.0)
    turned = np.concatenate([[False], np.cumsum(flips) % 2 == 1])
    return np.where(turned[:, None], -values, values), changed | turned
