"""Bringing an edit of the poses into the keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core import quaternion
from ...core.motion import Motion
from ...core.staggered.evaluation import evaluate
from ...core.staggered.model import StaggeredMotion
from ...core.time_map import Ends, TimeMap
from .. import action_io, scope
from ..action_users import keep_original
from ..key_options import KeyOptions
from . import pose_list, session

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..action_io import Clip, WriteReport

# Differences below this, in radians and units, come from single precision, not from the edit.
_ROUNDING = 2e-6


def commit(
    context: Context, armature: Object, before: session.Session, model: StaggeredMotion, options: KeyOptions
) -> WriteReport:
    """Write what an edited model shows, and save it with the action."""
    keep_original(context, armature)
    clip = scope.read_clip(context, armature)
    write = _write_keys if before.from_keys else _write_baked
    report = write(context, clip, before.model, model, options)
    saved = session.save(armature, before.edited(model))
    pose_list.refresh(armature, saved)
    return report


def shown_motion(clip: Clip, model: StaggeredMotion) -> Motion:
    """What an edited model shows at the clip's own frames, for previews."""
    return evaluate(model, clip.motion.times)


def _write_baked(
    _context: Context, clip: Clip, _before: StaggeredMotion, model: StaggeredMotion, options: KeyOptions
) -> WriteReport:
    motion = evaluate(model)
    if len(motion) == len(clip.frames) and np.allclose(motion.times, clip.motion.times, atol=1e-9):
        return action_io.write(clip, _without_rounding(clip.motion, motion), options)
    if motion.times[0] < clip.motion.times[0]:
        # The motion now begins where the reference pose was.
        scope.action_of(clip.armature).motion_editing.skipped_frames = 0
    return action_io.write_other_frames(clip, motion)


def _write_keys(
    context: Context, clip: Clip, before: StaggeredMotion, model: StaggeredMotion, options: KeyOptions
) -> WriteReport:
    """Move the animator's own keys and handles in time, then in value; they stay as sparse as they are."""
    moved = 0
    for joint in range(len(clip.motion.skeleton)):
        time_map = _knot_map(before, model, joint)
        if time_map is not None:
            chosen = np.arange(len(clip.motion.skeleton)) == joint
            action_io.retime(clip, time_map, chosen, scalars=np.zeros(len(clip.channels.scalars), dtype=bool))
            moved += 1
    for number in range(len(clip.channels.scalars)):
        time_map = _knot_map(before, model, len(model.variables) - len(clip.channels.scalars) + number)
        if time_map is not None:
            only = np.arange(len(clip.channels.scalars)) == number
            action_io.retime(clip, time_map, np.zeros(len(clip.motion.skeleton), dtype=bool), scalars=only)
            moved += 1
    if moved:
        clip = scope.read_clip(context, clip.armature)
    report = action_io.write(clip, _without_rounding(clip.motion, evaluate(model, clip.motion.times)), options)
    report.bones = max(report.bones, moved)
    report.frames = max(report.frames, len(clip.frames) if moved else 0)
    return report


def _knot_map(before: StaggeredMotion, after: StaggeredMotion, variable: int) -> TimeMap | None:
    """From new to old time along one variable's knots; None where its timing stayed."""
    present = before.timing.present[:, variable]
    old, new = before.timing.extreme_times[present, variable], after.timing.extreme_times[present, variable]
    if len(old) == 0 or np.allclose(old, new, atol=1e-9):
        return None
    if len(old) == 1:
        return TimeMap.shift(float(new[0] - old[0]))
    return TimeMap.through(new, old, smooth=False, ends=Ends.EXTEND)


def _without_rounding(now: Motion, wanted: Motion) -> Motion:
    """The wanted motion with everything that is as it was put back bit for bit."""
    turned = quaternion.angle_between(now.rotations, wanted.rotations) > _ROUNDING
    moved = np.abs(now.locations - wanted.locations) > _ROUNDING
    scaled = np.abs(now.scales - wanted.scales) > _ROUNDING
    return replace(
        wanted,
        rotations=np.where(turned[..., None], wanted.rotations, now.rotations),
        locations=np.where(moved, wanted.locations, now.locations),
        scales=np.where(scaled, wanted.scales, now.scales),
        scalars=np.where(np.abs(now.scalars - wanted.scalars) > _ROUNDING, wanted.scalars, now.scalars),
    )
