"""Bringing an edit of hand-keyed poses into the animator's own keys, which stay as few as they are.

Keys and handles of a joint whose timing changed move in time; then keys at which the poses look otherwise
than before change by that difference. The keys themselves are what the poses are made of: where an edit
changes nothing, they stay bit for bit, however well a model describes them. Keys of which only the timing was
ever edited are always moved from where they were at first, so that nothing adds up and the way back is exact.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....core.rig import animated_joints
from ....core.solve.contact_lock import HoldReport
from ....core.staggered import StaggeredMotion, carried_over, changed_frames, evaluate, knot_map, with_times_of
from ...border import action_io
from ...border.action_io.any_frames import frames_and_keys, read_frames
from ...border.action_io.channel_values import new_channels
from ...border.action_io.reduction.pose_keys import PoseColumns
from ...border.action_io.reduction.sparse_keys import Closely, carry_following, has_few_keys
from ...border.key_options import AUTOMATIC, KeyOptions
from ...border.steps import finish
from ...document import scope
from ...document.contacts.floor_keys import lift_between_keys
from .. import contacts
from ..edits import anatomy, source_keys
from .keyed_variables import variable_of

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.motion import Mask, Motion
    from ...border.action_io import Clip, Plan, WriteReport
    from ...border.action_io.written_motion import Job
    from ..session import Session


def write(
    context: Context, clip: Clip, before: Session, edited: Session, options: KeyOptions, *, whole_frames: bool = True
) -> tuple[WriteReport, HoldReport]:
    """Move the keys in time, then in value; feet stay if an edit has asked for that.

    Args:
        whole_frames: Keys that move go to whole frames.
    """
    model = edited.poses
    brought_back = _bring_back(clip, model)
    start = scope.read_clip(context, clip.armature) if brought_back.any() else clip
    moved = _retime(start, before.poses, model, brought_back, whole_frames)
    now = scope.read_clip(context, clip.armature)
    if options.keys == AUTOMATIC:
        knots = np.unique(model.timing.extreme_times[model.timing.present]) * now.motion.rate
        now = read_frames(clip.armature, frames_and_keys(now, knots), rate=now.motion.rate)
    times = now.motion.times
    old, new = evaluate(with_times_of(before.poses, model), times), evaluate(model, times)
    wanted, holding = carried_over(now.motion, old, new), HoldReport()
    if edited.poses.tracks != before.poses.tracks:
        wanted = anatomy.with_hinges_locked(now, edited, wanted)
    place = None if model.shows_source else contacts.kept_by(now, edited)
    if place is not None:
        held, found = place.held(model, wanted, fixed=_unchanged(clip, now, wanted))
        if place.character is not None and _needs_new_channels(now, wanted, held):
            place = None  # controls that nobody has keyed stay where they are
        else:
            wanted, holding = held, found
    plan = finish(action_io.plan_write(now, wanted, options))
    plan = replace(plan, jobs=[_at_poses(now, job, model) for job in plan.jobs])
    report = _carried_out(plan) if place is None else _carried_out_above(plan, place, model, wanted)
    after = scope.read_clip(context, clip.armature)
    report.bones = max(report.bones, moved, _bones_changed(clip, after))
    report.frames = changed_frames(clip.motion, after.motion)
    return report, holding


def _carried_out(plan: Plan, *closely: Closely) -> WriteReport:
    if closely and plan.options.keys == AUTOMATIC and plan.jobs:
        return carry_following(plan, (), *closely)
    report = plan.carry_out()
    report.misses.clear()  # between its keys the motion is what the keys make it
    return report


def _carried_out_above(plan: Plan, place: contacts.Standing, model: StaggeredMotion, wanted: Motion) -> WriteReport:
    """The same, with feet that stand and nothing below the floor between the keys either."""
    closely = [place.where_standing(model, wanted).on_whole_frames(plan.clip)] if place.contacts.joints else []
    report = _carried_out(plan, *closely)
    ground = place.ground(model, wanted.times) if has_few_keys(plan) else None
    if ground is not None:
        seen = None if place.character is None else place.character.seen
        lift_between_keys(plan, report, wanted, ground, *closely, seen=seen)
    return report


def _needs_new_channels(clip: Clip, wanted: Motion, held: Motion) -> bool:
    """Whether feet would be held with channels that have no keys and that the edit itself does not need."""
    return not new_channels(clip, held) <= new_channels(clip, wanted)


def _unchanged(clip: Clip, now: Clip, wanted: Motion) -> Mask:
    """(F,) frames of an edit at which the motion is what it was, and those between two of them."""
    shared = np.flatnonzero(np.isin(clip.frames, now.frames))
    rows = np.searchsorted(now.frames, clip.frames[shared])
    names = ("rotations", "locations", "scales")
    same = [(getattr(clip.motion, name)[shared] == getattr(wanted, name)[rows]).all(axis=(1, 2)) for name in names]
    return np.interp(now.frames, clip.frames[shared], np.logical_and.reduce(same)) == 1.0


def _bones_changed(before: Clip, after: Clip) -> int:
    """How many bones and other properties show another motion."""
    if len(before.motion) != len(after.motion):
        return int(animated_joints(after.motion).sum())
    names = ("rotations", "locations", "scales")
    changed = [(getattr(before.motion, name) != getattr(after.motion, name)).any(axis=(0, 2)) for name in names]
    others = (before.motion.scalars != after.motion.scalars).any(axis=0)
    return int(np.any(changed, axis=0).sum() + others.sum())


def _at_poses(clip: Clip, job: Job, model: StaggeredMotion) -> Job:
    """A job that keys its property at the poses which hold it, where they change."""
    variable = variable_of(clip, model, job.prop)
    if variable is None:
        return job
    knots = model.timing.extreme_times[model.timing.present[:, variable], variable] * clip.motion.rate
    samples = [int(np.argmin(np.abs(clip.frames - knot))) for knot in knots]
    is_new = all(curve is None for curve in clip.channels.of(job.prop))
    return replace(job, poses=PoseColumns.of(job.change, samples, is_new=is_new))


def _bring_back(clip: Clip, model: StaggeredMotion) -> np.ndarray:
    """Give joints and scalars whose poses look as they did the keys of then; gives which (J + N,) those are."""
    joints, scalars = len(clip.motion.skeleton), len(clip.channels.scalars)
    kept = source_keys.kept_properties(clip, model.source)
    edited = _edited_variables(model)
    found = np.zeros(joints + scalars, dtype=np.bool_)
    names: set[str] = set()
    for number in range(joints + scalars):
        own = clip.channels.joints[number] if number < joints else (clip.channels.scalars[number - joints],)
        variables = [variable_of(clip, model, prop) for prop in own]
        if all(prop in kept for prop in own) and not any(edited[each] for each in variables if each is not None):
            found[number] = True
            names.update(prop.name for prop in own)
    source_keys.bring_back(clip.armature, names)
    return found


def _edited_variables(model: StaggeredMotion) -> np.ndarray:
    """(V,) variables whose poses look otherwise than they were fitted."""
    flags = np.zeros(len(model.variables), dtype=np.bool_)
    for track, edited in zip(model.tracks, model.edited_intervals(), strict=True):
        flags[track.variable[track.layout.interval_curve[edited]]] = True
    return flags


def _retime(
    clip: Clip, before: StaggeredMotion, model: StaggeredMotion, brought_back: np.ndarray, whole_frames: bool
) -> int:
    """Move the keys and handles of joints and scalars whose knots have moved; gives how many these are."""
    joints, scalars = len(clip.motion.skeleton), len(clip.channels.scalars)
    fitted, moved = StaggeredMotion.of(model.fitted), 0
    for number in range(joints + scalars):
        # Rotations are the first variables of a model, scalars the last.
        variable = number if number < joints else len(model.variables) + number - joints - scalars
        time_map = knot_map(fitted if brought_back[number] else before, model, variable)
        if time_map is not None:
            chosen = np.arange(joints + scalars) == number
            action_io.retime(clip, time_map, chosen[:joints], scalars=chosen[joints:], snap=whole_frames)
            moved += not brought_back[number]
    return moved
