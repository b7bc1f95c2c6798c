"""From a core Motion back to F-curves: the one way out.

Only what differs from the motion that was read is written, so everything else stays as it
was, bit for bit: other channels, other frames, key types, handles, modifiers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion
from ..key_options import AUTOMATIC, EVERY_FRAME, REDUCED, KeyOptions
from ..steps import Steps, finish
from .channel_values import Change, changed_values
from .clip import Clip, changed_whole, union_of_frames
from .curves.channels import Property, bone_of_path, channel_text, new_curve
from .curves.curve_keys import (
    CurveChange,
    change_keys,
    is_dense,
    key_every_frame,
    keys_alone,
    largest_miss,
    replace_keys,
)
from .curves.keys import CONSTANT, LINEAR, CurveInMemory, read_keys, write_keys
from .curves.stepped_keys import change_steps, is_stepped, jumps_seldom, with_last_step
from .memory.draft import draft_of
from .memory.pending_motion import Deferred, nothing
from .reduction.pose_keys import PoseColumns, key_poses
from .reduction.reduced_keys import FittedKeys, reduced_keys
from .reduction.scene_sizes import location_sizes
from .write_report import WriteReport

if TYPE_CHECKING:
    from bpy.types import FCurve

    from .curves.keys import KeyArrays

# What a curve's keys look like.
_SHAPE, _HANDLES = ("co", "interpolation"), ("handle_left", "handle_right")


def write(clip: Clip, motion: Motion, options: KeyOptions = KeyOptions()) -> WriteReport:  # noqa: B008
    """Write the changes from the clip's motion to the given one at once; see `plan_write`."""
    return finish(plan_write(clip, motion, options)).carry_out()


def plan_write(clip: Clip, motion: Motion, options: KeyOptions) -> Steps[Plan]:
    """Work out the keys for the changes from the clip's motion to the given one, which has the same times.

    Muted channels are left out, as what they hold is not seen, and told in the report.

    Args:
        options: How it becomes keys.

    Raises:
        MotionEditError: A channel that changed is locked or linked.
    """
    if len(motion.times) != len(clip.frames):
        raise ValueError("A motion with other times is written by retiming, not as changed values")
    draft = draft_of(clip.armature)
    if draft is not None and draft.is_loose:
        return DeferredPlan(clip, [], options, {}, motion=motion)
    return (yield from _plan_now(clip, motion, options))


def _plan_now(clip: Clip, motion: Motion, options: KeyOptions) -> Steps[Plan]:
    changes = changed_values(clip, motion)
    muted = [prop for prop, _, _ in changes if clip.channels.is_muted(prop)]
    changes = [change for change in changes if change[0] not in muted]
    refuse_protected(clip, [prop for prop, _, _ in changes])
    baked = baked_bones(clip)
    jobs = [replace(_job(clip, change, baked), stepped=change[0].name in motion.stepped) for change in changes]
    plan = yield from plan_jobs(clip, jobs, options)
    return replace(plan, muted=muted)


@dataclass(frozen=True)
class Job:
    """A property that changed, and how.

    Attributes:
        prop: The property.
        change: Its values before and after.
        rekey: Make new keys even where no value changed.
        columns: Numbers of the samples that are keys also where keys are few.
        poses: Where sparse curves get keys for poses that changed.
        stepped: It jumps from value to value also if it has no keys that would tell.
    """

    prop: Property
    change: CurveChange
    rekey: bool = False
    columns: tuple[int, ...] = ()
    poses: PoseColumns | None = None
    stepped: bool = False

    def key_poses(self, index: int) -> list[int]:
        """Numbers of the poses at which a component's curve needs a key, if it is sparse."""
        return [] if self.poses is None or self.change.dense else self.poses.changed[index]


