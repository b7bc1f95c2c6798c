"""Bringing an edit of hand-keyed poses into the animator's own keys, which stay as few as they are.

Keys and handles of a joint whose timing changed move in time; then keys at which the poses look otherwise
than before change by that difference. The keys themselves are what the poses are made of: where an edit
changes nothing, they stay bit for bit, however well a model describes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.staggered.evaluation import evaluate
from ...core.staggered.timing_edits import with_times_of
from ...core.time_map import Ends, TimeMap
from .. import action_io, scope
from ..action_io.any_frames import frames_and_keys, read_frames
from ..key_options import AUTOMATIC, KeyOptions
from .differences import carried_over, changed_frames

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.staggered.model import StaggeredMotion
    from ..action_io import Clip, WriteReport


def write(
    context: Context, clip: Clip, before: StaggeredMotion, model: StaggeredMotion, options: KeyOptions
) -> WriteReport:
    """Move the keys in time, then in value."""
    moved = _retime(clip, before, model)
    now = scope.read_clip(context, clip.armature)
    if options.keys == AUTOMATIC:
        now = read_frames(clip.armature, frames_and_keys(now), rate=now.motion.rate)
    times = now.motion.times
    old, new = evaluate(with_times_of(before, model), times), evaluate(model, times)
    report = action_io.write(now, carried_over(now.motion, old, new), options)
    if len(model.rotations.layers) == 1:
        report.misses.clear()  # between its keys the motion is what the keys make it
    report.bones = max(report.bones, moved)
    report.frames = changed_frames(clip.motion, scope.read_clip(context, clip.armature).motion)
    return report


def _retime(clip: Clip, before: StaggeredMotion, model: StaggeredMotion) -> int:
    """Move the keys and handles of joints and scalars whose knots have moved; gives how many these are."""
    joints, scalars = len(clip.motion.skeleton), len(clip.channels.scalars)
    moved = 0
    for number in range(joints + scalars):
        # Rotations are the first variables of a model, scalars the last.
        time_map = _knot_map(before, model, number if number < joints else number - joints - scalars)
        if time_map is not None:
            chosen = np.arange(joints + scalars) == number
            action_io.retime(clip, time_map, chosen[:joints], scalars=chosen[joints:])
            moved += 1
    return moved


def _knot_map(before: StaggeredMotion, after: StaggeredMotion, variable: int) -> TimeMap | None:
    """From new to old time along one variable's knots; None where its timing stayed."""
    present = before.timing.present[:, variable]
    old, new = before.timing.extreme_times[present, variable], after.timing.extreme_times[present, variable]
    if len(old) == 0 or np.allclose(old, new, atol=1e-9):
        return None
    if len(old) == 1:
        return TimeMap.shift(float(new[0] - old[0]))
    return TimeMap.through(new, old, smooth=False, ends=Ends.EXTEND)
