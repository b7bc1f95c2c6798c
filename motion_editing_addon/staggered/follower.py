"""Poses that go with the motion when its timing changes, its sides are exchanged, or the original keys come back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ...core.staggered import mirrored_poses, poses_on_keys, retimed_poses, with_hidden_keys
from ..document import original_keys, scope
from . import pose_list, refit, session

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ...core.staggered import PoseTable
    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """List the poses when and on which side they are seen now; they are fitted when they are next used."""
    if change.joints is None or change.leaves_windows:
        return  # it is the poses themselves that were moved
    if not scope.own_action(change.armature).motion_editing_staggered.poses:
        return
    try:
        saved = session.load(change.armature)
    except MotionEditError:  # said by the tools
        return
    if saved is not None:
        followed = _followed(change, change.joints, saved)
        pose_list.refresh(change.armature, session.save(change.armature, followed, fits=False))


def _followed(change: MotionChange, joints: np.ndarray, saved: session.Session) -> session.Session:
    """The poses, still to be fitted."""
    table, likely, times = saved.table, saved.probability, saved.probability_times
    if change.partner is not None:
        first, last = (frame / change.clip.motion.rate for frame in change.reach)
        inside = (table.times >= first) & (table.times <= last)
        names = change.clip.motion.scalar_names
        table = mirrored_poses(table, change.partner, joints=joints, poses=inside, names=names)
    if change.time_map is not None:
        table = _retimed(change, joints, table, from_keys=saved.from_keys)
        if change.is_whole:
            times = _new_times(change, times)
            order = np.argsort(times)[: np.isfinite(times).sum()]
            likely, times = likely[order], times[order]
    return replace(saved, table=table, model=None, probability=likely, probability_times=times)


def _retimed(change: MotionChange, joints: np.ndarray, table: PoseTable, *, from_keys: bool) -> PoseTable:
    """The poses when they are seen now."""
    if from_keys and np.isinf(change.reach).all():
        table = table.with_keys(refit.key_times(change.clip), **refit.grouping(change.clip))  # set by hand before

    def new_times(times: np.ndarray) -> np.ndarray:
        return _new_times(change, times)

    moved = retimed_poses(table, new_times, joints=joints, is_whole=change.is_whole)
    return _on_keys(change, moved) if from_keys else moved


def _on_keys(change: MotionChange, table: PoseTable) -> PoseTable:
    """Poses of hand-set keys on these, which may lie on whole frames now; keys that the edit added are not shown."""
    clip = scope.read_clip(bpy.context, change.armature)
    keys = refit.key_times(clip)
    return with_hidden_keys(poses_on_keys(table, keys, reach=0.51 / clip.motion.rate), keys, **refit.grouping(clip))


def _new_times(change: MotionChange, times: np.ndarray) -> np.ndarray:
    rate = change.clip.motion.rate
    return change.seen_frames(times * rate) / rate


def restore(armature: Object, original: Action) -> None:
    """Bring back the poses that the action had with these keys; where it had none, forget that stagger was taken away.

    Poses that were made since stay in the list, unless they have followed a timing that is gone.
    """
    settings = scope.own_action(armature).motion_editing_staggered
    try:
        if session.bring_back(armature, original):
            settings["share"] = original.motion_editing_staggered.share
        elif original_keys.is_other_timing(armature):
            session.remove(armature)
            pose_list.clear(armature)
        saved = session.load(armature)
    except MotionEditError:  # said by the tools
        return
    if saved is not None:
        pose_list.refresh(armature, saved)