def plan_jobs(clip: Clip, jobs: list[Job], options: KeyOptions) -> Steps[Plan]:
    """Fit keys where they are to be few; the slow part of writing."""
    if options.keys != AUTOMATIC:
        jobs = [replace(job, change=without_modifiers(clip, job)) for job in jobs]
    fitted = (yield from reduced_keys(clip, jobs, options)) if options.keys == REDUCED else {}
    return Plan(clip, jobs, options, fitted)


def without_modifiers(clip: Clip, job: Job) -> CurveChange:
    """The change with what modifiers add taken off the new values: new keys replace the old ones below them."""
    new = np.array(job.change.new)
    for index, curve in enumerate(clip.channels.of(job.prop)):
        if curve is not None and len(curve.modifiers):
            new[:, index] -= job.change.old[:, index] - keys_alone(curve, clip.frames)
    return replace(job.change, new=new)


@dataclass(frozen=True)
class Plan:
    """Keys that are worked out, but not yet written, and the properties that were left out as muted."""

    clip: Clip
    jobs: list[Job]
    options: KeyOptions
    fitted: dict[tuple[Property, int], FittedKeys]
    muted: list[Property] = field(default_factory=list)

    def carry_out(self) -> WriteReport:
        """Write the keys."""
        report = WriteReport(sizes=location_sizes(self.clip))
        report.add_muted(self.muted)
        written = []
        for job in self.jobs:
            parts = [
                _write_component(self.clip, job, index, self.options, self.fitted.get((job.prop, index)), report)
                for index in range(job.prop.size)
            ]
            if any(parts):
                written.append(job)
        report.bones = len({bone_of_path(job.prop.path) or job.prop.name for job in written})
        if written:
            report.frames = int(np.any([job.change.changed for job in written], axis=0).sum())
            self.clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
        if written and report.values_only:
            self._pass_on()
        return report

    def _pass_on(self) -> None:
        """Let what there is now be known to who reads it next."""
        draft = draft_of(self.clip.armature)
        if draft is not None:
            changes = {job.prop: job.change for job in self.jobs}
            values = {prop: np.where(each.changed[:, None], each.new, each.old) for prop, each in changes.items()}
            draft.keep_clip(changed_whole(self.clip, values))


@dataclass(frozen=True)
class DeferredPlan(Plan):
    """A motion that is passed on as it is; keys are worked out when somebody asks for them."""

    motion: Motion | None = None

    def carry_out(self) -> WriteReport:
        """Hand the motion over; within a window that is looked at it is passed on alone."""
        draft, motion, clip = draft_of(self.clip.armature), self.motion, self.clip
        assert draft is not None
        assert motion is not None
        known = draft.deferred
        base = nothing if known is None else known.base
        if known is not None and draft.window is None:
            # What several edits lead to is worked out once, from what was read before the first of them.
            motion, clip = known.with_part(clip.frames, motion), known.clip

        def settle() -> None:
            base()
            finish(_plan_now(clip, motion, self.options)).carry_out()

        draft.defer(Deferred(clip, motion, settle, base))
        return WriteReport(bones=1, frames=len(motion))


def _job(clip: Clip, change: Change, baked: dict[str | None, bool]) -> Job:
    prop, values, changed = change
    bone = bone_of_path(prop.path)
    dense = baked[bone] if bone in baked else all(baked.values())
    return Job(prop, CurveChange(clip.frames, clip.raw[prop], values, changed, dense))


def baked_bones(clip: Clip) -> dict[str | None, bool]:
    """For every animated bone, whether any of its curves is baked; None stands for what is no bone's.

    Then even the bone's sparse or missing channels become dense when they change.
    """
    baked: dict[str | None, bool] = {}
    for (prop, _), keys in clip.keys.items():
        bone = bone_of_path(prop.path)
        baked[bone] = baked.get(bone, False) or is_dense(keys, clip.frames)
    return baked


