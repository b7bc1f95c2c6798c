"""Bringing an edit of hand-keyed poses into the animator's own keys, which stay as few as they are.

Keys and handles of a joint whose timing changed move in time; then keys at which the poses look otherwise
than before change by that difference. The keys themselves are what the poses are made of: where an edit
changes nothing, they stay bit for bit, however well a model describes them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....core.staggered import carried_over, changed_frames, evaluate, knot_map, with_times_of
from ...border import action_io
from ...border.action_io.any_frames import frames_and_keys, read_frames
from ...border.action_io.reduction.pose_keys import PoseColumns
from ...border.key_options import AUTOMATIC, KeyOptions
from ...border.steps import finish
from ...document import scope
from .keyed_variables import variable_of

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.staggered import StaggeredMotion
    from ...border.action_io import Clip, WriteReport
    from ...border.action_io.written_motion import Job


def write(
    context: Context, clip: Clip, before: StaggeredMotion, model: StaggeredMotion, options: KeyOptions
) -> WriteReport:
    """Move the keys in time, then in value."""
    moved = _retime(clip, before, model)
    now = scope.read_clip(context, clip.armature)
    if options.keys == AUTOMATIC:
        knots = np.unique(model.timing.extreme_times[model.timing.present]) * now.motion.rate
        now = read_frames(clip.armature, frames_and_keys(now, knots), rate=now.motion.rate)
    times = now.motion.times
    old, new = evaluate(with_times_of(before, model), times), evaluate(model, times)
    plan = finish(action_io.plan_write(now, carried_over(now.motion, old, new), options))
    report = replace(plan, jobs=[_at_poses(now, job, model) for job in plan.jobs]).carry_out()
    if len(model.rotations.layers) == 1:
        report.misses.clear()  # between its keys the motion is what the keys make it
    report.bones = max(report.bones, moved)
    report.frames = changed_frames(clip.motion, scope.read_clip(context, clip.armature).motion)
    return report


def _at_poses(clip: Clip, job: Job, model: StaggeredMotion) -> Job:
    """A job that keys its property at the poses which hold it, where they change."""
    variable = variable_of(clip, model, job.prop)
    if variable is None:
        return job
    knots = model.timing.extreme_times[model.timing.present[:, variable], variable] * clip.motion.rate
    samples = [int(np.argmin(np.abs(clip.frames - knot))) for knot in knots]
    is_new = all(curve is None for curve in clip.channels.of(job.prop))
    return replace(job, poses=PoseColumns.of(job.change, samples, is_new=is_new))


def _retime(clip: Clip, before: StaggeredMotion, model: StaggeredMotion) -> int:
    """Move the keys and handles of joints and scalars whose knots have moved; gives how many these are."""
    joints, scalars = len(clip.motion.skeleton), len(clip.channels.scalars)
    moved = 0
    for number in range(joints + scalars):
        # Rotations are the first variables of a model, scalars the last.
        time_map = knot_map(before, model, number if number < joints else number - joints - scalars)
        if time_map is not None:
            chosen = np.arange(joints + scalars) == number
            action_io.retime(clip, time_map, chosen[:joints], scalars=chosen[joints:])
            moved += 1
    return moved
