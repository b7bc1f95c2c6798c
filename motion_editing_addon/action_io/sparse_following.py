"""Writing a motion into sparse keys so that it is met at given frames, and nearly met everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.motion import Motion
from ..key_options import AUTOMATIC, KeyOptions
from ..steps import finish
from .breakdowns import bound_of, follow
from .keys import SAME_FRAME
from .read import Clip
from .write import Job, Plan, plan_write
from .write_report import WriteReport

if TYPE_CHECKING:
    from bpy.types import FCurve

# What a key may be off where it is to be met; single precision gives no less.
_MET = 1e-6


def write_following(clip: Clip, motion: Motion, options: KeyOptions, met: np.ndarray) -> WriteReport:
    """Write the changes; with automatic keys sparse curves get breakdown keys where they would stray.

    Args:
        clip: What was read.
        motion: With the same times.
        options: How it becomes keys; its errors say how far sparse curves may stray.
        met: (N,) action frames at which sparse curves show the motion exactly.
    """
    return carry_following(finish(plan_write(clip, motion, options)), met)


def carry_following(plan: Plan, met: np.ndarray, *, between: bool = True) -> WriteReport:
    """Write what was planned, in the same way.

    Args:
        plan: Of all changes.
        met: (N,) action frames at which sparse curves show the motion exactly.
        between: Add keys too where a curve strays between these frames.
    """
    report, options, clip = plan.carry_out(), plan.options, plan.clip
    if options.keys != AUTOMATIC:
        return report
    if between:
        report.misses.clear()
    rows = np.isin(np.round(clip.frames / SAME_FRAME), np.round(np.asarray(met) / SAME_FRAME))
    for job in plan.jobs:
        bound = bound_of(job.prop, options) if between else None
        for index in range(job.prop.size if not job.change.dense else 0):
            curve = clip.channels.curves.get((job.prop, index))
            if curve is not None and not len(curve.modifiers):
                _follow(curve, job, index, rows, bound, report)
    return report


def _follow(curve: FCurve, job: Job, index: int, rows: np.ndarray, bound: float | None, report: WriteReport) -> None:
    frames, wanted = job.change.frames, _wanted(job)[:, index]
    met = rows & job.change.changed
    added, _ = follow(curve, frames[met], wanted[met], _MET)
    if bound is not None:
        between, left = follow(curve, frames, wanted, bound)
        added += between
        report.add_miss(job.prop, left)
    report.breakdown_keys += added
    report.keys_after += added


def _wanted(job: Job) -> np.ndarray:
    """(F, components) values for the curves; quaternions as long as they are between the animator's keys."""
    if not job.prop.path.endswith("rotation_quaternion"):
        return job.change.new
    return job.change.new * np.linalg.norm(job.change.old, axis=1, keepdims=True)