def refuse_protected(clip: Clip, properties: list[Property]) -> None:
    """Raise if any of the properties' curves must not be changed. Blender itself does not stop scripts."""
    for owner in dict.fromkeys(prop.owner for prop in properties):
        data = owner.animation_data
        if data is not None and data.action is not None and not data.action.is_editable:
            raise MotionEditError(f"Action '{data.action.name}' is linked: make it local first")
    for prop in properties:
        for curve in clip.channels.of(prop):
            if curve is not None and is_locked(curve):
                raise MotionEditError(
                    f"The channel {channel_text(curve.data_path)} is locked: unlock it or leave it out"
                )


def is_locked(curve: FCurve) -> bool:
    """Whether the curve or its group must not be changed."""
    return curve.lock or (curve.group is not None and curve.group.lock)


def _write_component(
    clip: Clip, job: Job, index: int, options: KeyOptions, fitted: FittedKeys | None, report: WriteReport
) -> bool:
    """Write one curve; gives whether its keys changed."""
    change = job.change.component(index)
    curve = clip.channels.curves.get((job.prop, index))
    if curve is None and job.rekey:
        return False
    poses = job.key_poses(index)
    if not (job.rekey or poses) and np.array_equal(change.new[change.changed], change.old[change.changed]):
        return False
    if curve is None:
        curve = new_curve(clip.channels, job.prop, index)
        if not poses:
            union = union_of_frames(clip.keys.values())[0]
            change = change.everywhere() if job.stepped else change.for_new_curve(union)
            write_keys(curve, change.held_outside(union))
    quick = _write_samples(clip, job, curve, change, report) if options.keys == AUTOMATIC and not poses else None
    if quick is not None:
        return quick
    report.values_only = False
    before = _shape(curve)
    report.keys_before += len(before["co"])
    stepped = job.stepped or is_stepped(job.prop, curve)
    if stepped and not (job.rekey or poses) and jumps_seldom(change):
        keyed = union_of_frames(clip.keys.values())[0]
        change_steps(curve, change, end=float(keyed[-1]) if len(keyed) else None)
    elif fitted is not None or options.keys == EVERY_FRAME:
        _rekey(curve, change, fitted, stepped=stepped)
    else:
        change_keys(curve, change)
        if poses and job.poses is not None:
            key_poses(curve, change, job.poses.samples, poses, stepped=stepped)
        if not change.dense:
            report.add_miss(job.prop, largest_miss(curve, change))
    after = _shape(curve)
    report.keys_after += len(after["co"])
    return any(not np.array_equal(before[name], after[name]) for name in before.keys() & after.keys())


def _shape(curve: FCurve) -> KeyArrays:
    """What a curve's keys look like; without handles in memory that are for Blender to find."""
    found = not isinstance(curve, CurveInMemory) or curve.state.handles is not None
    return read_keys(curve, *_SHAPE, *(_HANDLES if found else ()))


def _write_samples(clip: Clip, job: Job, curve: FCurve, change: CurveChange, report: WriteReport) -> bool | None:
    """Change the values of keys in memory, one on each sample, whose handles do not count; None for other curves."""
    if not isinstance(curve, CurveInMemory) or job.rekey or job.prop.size == 1 or not change.dense:
        return None
    state = curve.state
    rows = state.rows_of(clip.frames)
    if rows is None or state.further.keeps_handles:
        return None
    values = state.values.copy()
    values[rows] = np.where(change.changed, change.new, values[rows])
    report.keys_before += len(values)
    report.keys_after += len(values)
    if np.array_equal(values, state.values):
        return False
    curve.state = state.with_values(values)
    return True


def _rekey(curve: FCurve, change: CurveChange, fitted: FittedKeys | None, *, stepped: bool) -> None:
    """Put fitted keys in the place of others, or one key on every frame."""
    if fitted is None:
        key_every_frame(curve, change, interpolation=CONSTANT if stepped else LINEAR)
    else:
        replace_keys(curve, fitted[0], with_last_step(fitted[1]) if stepped else fitted[1])
