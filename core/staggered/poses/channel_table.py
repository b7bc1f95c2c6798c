"""When the shapes of a face have their extremes at the poses of a motion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from .joined_key_groups import SAME_TIME

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ChannelTable:
    """Stagger of N scalar channels at C poses; channels that are not named are at the poses themselves.

    Attributes:
        names: N names.
        refinements: (C, N) seconds from the pose to the channel's extreme.
        collapsed: (C, N) the refinement is remembered, but the stagger is taken away for now.
    """

    names: tuple[str, ...] = ()
    refinements: Array = field(default_factory=lambda: np.empty((0, 0)))
    collapsed: Flags = field(default_factory=lambda: np.empty((0, 0), dtype=np.bool_))

    @classmethod
    def of(cls, names: Sequence[str], refinements: Any, collapsed: Any = None) -> "ChannelTable":
        """Of tables (C, N), without channels that are not staggered."""
        late = np.asarray(refinements, dtype=np.float64)
        gone = np.zeros(late.shape, dtype=np.bool_) if collapsed is None else np.asarray(collapsed, dtype=np.bool_)
        kept = np.flatnonzero((late != 0.0).any(axis=0)).tolist()
        return cls(tuple(names[channel] for channel in kept), late[:, kept], gone[:, kept])

    def __getitem__(self, poses: Any) -> "ChannelTable":
        """The same at chosen poses."""
        return replace(self, refinements=self.refinements[poses], collapsed=self.collapsed[poses]) if self else self

    def __len__(self) -> int:
        return len(self.names)

    def told(self, names: Sequence[str], poses: int) -> tuple[Array, Flags]:
        """(C, M) refinements and what is taken away, of channels by their names."""
        late, gone = np.zeros((poses, len(names))), np.zeros((poses, len(names)), dtype=np.bool_)
        for column, name in enumerate(names):
            if name in self.names:
                own = self.names.index(name)
                late[:, column], gone[:, column] = self.refinements[:, own], self.collapsed[:, own]
        return late, gone

    def applied(self, names: Sequence[str], poses: int) -> Array:
        """(C, M) refinements in use: 0 where the stagger is taken away."""
        late, gone = self.told(names, poses)
        return np.where(gone, 0.0, late)

    def with_pose(self, place: int) -> "ChannelTable":
        """With a pose more before another one, which is not staggered."""
        if not self:
            return self
        late, gone = np.insert(self.refinements, place, 0.0, axis=0), np.insert(self.collapsed, place, False, axis=0)
        return replace(self, refinements=late, collapsed=gone)

    def taken_over(self, origin: NDArray[np.intp]) -> "ChannelTable":
        """At poses that were others before, by their numbers; those with -1 are new and not staggered."""
        if not self:
            return self
        known, own = (origin >= 0)[:, None], self[np.maximum(origin, 0)]
        return replace(own, refinements=np.where(known, own.refinements, 0.0), collapsed=own.collapsed & known)

    def on_keys(self, key_times: Mapping[str, Array], poses: Array, *, reach: float) -> "ChannelTable":
        """On hand-set keys: a pose has the key of a channel that is nearest to it, and nearer than to other poses.

        Stagger that was taken away stays remembered where the key is still at its pose.

        Args:
            key_times: Increasing seconds of each channel's keys, by its name.
            poses: (C,) increasing seconds.
            reach: Seconds within which a key belongs to a pose.
        """
        names = tuple(key_times)
        late, gone = self.told(names, len(poses))
        there = np.stack([np.zeros(len(poses)), *(_nearest(key_times[name], poses, reach) for name in names)], axis=1)
        gone &= there[:, 1:] == 0.0
        return self.of(names, np.where(gone, late, there[:, 1:]), gone)

    def scaled(self, factor: float) -> "ChannelTable":
        """In a motion that is so many times as long."""
        return replace(self, refinements=self.refinements * factor)

    def to_arrays(self) -> dict[str, Any]:
        """Names to flat arrays and a text, for saving; nothing where nothing is staggered."""
        if not self:
            return {}
        return {
            "channels": "\n".join(self.names),
            "channel_refinements": self.refinements.ravel(),
            "channel_collapsed": self.collapsed.ravel().astype(np.int32),
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, Any], poses: int) -> "ChannelTable":
        """What `to_arrays` gave, for that many poses."""
        names = tuple(str(arrays.get("channels", "")).split("\n")) if arrays.get("channels") else ()
        if not names:
            return cls()
        late = np.array(arrays["channel_refinements"], dtype=np.float64).reshape(poses, len(names))
        gone = np.array(arrays["channel_collapsed"]).astype(np.bool_).reshape(poses, len(names))
        return cls(names, late, gone)


def _nearest(keys: Array, poses: Array, reach: float) -> Array:
    """(C,) seconds from each pose to its nearest key; 0 where none belongs to it."""
    late = np.zeros(len(poses))
    pose = np.searchsorted(0.5 * (poses[1:] + poses[:-1]), keys)
    away = keys - poses[pose]
    for number in np.argsort(-np.abs(away), kind="stable"):  # the nearest is set last
        if abs(away[number]) <= reach:
            late[pose[number]] = away[number] if abs(away[number]) > SAME_TIME else 0.0
    return late
