"""Changing how a motion is keyed, or how its rotations are written, without changing the motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ....core.numerics import quaternion
from ..key_options import REDUCED, KeyOptions
from ..steps import Steps
from .channel_values import rotation_values
from .clip import Clip
from .curves.channels import Property
from .curves.curve_keys import CurveChange, change_keys
from .samples import rotation_mode_of, rotations_from_raw
from .write_report import WriteReport
from .written_motion import Job, Plan, baked_bones, plan_jobs, refuse_protected

# Channels that differ by less than this, in radians or as quaternion components, are the same.
_SAME = 1e-4
# Part of the longest quaternion below which one is hardly a rotation.
_VANISHING = 0.1


def plan_rekey(
    clip: Clip, joints: Any, options: KeyOptions, *, columns: Mapping[str, np.ndarray] | None = None
) -> Steps[Plan]:
    """Work out keys on every frame, or on few, for the chosen joints' animated channels and scalars.

    Args:
        clip: What was read; its frames are keyed anew.
        joints: (J,) which joints.
        options: EVERY_FRAME or REDUCED.
        columns: By the names of properties, frames that are keys also where keys are few.
    """
    jobs = rekey_jobs(clip, joints, smooth=options.keys == REDUCED)
    if columns:
        jobs = [replace(job, columns=_samples_near(clip, columns.get(job.prop.name, ()))) for job in jobs]
    return (yield from plan_jobs(clip, jobs, options))


def _samples_near(clip: Clip, frames: Any) -> tuple[int, ...]:
    """Numbers of the samples nearest to frames; frames outside the clip are left out."""
    inside = [frame for frame in frames if clip.frames[0] - 0.5 < frame < clip.frames[-1] + 0.5]
    return tuple(sorted({int(np.abs(clip.frames - frame).argmin()) for frame in inside}))


def rekey_jobs(clip: Clip, joints: Any, *, smooth: bool) -> list[Job]:
    """New keys for every animated property of the joints; a smooth fit needs rotations that do not jump.

    Raises:
        MotionEditError: A channel is locked or linked.
    """
    everywhere = np.ones(len(clip.frames), dtype=np.bool_)
    jobs = []
    for prop, values in _animated(clip, joints, smooth=smooth):
        change = CurveChange(clip.frames, clip.raw[prop], values.astype(np.float32), everywhere, dense=True)
        jobs.append(Job(prop, change, rekey=True))
    refuse_protected(clip, [job.prop for job in jobs])
    return jobs


def _animated(clip: Clip, joints: Any, *, smooth: bool) -> list[tuple[Property, np.ndarray]]:
    """Properties that have curves, with their values; a smooth fit needs rotations that do not jump."""
    found = []
    for joint in np.flatnonzero(joints):
        for prop in clip.channels.joints[joint]:
            if any(clip.channels.of(prop)) and not clip.channels.is_muted(prop):
                values = clip.raw[prop]
                if smooth and "rotation_" in prop.path and all(clip.channels.of(prop)):
                    values = _without_jumps(clip, prop, int(joint))
                found.append((prop, values))
    chosen = np.flatnonzero(clip.scalars_of(joints))
    return found + [(prop, clip.raw[prop]) for prop in (clip.channels.scalars[index] for index in chosen)]


def _without_jumps(clip: Clip, rotation: Property, joint: int) -> np.ndarray:
    """The channels as they are, or continuous ones where they jump."""
    values, mode = clip.raw[rotation], rotation_mode_of(clip.armature, rotation)
    if not (_turns_or_vanishes(values) if mode == "QUATERNION" else _jumps(values)):
        return values
    continuous = rotation_values(mode, clip.motion.rotations[:, joint], values[0])
    return continuous if mode != "QUATERNION" or continuous[0] @ values[0] >= 0.0 else -continuous


def _turns_or_vanishes(quaternions: np.ndarray) -> bool:
    """Whether signs turn, or some quaternions are so short that any error of a channel is a large turn."""
    length = np.linalg.norm(quaternions, axis=1)
    turns = (quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0.0
    return bool(turns.any() or length.min() < _VANISHING * length.max())


def _jumps(angles: np.ndarray) -> bool:
    return bool((np.abs(np.diff(angles, axis=0)) > np.pi).any())


def make_continuous(clip: Clip, joints: Any) -> WriteReport:
    """Take out jumps of rotation channels that do not move the bone: turned signs, whole turns.

    Quaternion keys always get the sign nearest to the key before. Euler angles and axis-angle
    are touched only where they are baked: between sparse keys a whole turn may be meant.
    """
    baked = baked_bones(clip)
    changes = []
    for joint in np.flatnonzero(joints):
        rotation = clip.channels.joints[joint][1]
        keyed = [len(clip.keys.get((rotation, index), ())) > 0 for index in range(rotation.size)]
        mode = rotation_mode_of(clip.armature, rotation)
        if all(keyed) and (mode == "QUATERNION" or baked[clip.motion.skeleton.names[joint] or None]):
            change = _continuous(clip, rotation, mode)
            if change is not None:
                changes.append((rotation, change))
    refuse_protected(clip, [prop for prop, _ in changes])
    for prop, change in changes:
        for index in range(prop.size):
            change_keys(clip.channels.curves[prop, index], change.component(index))
    frames = np.unique(np.concatenate([change.frames[change.changed] for _, change in changes] or [np.empty(0)]))
    clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return WriteReport(bones=len(changes), frames=len(frames))


def _continuous(clip: Clip, rotation: Property, mode: str) -> CurveChange | None:
    """New values at the keys that all components share; None if they do not jump."""
    frames = clip.keys[rotation, 0][:, 0].astype(np.float64)
    values = np.stack([_at(clip.keys[rotation, index], frames) for index in range(rotation.size)], axis=1)
    if mode == "QUATERNION":
        sign = np.where(quaternion.dot(quaternion.sign_continuous(values), values) < 0.0, -1.0, 1.0)
        new = values * sign[:, None]
    else:
        new = rotation_values(mode, rotations_from_raw(values, mode), values[0])
    jumps = np.abs(new - values).max(axis=1) > _SAME
    if not jumps.any():
        return None
    new = np.where(jumps[:, None], new, values).astype(np.float32)
    return CurveChange(frames, values.astype(np.float32), new, jumps, dense=False)


def _at(keys: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """Key values at frames; components are nearly always keyed together."""
    return np.interp(frames, keys[:, 0], keys[:, 1])
