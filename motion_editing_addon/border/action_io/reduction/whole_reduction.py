"""Few keys for a whole character, fitted and measured together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .....core.keys import Accuracy, Channel, KeyedCurves, ReducedMotion, Yardstick
from ...key_options import REDUCED, KeyOptions
from ..clip import Clip
from ..curves.channels import Property
from ..curves.keys import ALIGNED, FREE, SAME_FRAME
from ..key_forms import rekey_jobs
from ..samples import rotation_mode_of
from ..write_report import WriteReport
from ..written_motion import Job, Plan, without_modifiers
from .reduced_keys import FittedKeys, between_samples, curve_values, held_samples, key_arrays
from .scene_sizes import scale_of_all

if TYPE_CHECKING:
    from ...steps import Steps

    # Fits keys to channels, in steps.
    Reduce = Callable[[list[Channel]], Steps[ReducedMotion]]


@dataclass
class ReductionReport(WriteReport):
    """What a reduction did; the accuracy is measured on the F-curves as Blender evaluates them."""

    accuracy: Accuracy = field(default_factory=Accuracy)
    outliers: int = 0


@dataclass(frozen=True)
class ReductionPlan:
    """Keys that are worked out, but not yet written, and all properties that were looked at for it."""

    plan: Plan
    reduced: ReducedMotion
    unit: float
    examined: list[Property]

    def carry_out(self) -> ReductionReport:
        """Write the keys, and measure what was written."""
        written = self.plan.carry_out()
        values = _evaluated(self.plan.clip, self.plan.jobs, self.reduced.yardstick)
        accuracy = self.reduced.yardstick.accuracy(values)
        accuracy = replace(accuracy, distance=self.unit * accuracy.distance, slide=self.unit * accuracy.slide)
        plain = {each.name: getattr(written, each.name) for each in fields(WriteReport)}
        return ReductionReport(**plain, accuracy=accuracy, outliers=len(self.reduced.outliers))


def plan_reduction(
    clip: Clip, joints: Any, reduce: Reduce, *, is_done: Callable[[Property], bool]
) -> Steps[ReductionPlan]:
    """Work out few keys for the chosen joints' animated channels and scalars.

    A property whose keys would not become fewer keeps them as they are.

    Args:
        clip: What was read; its frames are keyed anew.
        joints: (J,) which joints.
        reduce: Fits keys to channels; distances are in units of the clip's motion.
        is_done: Tells properties that keep their keys in any case.

    Raises:
        MotionEditError: A channel is locked or linked.
    """
    jobs = rekey_jobs(clip, joints, smooth=True)
    jobs = [replace(job, change=without_modifiers(clip, job)) for job in jobs if not is_done(job.prop)]
    examined = [job.prop for job in jobs]
    while True:
        reduced = yield from reduce(_channels(clip, jobs))
        options = reduced.yardstick.options
        parts = _by_job(jobs, reduced.keys)
        fewer = [job for job, keys in zip(jobs, parts, strict=True) if _saves_keys(clip, job, keys)]
        if len(fewer) == len(jobs) or options.pose_columns:
            break
        # What keeps its keys has no error that could make up for another one: all is measured again.
        jobs = fewer
    handles = FREE if options.kind == "FEWEST" else ALIGNED
    fitted: dict[tuple[Property, int], FittedKeys] = {}
    for job, keys in zip(jobs, parts, strict=True):
        for index, curve in enumerate(keys):
            fitted[job.prop, index] = clip.frames, key_arrays(curve, handles)
    return ReductionPlan(Plan(clip, jobs, KeyOptions(keys=REDUCED), fitted), reduced, scale_of_all(clip), examined)


def _channels(clip: Clip, jobs: list[Job]) -> list[Channel]:
    """The jobs' properties as core reduces them."""
    parts = ("location", "rotation", "scale")
    places = {
        prop: (part, joint)
        for joint, own in enumerate(clip.channels.joints)
        for part, prop in zip(parts, own, strict=True)
    }
    found = []
    for job in jobs:
        part, joint = places.get(job.prop, ("value", -1))
        mode = rotation_mode_of(clip.armature, job.prop) if part == "rotation" else ""
        values, held = job.change.new.astype(np.float64), held_samples(clip, job)
        found.append(Channel(values, part, joint, mode, held, between_samples(clip, job)))
    return found


def _by_job(jobs: list[Job], keys: KeyedCurves) -> list[KeyedCurves]:
    ends = np.cumsum([0, *(job.prop.size for job in jobs)])
    return [keys.part(int(first), int(last)) for first, last in pairwise(ends)]


def _saves_keys(clip: Clip, job: Job, keys: KeyedCurves) -> bool:
    """Whether the property has fewer keys than before, or had rotations that jump."""
    before = after = 0
    for index, curve in enumerate(keys):
        present = clip.keys.get((job.prop, index))
        if present is not None:
            inside = (present[:, 0] > clip.frames[0] - SAME_FRAME) & (present[:, 0] < clip.frames[-1] + SAME_FRAME)
            before, after = before + int(inside.sum()), after + len(curve.times)
    return after < before or not np.array_equal(job.change.new, job.change.old)


def _evaluated(clip: Clip, jobs: list[Job], yardstick: Yardstick) -> np.ndarray:
    """(G, N) all curves on the samples and between them."""
    grid = yardstick.channels.grid
    return np.concatenate([np.empty((len(grid), 0)), *(curve_values(clip, job, grid) for job in jobs)], axis=1)
