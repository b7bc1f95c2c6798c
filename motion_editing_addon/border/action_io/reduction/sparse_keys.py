"""Writing a motion into few keys so that it is met at given frames, and nearly met at others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .....core.motion import Motion
from ...key_options import AUTOMATIC, EVERY_FRAME, REDUCED, KeyOptions
from ...steps import finish
from ..clip import Clip
from ..curves.breakdowns import Following, bound_of, follow
from ..curves.curve_keys import CurveChange, largest_miss
from ..curves.keys import SAME_FRAME
from ..curves.stepped_keys import is_stepped
from ..write_report import WriteReport
from ..written_motion import DeferredPlan, Job, Plan, plan_write

if TYPE_CHECKING:
    from bpy.types import FCurve
    from numpy.typing import ArrayLike

    from ..curves.channels import Property

# What a key may be off where it is to be met; single precision gives no less.
_MET = 1e-6


@dataclass(frozen=True)
class Closely:
    """Where sparse curves follow the motion, with breakdown keys if need be.

    Attributes:
        rows: (F, J) frames of the clip at which the curves of a joint do; others do where those of all joints do.
        options: Its errors say how far they may stray there.
    """

    rows: np.ndarray
    options: KeyOptions

    @classmethod
    def everywhere(cls, clip: Clip, options: KeyOptions) -> Closely:
        """At all frames of a clip."""
        return cls(np.ones((len(clip.frames), len(clip.channels.joints)), dtype=np.bool_), options)

    def on_whole_frames(self, clip: Clip) -> Closely:
        """The same at whole frames alone: others are there for keys that lie between them."""
        whole = np.abs(clip.frames - np.round(clip.frames)) < SAME_FRAME
        return replace(self, rows=self.rows & whole[:, None]) if whole.any() else self

    def of(self, prop: Property, joint: int | None, size: float) -> tuple[np.ndarray, float]:
        """(F,) frames at which the curves of a property, of a joint or of none, follow, and how far they may stray."""
        rows: np.ndarray = np.logical_and.reduce(self.rows, axis=1) if joint is None else self.rows[:, joint]
        return rows, bound_of(prop, self.options, size)


def write_following(clip: Clip, motion: Motion, options: KeyOptions, met: np.ndarray) -> WriteReport:
    """Write the changes; with automatic keys sparse curves get breakdown keys where they would stray.

    Args:
        motion: With the same times.
        options: How it becomes keys; its errors say how far sparse curves may stray.
        met: (N,) action frames at which sparse curves show the motion exactly.
    """
    plan = finish(plan_write(clip, motion, options))
    if options.keys != AUTOMATIC:
        return plan.carry_out()
    return carry_following(plan, met, Closely.everywhere(clip, options))


def carry_following(plan: Plan, met: ArrayLike, *closely: Closely) -> WriteReport:
    """Write what was planned; sparse and reduced curves get breakdown keys where they would stray.

    Args:
        met: (N,) action frames at which they show the motion exactly.
        closely: Where else they may not stray.
    """
    report = plan.carry_out()
    if not isinstance(plan, DeferredPlan):
        follow_closely(plan, report, met, *closely)
    return report


def has_few_keys(plan: Plan) -> bool:
    """Whether curves that a plan has written may stray from it between their keys."""
    kind = plan.options.keys
    is_few = kind == REDUCED or (kind == AUTOMATIC and any(not job.change.dense for job in plan.jobs))
    return is_few and not isinstance(plan, DeferredPlan)


def follow_closely(plan: Plan, report: WriteReport, met: ArrayLike, *closely: Closely) -> None:
    """Add breakdown keys to sparse and reduced curves that have been written, where they stray.

    Args:
        report: Of the writing; gets what is added.
        met: (N,) action frames at which they show the motion exactly.
        closely: Where else they may not stray.
    """
    clip, kind = plan.clip, plan.options.keys
    report.misses.clear()
    exactly = np.isin(np.round(clip.frames / SAME_FRAME), np.round(np.asarray(met) / SAME_FRAME))
    owners = {prop: joint for joint, own in enumerate(clip.channels.joints) for prop in own}
    for job in plan.jobs:
        if kind == EVERY_FRAME or (kind == AUTOMATIC and job.change.dense):
            continue
        owner, size = owners.get(job.prop), report.sizes.get(job.prop, 1.0)
        asked = [(exactly & job.change.changed, _MET), *(each.of(job.prop, owner, size) for each in closely)]
        change = job.change if kind == REDUCED else _as_long_as_before(job)
        for index, curve in enumerate(clip.channels.of(job.prop)):
            if curve is None or is_stepped(job.prop, curve):
                continue
            _follow(curve, change.component(index), asked, report)
            if kind == AUTOMATIC:  # Reduced keys keep to their errors.
                report.add_miss(job.prop, largest_miss(curve, change.component(index)))


def _follow(curve: FCurve, change: CurveChange, asked: Iterable[tuple[np.ndarray, float]], report: WriteReport) -> None:
    """Add keys to a curve where it strays farther than it may at some rows."""
    for rows, bound in asked if not len(curve.modifiers) else ():
        frames = change.frames[rows]
        added = follow([Following(curve, change.new[rows], bound)], frames, most=len(frames))
        report.breakdown_keys += added
        report.keys_after += added


def _as_long_as_before(job: Job) -> CurveChange:
    """The change with quaternions as long as they are between the animator's keys."""
    if not job.prop.path.endswith("rotation_quaternion"):
        return job.change
    return replace(job.change, new=job.change.new * np.linalg.norm(job.change.old, axis=1, keepdims=True))
