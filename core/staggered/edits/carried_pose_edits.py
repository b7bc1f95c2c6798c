"""Edits of a staggered pose carried to the poses that correspond to it in parts of the motion that are alike."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...body import Body
from ...editing import PropagationWindow, joint_flags, offsets_in_heading
from ...motion import OFFSETS, PoseOffsets
from ..model import StaggeredMotion
from .pose_edits import non_staggered_pose, with_extreme_pose
from .timing_edits import retime, with_refinements


def corresponding_poses(
    pose_times: Any, operation: tuple[float, float], windows: Sequence[PropagationWindow], pose: int
) -> list[int | None]:
    """Which pose of each window is to it what a pose is to the operation window.

    It is the one nearest to the corresponding time, as long as it is no farther from it than half
    the distance to its own nearest neighbour.

    Args:
        pose_times: (K,) increasing, in frames.
        operation: First and last frame of the operation window.
        windows: Parts that are like it.
        pose: Number of the pose.

    Returns:
        A number for each window; None where there is no such pose, or the pose itself lies outside
        the operation window.
    """
    times = np.asarray(pose_times, dtype=np.float64)
    if not operation[0] <= times[pose] <= operation[1]:
        return [None] * len(windows)
    reach = 0.5 * np.diff(times, prepend=-np.inf, append=np.inf)
    reach = np.minimum(reach[:-1], reach[1:])
    found: list[int | None] = []
    for window in windows:
        gaps = np.abs(times - float(window.own_at(times[pose])))
        nearest = int(np.argmin(gaps))
        fits = gaps[nearest] <= reach[nearest] and nearest != pose
        found.append(nearest if fits and window.start <= times[nearest] <= window.end else None)
    return found


def carry_pose_edit(
    before: StaggeredMotion,
    after: StaggeredMotion,
    pose: int,
    operation: tuple[float, float],
    windows: Iterable[PropagationWindow],
    *,
    joints: Any = None,
    amount: float = 1.0,
    body: Body | None = None,
) -> StaggeredMotion:
    """Edit the corresponding poses of all enabled windows as one staggered pose was edited.

    Extremes take the same offset, seen from where the character faces; timing refinements change by the same time. If
    the pose as a whole was moved in time, its fellows are moved to the frames that correspond, as far
    as their neighbours let them.

    Args:
        before: The model without the edit.
        after: The model with the pose edited; it has the same poses.
        pose: Number of the pose.
        operation: First and last frame of the operation window, which holds the pose.
        windows: Parts to carry the edit to; those not ticked are left out.
        joints: Numbers or (J,) flags of joints whose edit is carried; all if not given.
        amount: 0 carries nothing, 1 the whole edit.
        body: Tells which joint carries the character and where up is. If not given, these are the
            joints without parent, and z.
    """
    if len(before) != len(after):
        raise ValueError("Both models must have the same poses")
    source = before.source
    frames = np.interp(before.pose_times, source.times, np.arange(len(source)))
    ticked = [window for window in windows if window.ticked]
    fellows = corresponding_poses(frames, operation, ticked, pose)
    chosen = [found for found in fellows if found is not None]
    flags = (
        np.ones(len(source.skeleton), dtype=np.bool_) if joints is None else joint_flags(joints, len(source.skeleton))
    )
    one, other = non_staggered_pose(before, pose), non_staggered_pose(after, pose)
    offsets = PoseOffsets.between(one, other).scaled(amount)
    offsets = offsets if joints is None else offsets.limited(flags)
    result = after
    edited = any(getattr(offsets, name).any() for name in OFFSETS)
    for number in chosen if edited else ():
        present = non_staggered_pose(result, number)
        result = with_extreme_pose(result, number, offsets_in_heading(offsets, one, present, body).applied(present))
    later = amount * (after.joint_refinements[pose] - before.joint_refinements[pose])
    changed = flags & (later != 0.0)
    if chosen and changed.any():
        result = with_refinements(result, result.joint_refinements + later, poses=chosen, joints=changed)
    if after.pose_times[pose] == before.pose_times[pose]:
        return result
    return _with_times_carried(result, before, pose, zip(fellows, ticked, strict=True), amount)


def _with_times_carried(
    model: StaggeredMotion,
    before: StaggeredMotion,
    pose: int,
    fellows: Iterable[tuple[int | None, PropagationWindow]],
    amount: float,
) -> StaggeredMotion:
    """Fellows of a pose moved as it was, each along the correspondence of its window."""
    source = before.source
    moved = [before.pose_times[pose], model.pose_times[pose]]
    frames = np.interp(moved, source.times, np.arange(len(source)))
    for number, window in fellows:
        if number is not None:
            start, end = np.interp(window.own_at(frames), np.arange(len(source)), source.times)
            model = retime(model, number, model.pose_times[number] + amount * (end - start))
    return model
