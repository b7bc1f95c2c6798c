"""Poses that go with a motion when it gets another timing, is cut, or has its sides exchanged."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...editing import mirrored_names
from ...motion import Indices
from ...numerics import Array
from .channel_table import ChannelTable
from .joined_key_groups import SAME_TIME
from .pose_table import Flags, PoseTable


def retimed_poses(
    table: PoseTable, new_times: Callable[[Array], Array], *, joints: Flags, is_whole: bool = True
) -> PoseTable:
    """The poses when they are seen now, in order of time; those that are no longer seen, or met another, are gone.

    Args:
        table: Before the edit.
        new_times: Gives new for old seconds of any shape, NaN for moments that are no longer seen.
        joints: (J,) joints that were retimed.
        is_whole: The poses themselves were; otherwise only the way that those joints are staggered changes.
    """
    times = new_times(table.times) if is_whole else table.times
    knots = new_times(table.times[:, None] + table.refinements) - times[:, None]
    refinements = np.where(joints & np.isfinite(knots), knots, table.refinements)
    root = table.root_refinements
    if is_whole:
        moved = new_times(table.times + np.nan_to_num(root)) - times
        root = np.where(np.isfinite(moved) & ~np.isnan(root), moved, root)
    channels = _retimed_channels(table, new_times, times) if is_whole else table.channels
    followed = replace(table, times=times, refinements=refinements, root_refinements=root, channels=channels)
    seen = np.flatnonzero(np.isfinite(times))
    ordered = chosen_poses(followed, seen[np.argsort(times[seen], kind="stable")])
    return chosen_poses(ordered, np.flatnonzero(np.diff(ordered.times, prepend=-np.inf) > SAME_TIME))


def _retimed_channels(table: PoseTable, new_times: Callable[[Array], Array], times: Array) -> ChannelTable:
    channels = table.channels
    if not channels:
        return channels
    knots = new_times(table.times[:, None] + channels.refinements) - times[:, None]
    return replace(channels, refinements=np.where(np.isfinite(knots), knots, channels.refinements))


def mirrored_poses(
    table: PoseTable, partner: Indices, *, joints: Flags, poses: Flags, names: tuple[str, ...] = ()
) -> PoseTable:
    """The poses with the stagger of both sides exchanged.

    Args:
        table: Before the edit.
        partner: (J,) the joint whose motion each has now.
        joints: (J,) joints that were mirrored.
        poses: (C,) poses that were.
        names: Scalar channels of the motion; their sides are exchanged if the first joint was mirrored.
    """
    column = np.where(joints, partner, np.arange(len(partner)))
    sides: dict[str, Any] = {
        name: np.where(poses[:, None], getattr(table, name)[:, column], getattr(table, name))
        for name in ("refinements", "collapsed", "present")
    }
    channels = _mirrored_channels(table, poses, names) if joints[0] else table.channels
    return replace(table, channels=channels, **sides)


def _mirrored_channels(table: PoseTable, poses: Flags, names: tuple[str, ...]) -> ChannelTable:
    if not table.channels:
        return table.channels
    column, row = mirrored_names(names), poses[:, None]
    late, gone = table.channels.told(names, len(table))
    return ChannelTable.of(names, np.where(row, late[:, column], late), np.where(row, gone[:, column], gone))


def poses_within(table: PoseTable, start: float, end: float) -> PoseTable:
    """The poses between two times in seconds; all others are gone."""
    return chosen_poses(table, np.flatnonzero((table.times >= start) & (table.times <= end)))


def poses_on_keys(table: PoseTable, key_times: Sequence[Any], *, reach: float) -> PoseTable:
    """The poses of hand-keyed motion with every knot, and every pose, on the nearest key that lies within reach.

    Args:
        table: Poses that may lie beside their keys, since these were put on whole frames.
        key_times: For each joint the increasing times of its keys, in seconds.
        reach: Seconds.
    """
    wanted = table.times[:, None] + table.refinements
    knots = np.stack([_nearest(wanted[:, joint], keys, reach) for joint, keys in enumerate(key_times)], axis=1)
    knots = np.where(table.collapsed, wanted, knots)
    times = _nearest(table.times, np.unique(np.concatenate([np.empty(0), *key_times])), reach)
    return replace(table, times=times, refinements=knots - times[:, None])


def with_hidden_keys(table: PoseTable, key_times: Sequence[Any], **options: float) -> PoseTable:
    """The poses with keys that a tool has set between them: those are poses that are not shown.

    Args:
        table: Poses of hand-keyed motion.
        key_times: For each joint the increasing times of its keys, in seconds.
        options: Of `PoseTable.with_keys`.
    """
    keyed = table.with_keys(key_times, **options)
    known = np.abs(keyed.times[:, None] - table.times).min(axis=1, initial=np.inf) < SAME_TIME
    return replace(keyed, shown=keyed.shown & known)


def chosen_poses(table: PoseTable, numbers: NDArray[np.intp]) -> PoseTable:
    """Those poses of the table, in that order."""
    rows: dict[str, Any] = {each.name: getattr(table, each.name)[numbers] for each in fields(table)}
    return replace(table, **rows)


def _nearest(times: Array, keys: Array, reach: float) -> Array:
    """Each time, or the key next to it if that lies within reach."""
    if not len(keys):
        return times
    near = keys[np.abs(times[:, None] - keys).argmin(axis=1)]
    moved: Array = np.where(np.abs(near - times) <= reach, near, times)
    return moved
