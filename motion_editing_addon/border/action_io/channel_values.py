"""Which properties differ between two motions, and their new values as channels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....core.motion import Motion
from ....core.numerics import quaternion, rotation_channels, runs
from .clip import Clip
from .curves.channels import Property
from .samples import rotation_mode_of

Change = tuple[Property, np.ndarray, np.ndarray]
# A joint, its channels and the frames at which they are others.
Turned = tuple[int, tuple[np.ndarray, np.ndarray]]


def changed_values(clip: Clip, motion: Motion) -> list[Change]:
    """(property, new values (F, components) as float32, changed frames (F,)) of all that differs."""
    before = clip.motion
    moved, scaled, turned = (_differs(before, motion, name) for name in ("locations", "scales", "rotations"))
    moved[:, before.skeleton.connected] = False  # Blender leaves these where they hang
    turned &= (motion.rotations != -before.rotations).any(axis=-1)  # the opposite quaternion is the same rotation
    values = dict(_new_rotations(clip, motion, turned))
    changes: list[Change] = []
    for joint in np.flatnonzero((moved | scaled | turned).any(axis=0)).tolist():
        location, rotation, scale = clip.channels.joints[joint]
        for prop, name, changed in ((location, "locations", moved), (scale, "scales", scaled)):
            if changed[:, joint].any():
                changes.append((prop, getattr(motion, name)[:, joint].astype(np.float32), changed[:, joint]))
        if joint in values:
            changes.append((rotation, *values[joint]))
    for channel, prop in enumerate(clip.channels.scalars):
        new = motion.scalars[:, channel : channel + 1]
        changed = (new != before.scalars[:, channel : channel + 1])[:, 0]
        if changed.any():
            changes.append((prop, new.astype(np.float32), changed))
    return changes


def new_channels(clip: Clip, motion: Motion) -> set[Property]:
    """Properties of joints that have no keys in a clip, and are not always what they are there in a motion."""
    found = set[Property]()
    for part, name in enumerate(("locations", "rotations", "scales")):
        differs = (getattr(motion, name) != getattr(clip.motion, name)[:1]).any(axis=(0, 2))
        found |= {clip.channels.joints[joint][part] for joint in np.flatnonzero(differs).tolist()}
    return {prop for prop in found if all(curve is None for curve in clip.channels.of(prop))}


def _differs(before: Motion, after: Motion, name: str) -> np.ndarray:
    """(F, J) where joints have other values."""
    old, new = getattr(before, name), getattr(after, name)
    if old is new:
        return np.zeros(old.shape[:2], dtype=np.bool_)
    differs: np.ndarray = (new != old).any(axis=-1)
    return differs


def _new_rotations(clip: Clip, motion: Motion, turned: np.ndarray) -> Iterator[Turned]:
    """Of each joint that turns otherwise: its channels (F, components) as float32, and the changed frames (F,)."""
    before, joints = clip.motion, np.flatnonzero(turned.any(axis=0)).tolist()
    modes = {joint: rotation_mode_of(clip.armature, clip.channels.joints[joint][1]) for joint in joints}
    raw = {joint: clip.raw[clip.channels.joints[joint][1]] for joint in joints}
    together = [joint for joint in joints if modes[joint] == "QUATERNION"]
    yield from _new_quaternions(raw, before, motion, turned, together)
    for joint in (each for each in joints if modes[each] != "QUATERNION"):
        values = _other_channels(modes[joint], raw[joint], motion.rotations[:, joint], turned[:, joint])
        yield joint, (_without_rounding(values, raw[joint]), turned[:, joint])


def _new_quaternions(
    raw: dict[int, np.ndarray], before: Motion, motion: Motion, turned: np.ndarray, joints: list[int]
) -> Iterator[Turned]:
    """The same of joints whose channels are quaternions, worked out together: much faster than one by one."""
    if not joints:
        return
    own = np.stack([raw[joint].T for joint in joints], axis=1).T
    values = _quaternion_values(own, before.rotations[:, joints], motion.rotations[:, joints], turned[:, joints])
    values, changed = _without_new_flips(own, values, turned[:, joints])
    values = _without_rounding(values, own)
    for number, joint in enumerate(joints):
        yield joint, (values[:, number], changed[:, number])


def _other_channels(mode: str, raw: np.ndarray, rotations: np.ndarray, changed: np.ndarray) -> np.ndarray:
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
    """(F, J, 4) signs agree with the untouched frames, or are continuous where all frames are new."""
    sign = np.where(quaternion.dot(raw, before) < 0.0, -1.0, 1.0)
    every = changed.all(axis=0)
    sign[:, every] = np.where(quaternion.dot(raw[0], after[0]) >= 0.0, 1.0, -1.0)[every]
    # An edit may have come back with all signs turned; the untouched frames tell.
    kept, joints = np.argmin(changed, axis=0), np.arange(changed.shape[1])
    sign[:, ~every] *= np.where(quaternion.dot(before[kept, joints], after[kept, joints]) >= 0.0, 1.0, -1.0)[~every]
    return _single(after * sign[..., None])


def _single(values: np.ndarray) -> np.ndarray:
    """Values (F, J, N) in single precision, each component by itself in memory."""
    return np.ascontiguousarray(values.T, dtype=np.float32).T


def _without_new_flips(raw: np.ndarray, values: np.ndarray, changed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turn the signs (F, J) after a flip that the edit brought in, where a bone now goes round the other way.

    A flip would let the curves pass through zero between two frames. The frames after it get the
    opposite quaternion, which is the same rotation.
    """
    flips = (quaternion.dot(values[1:], values[:-1]) < 0.0) & (quaternion.dot(raw[1:], raw[:-1]) >= 0.0)
    turned = np.concatenate([np.zeros_like(flips[:1]), np.cumsum(flips, axis=0) % 2 == 1])
    return (np.where(turned[..., None], -values, values), changed | turned) if flips.any() else (values, changed)
