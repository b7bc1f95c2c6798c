"""Keyed animation as staggered poses: which keys belong together (section 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import Indices
from ...numerics import Array


@dataclass(frozen=True, eq=False)
class KeyGroups:
    """Keys of C channels in K poses.

    Attributes:
        pose_times: (K,) in seconds: when most keys of the pose are.
        refinements: (K, C) seconds from the pose to the channel's key, 0 where it has none.
        present: (K, C) the channel has a key in the pose.
        keys: (K, C) number of that key among the channel's, -1 where it has none.
    """

    pose_times: Array
    refinements: Array
    present: NDArray[np.bool_]
    keys: Indices


def group_key_times(times: Sequence[Any], *, reach: float = 0.25) -> KeyGroups:
    """Find poses in the keys of an animation.

    Keys of different channels form one pose if all of them lie within `reach` and nearer to each
    other than to the next pose's. No channel has two keys in one pose.

    Args:
        times: For each channel the increasing times of its keys, in seconds.
        reach: Seconds. Lower it for quick, snappy animation whose poses follow closely.
    """
    channels = [np.asarray(channel, dtype=np.float64) for channel in times]
    lengths = [len(channel) for channel in channels]
    flat = np.concatenate([np.empty(0), *channels])
    order = np.argsort(flat, kind="stable")
    channel = np.repeat(np.arange(len(channels)), lengths)[order]
    number = np.concatenate([np.empty(0, dtype=np.intp), *(np.arange(n) for n in lengths)])[order]
    group = _groups(flat[order], channel, reach)
    return _table(flat[order], channel, number, group, len(channels))


def _groups(times: Array, channel: Indices, reach: float) -> Indices:
    """Group of every key, keys in order of time: the closest neighbours are joined first."""
    starts = np.flatnonzero(np.diff(times, prepend=-np.inf))
    bounds = [*starts.tolist(), len(times)]
    # Per group, found by its first and by its last moment: first, last moment and channels.
    first, last = list(range(len(starts))), list(range(len(starts)))
    members = [frozenset(channel[a:b].tolist()) for a, b in pairwise(bounds)]
    moments = times[starts]
    # Distance to the nearest group that could not be joined; nothing further away may be.
    limit = [np.inf] * len(starts)
    for gap in np.argsort(np.diff(moments).round(9), kind="stable").tolist():
        begin, end, middle = first[gap], last[gap + 1], gap + 1
        distance, nearest = moments[middle] - moments[gap], min(limit[begin], limit[middle])
        fits = moments[end] - moments[begin] <= reach * (1.0 + 1e-9)
        if fits and distance <= nearest + 1e-9 and not members[begin] & members[middle]:
            members[begin] |= members[middle]
            first[end], last[begin], limit[begin] = begin, end, nearest
        else:
            limit[begin], limit[middle] = min(limit[begin], distance), min(limit[middle], distance)
    heads = np.zeros(len(starts), dtype=np.intp)
    place = 0
    while place < len(starts):
        heads[place] = 1
        place = last[place] + 1
    return np.repeat(np.cumsum(heads) - 1, np.diff(bounds))


def _table(times: Array, channel: Indices, number: Indices, group: Indices, channels: int) -> KeyGroups:
    count = int(group[-1]) + 1 if len(group) else 0
    pose_times = np.array(
        [_most_common(part) for part in np.split(times, np.flatnonzero(np.diff(group)) + 1) if part.size]
    )
    keys = np.full((count, channels), -1, dtype=np.intp)
    refinements = np.zeros((count, channels))
    keys[group, channel] = number
    refinements[group, channel] = times - pose_times[group]
    return KeyGroups(pose_times, refinements, keys >= 0, keys)


def _most_common(times: Array) -> float:
    """The time with the most keys; among equals the one nearest to the middle one."""
    values, counts = np.unique(times, return_counts=True)
    best = values[counts == counts.max()]
    return float(best[np.argmin(np.abs(best - np.median(times)))])
