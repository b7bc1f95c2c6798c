"""Keys of an animation that has poses already: these stay where they are, new keys join them or form new ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import Indices
from ...numerics import Array
from .key_groups import KeyGroups, group_key_times

# Seconds by which times of one moment differ through rounding to Blender's keys.
SAME_TIME = 1e-3


@dataclass(frozen=True, eq=False)
class Regrouped:
    """Poses of keys, and which of them there were before.

    Attributes:
        groups: The poses.
        origin: (K,) number of the earlier pose that each is, -1 for new ones.
    """

    groups: KeyGroups
    origin: Indices


def regroup_key_times(times: Sequence[Any], pose_times: Any, knots: Any, *, reach: float = 0.25) -> Regrouped:
    """Find poses in keys of which some belong to poses already.

    A pose whose keys are all gone goes too. One among whose keys new ones were set at the time of the
    pose itself, or across its own, is looked for anew.

    Args:
        times: For each channel the increasing times of its keys, in seconds.
        pose_times: (K,) of the earlier poses, increasing.
        knots: (K, C) when each channel passed them, NaN where it did not.
        reach: Seconds within which new keys form a pose.
    """
    channels = [np.asarray(channel, dtype=np.float64) for channel in times]
    poses = _Poses.earlier(np.array(pose_times, dtype=np.float64), len(channels))
    new = [poses.taken(number, channel, np.asarray(knots)[:, number]) for number, channel in enumerate(channels)]
    while True:
        placed = _placed(poses, group_key_times(new, reach=reach), reach)
        if isinstance(placed, _Poses):
            return _numbered(placed, channels)
        for number, time in enumerate(poses.given_up(placed)):
            if not np.isnan(time):
                new[number] = np.sort(np.append(new[number], time))


@dataclass(frozen=True, eq=False)
class _Poses:
    """Poses in order of time.

    Attributes:
        times: (K,) seconds.
        keys: (K, C) the keys that they hold, NaN where there is none; a pose without any does not count.
        origin: (K,) number of the earlier pose, -1 for new ones.
    """

    times: Array
    keys: Array
    origin: Indices

    @classmethod
    def earlier(cls, times: Array, channels: int) -> "_Poses":
        """Earlier poses before they have taken any keys."""
        return cls(times, np.full((len(times), channels), np.nan), np.arange(len(times)))

    @property
    def there(self) -> NDArray[np.bool_]:
        """(K,) which have keys."""
        flags: NDArray[np.bool_] = np.any(~np.isnan(self.keys), axis=1)
        return flags

    def taken(self, channel: int, times: Array, knots: Array) -> Array:
        """Take the keys of a channel that are at its knots; gives the others."""
        if not len(times) or not len(knots):
            return times
        away = np.abs(times[:, None] - np.where(np.isnan(knots), np.inf, knots))
        met = np.flatnonzero(away.min(axis=0) < SAME_TIME)
        own, first = np.unique(away.argmin(axis=0)[met], return_index=True)
        self.keys[met[first], channel] = times[own]
        return np.delete(times, own)

    def given_up(self, pose: int) -> Array:
        """Take the keys (C,) of a pose away from it."""
        given: Array = self.keys[pose].copy()
        self.keys[pose] = np.nan
        return given

    def with_joined(self, pose: int, own: Array) -> "_Poses":
        """With keys more in a pose."""
        keys = self.keys.copy()
        keys[pose] = np.where(np.isnan(own), keys[pose], own)
        return replace(self, keys=keys)

    def with_new(self, time: float, own: Array) -> "_Poses":
        """With one pose more."""
        place = int(np.searchsorted(self.times, time))
        return _Poses(
            np.insert(self.times, place, time),
            np.insert(self.keys, place, own, axis=0),
            np.insert(self.origin, place, -1),
        )

    def disordered(self, place: int, own: Array) -> NDArray[np.bool_]:
        """(K,) poses before and from a place on that some channel would pass in the wrong order."""
        before = np.arange(len(self.times))[:, None] < place
        wrong = np.where(before, self.keys >= own, self.keys <= own)  # comparing with NaN is False
        flags: NDArray[np.bool_] = np.any(wrong, axis=1)
        return flags


def _placed(poses: _Poses, groups: KeyGroups, reach: float) -> _Poses | int:
    """The poses with groups of new keys among them, or the number of an earlier one that a group gets across."""
    moments = np.where(groups.present, groups.pose_times[:, None] + groups.refinements, np.nan)
    for time, own in zip(groups.pose_times.tolist(), moments, strict=True):
        host = _host(poses, time, own, reach)
        across = _across(poses, time, own) if host is None else None
        if across is not None:
            return across
        poses = poses.with_new(time, own) if host is None else poses.with_joined(host, own)
    return poses


def _host(poses: _Poses, time: float, own: Array, reach: float) -> int | None:
    """The nearest earlier pose within reach that has room for the keys of a group."""
    away = np.abs(poses.times - time)
    for pose in np.argsort(away, kind="stable").tolist():
        if away[pose] > reach * (1.0 + 1e-9):
            return None
        full = (~np.isnan(poses.keys[pose]) & ~np.isnan(own)).any()
        if poses.there[pose] and poses.origin[pose] >= 0 and not full and not poses.disordered(pose, own).any():
            return int(pose)
    return None


def _across(poses: _Poses, time: float, own: Array) -> int | None:
    """The earlier pose at the time of a group, or one that some channel would pass in the wrong order."""
    same = poses.there & (np.abs(poses.times - time) < SAME_TIME)
    wrong = poses.disordered(int(np.searchsorted(poses.times, time)), own)
    found = poses.origin[(same | wrong) & (poses.origin >= 0)]
    return int(found[0]) if found.size else None


def _numbered(poses: _Poses, channels: list[Array]) -> Regrouped:
    """What has keys, with the number of every key among its channel's."""
    there = poses.there
    times, moments = poses.times[there], poses.keys[there]
    present = ~np.isnan(moments)
    keys = np.full(present.shape, -1, dtype=np.intp)
    for number, channel in enumerate(channels):
        keys[present[:, number], number] = np.arange(len(channel))
    refinements = np.where(present, moments - times[:, None], 0.0)
    return Regrouped(KeyGroups(times, refinements, present, keys), poses.origin[there])
