"""All poses that were found in a motion, and which of them are shown for editing."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...analysis import PoseCandidates, cull
from ...errors import MotionEditError
from ...motion import Motion, shape_channels
from ...numerics import Array
from ..model import StaggeredMotion
from ..model_fit import fit, top_location
from ..timing import TINY_TIME
from ..variables import Variables
from ..warping.knot_order import in_order
from .channel_table import ChannelTable
from .joined_key_groups import SAME_TIME, regroup_key_times
from .key_groups import KeyGroups

Flags = NDArray[np.bool_]

_FLAGS = ("collapsed", "present", "pinned", "removed", "shown")
_TABLES = ("refinements", "collapsed", "present")
_FIELDS = ("times", "priorities", "refinements", "root_refinements", *_FLAGS)


@dataclass(frozen=True, eq=False)
class PoseTable:
    """C poses in order of time; the K that are shown are those of a model.

    Attributes:
        times: (C,) seconds.
        priorities: (C,) how much a pose tells about the motion.
        refinements: (C, J) seconds from the pose to each joint's extreme.
        root_refinements: (C,) the same for the place of the uppermost moving joint; NaN if it goes with the joint.
        collapsed: (C, J) the refinement is remembered, but the stagger is taken away for now.
        present: (C, J) joints that the pose holds.
        pinned: (C,) culling keeps the pose.
        removed: (C,) the pose was deleted and is not shown again.
        shown: (C,) the pose can be edited.
        channels: Stagger of scalar channels, such as the shapes of a face.
    """

    times: Array
    priorities: Array
    refinements: Array
    root_refinements: Array
    collapsed: Flags
    present: Flags
    pinned: Flags
    removed: Flags
    shown: Flags
    channels: ChannelTable = field(default_factory=ChannelTable)

    @classmethod
    def of_candidates(cls, found: PoseCandidates, *, share: float = 1.0) -> "PoseTable":
        """The poses of captured motion, the most telling share of them shown."""
        none = np.zeros(len(found), dtype=np.bool_)
        table = cls(
            found.times,
            found.priorities,
            found.refinements,
            found.root_refinements,
            np.zeros(found.refinements.shape, dtype=np.bool_),
            np.ones(found.refinements.shape, dtype=np.bool_),
            none,
            none,
            ~none,
            ChannelTable.of(found.channels, found.channel_refinements),
        )
        return table.culled(share)

    @classmethod
    def of_keys(cls, groups: KeyGroups) -> "PoseTable":
        """The poses of keyed animation; one with keys on many joints tells more. All are shown."""
        count = len(groups.pose_times)
        none = np.zeros(count, dtype=np.bool_)
        return cls(
            groups.pose_times,
            groups.present.mean(axis=1),
            groups.refinements,
            np.full(count, np.nan),
            np.zeros(groups.present.shape, dtype=np.bool_),
            groups.present,
            none,
            none,
            ~none,
        )

    def __len__(self) -> int:
        return len(self.times)

    @property
    def numbers(self) -> NDArray[np.intp]:
        """(K,) which of all poses the shown ones are."""
        return np.flatnonzero(self.shown)

    def culled(self, share: float, *, interval: tuple[float, float] | None = None) -> "PoseTable":
        """Show the most telling share, 0 to 1, of the poses; pinned ones always, removed ones never.

        With an interval in seconds only poses within it are chosen anew.
        """
        candidates = PoseCandidates(
            self.times,
            np.zeros(len(self), dtype=np.intp),
            self.priorities,
            self.refinements,
            self.root_refinements,
            np.empty(0),
        )
        chosen = np.zeros(len(self), dtype=np.bool_)
        pinned, removed = np.flatnonzero(self.pinned), np.flatnonzero(self.removed)
        chosen[cull(candidates, share=share, interval=interval, pinned=pinned, removed=removed)] = True
        if interval is not None:
            outside = (self.times < interval[0]) | (self.times > interval[1])
            chosen = np.where(outside, self.shown, chosen)
        return replace(self, shown=chosen)

    def with_pin(self, pose: int, pinned: bool) -> "PoseTable":
        """Pin or unpin the shown pose of this number."""
        flags = self.pinned.copy()
        flags[self.numbers[pose]] = pinned
        return replace(self, pinned=flags)

    def with_shown(self, number: int) -> "PoseTable":
        """Show a pose by its number among all, and keep it shown."""
        flags = {"shown": True, "pinned": True, "removed": False}
        changed = {name: getattr(self, name).copy() for name in flags}
        for name, value in flags.items():
            changed[name][number] = value
        return replace(self, **changed)

    def without(self, pose: int) -> "PoseTable":
        """Take the shown pose of this number away for good; the first and the last hold the ends."""
        place = self.numbers[pose]
        if place in (0, len(self) - 1):
            raise MotionEditError("The first and the last pose hold the ends of the motion and stay")
        removed, shown = self.removed.copy(), self.shown.copy()
        removed[place], shown[place] = True, False
        return replace(self, removed=removed, shown=shown)

    def with_pose(self, time: float, *, present: Any = None) -> "PoseTable":
        """With a pose of the user's own at a time: pinned, not staggered, for all joints or those present (J,)."""
        place = int(np.searchsorted(self.times, time))
        joints = self.refinements.shape[1]
        new: dict[str, Any] = {
            "times": time,
            "priorities": 0.0,
            "refinements": np.zeros(joints),
            "root_refinements": 0.0,
            "collapsed": np.zeros(joints, dtype=np.bool_),
            "present": np.ones(joints, dtype=np.bool_) if present is None else present,
            "pinned": True,
            "removed": False,
            "shown": True,
        }
        rows: dict[str, Any] = {
            name: np.insert(getattr(self, name), place, value, axis=0) for name, value in new.items()
        }
        return replace(self, channels=self.channels.with_pose(place), **rows)

    def fitted(self, motion: Motion, *, is_cyclic: bool = False, seam: float = 0.0) -> StaggeredMotion:
        """A model of the motion with the shown poses; see `fit` for one that plays round and round."""
        shown, variables = self.shown, Variables.of(motion)
        times = np.clip(self.times[shown], motion.times[0], motion.times[-1])
        late, gone = self.channels.told(motion.scalar_names, len(self))
        away = variables.from_joints(self.collapsed[shown], gone[shown])
        wanted = variables.from_joints(self.refinements[shown], late[shown])
        top = top_location(motion, variables)
        if top is not None:
            root = self.root_refinements[shown]
            wanted[:, top] = np.where(np.isnan(root), wanted[:, top], root)
        present = variables.from_joints(self.present[shown], True)
        model = fit(motion, times, np.where(away, 0.0, wanted), present=present, is_cyclic=is_cyclic, seam=seam)
        # Stagger that was taken away stays remembered; it moves no knot.
        return model.with_timing(refinements=wanted, collapsed=away)

    def following(self, model: StaggeredMotion) -> "PoseTable":
        """With the times, refinements and joints that the shown poses have in a model."""
        times, refinements, collapsed = np.array(self.times), np.array(self.refinements), self.collapsed.copy()
        present, root = self.present.copy(), self.root_refinements.copy()
        times[self.shown] = model.pose_times
        top = top_location(model.source, model.variables)
        timing = model.timing
        # What is taken away stays remembered; what had to give way is where it is.
        there = np.where(timing.collapsed, timing.refinements, timing.extreme_times - timing.pose_times[:, None])
        as_asked = ~timing.present | (np.abs(timing.extreme_times - timing.wanted_times) < TINY_TIME)
        there = np.where(as_asked, timing.refinements, there)
        if top is not None:
            follows = self.shown & ~np.isnan(root)
            root[follows] = there[follows[self.shown], top]
        refinements[self.shown] = there[:, : refinements.shape[1]]
        collapsed[self.shown] = model.timing.collapsed[:, : refinements.shape[1]]
        present[self.shown] = model.timing.present[:, : refinements.shape[1]]
        # Poses that are not shown keep their order among those that moved.
        hidden = ~self.shown
        if hidden.any() and (~hidden).any():
            old, new = self.times[self.shown], model.pose_times
            times[hidden] = np.interp(self.times[hidden], old, new)
        return replace(
            self,
            times=times,
            refinements=refinements,
            root_refinements=root,
            collapsed=collapsed,
            present=present,
            channels=self._channels_of(model, there),
        )

    def _channels_of(self, model: StaggeredMotion, there: Array) -> ChannelTable:
        """The stagger of shapes as it is in a model, whose refinements (K, V) are given; hidden poses keep theirs."""
        names, first = model.source.scalar_names, len(model.variables) - model.variables.scalars
        late, gone = self.channels.told(names, len(self))
        shapes = shape_channels(model.source)
        late[self.shown], gone[self.shown] = np.where(shapes, there[:, first:], 0.0), model.timing.collapsed[:, first:]
        return ChannelTable.of(names, late, gone)

    def with_keys(self, times: Sequence[Any], *, reach: float, margin: float) -> "PoseTable":
        """The poses of hand-keyed motion after keys were set, moved or deleted.

        Poses stay where they are as long as they have keys, and what is known of them does; stagger that was
        taken away stays remembered where a joint's key is still at its pose.

        Args:
            times: For each joint the increasing times of its keys, in seconds.
            reach: Seconds within which new keys form a pose.
            margin: Knots of one joint are this far apart.
        """
        wanted = self.times[:, None] + self.applied_refinements()
        knots = np.where(self.present, in_order(wanted, self.present, margin), np.nan)
        found = regroup_key_times(times, self.times, knots, reach=reach)
        table, known = self.of_keys(found.groups), found.origin >= 0
        origin = found.origin[known]
        kept = np.zeros_like(table.collapsed)
        kept[known] = self.collapsed[origin] & self.present[origin]
        kept &= table.present & (np.abs(table.refinements) < SAME_TIME)
        refinements, flags = np.array(table.refinements), {}
        refinements[known] = np.where(kept[known], self.refinements[origin], refinements[known])
        for name in ("pinned", "removed", "shown"):
            flags[name] = getattr(table, name).copy()
            flags[name][known] = getattr(self, name)[origin]
        channels = self.channels.taken_over(found.origin)
        return replace(table, refinements=refinements, collapsed=kept, channels=channels, **flags)

    def applied_refinements(self) -> Array:
        """(C, J) refinements in use: 0 where the stagger is taken away."""
        return np.where(self.collapsed, 0.0, self.refinements)

    def scaled(self, factor: float) -> "PoseTable":
        """The same poses in a motion that is so many times as long."""
        return replace(
            self,
            times=self.times * factor,
            refinements=self.refinements * factor,
            root_refinements=self.root_refinements * factor,
            channels=self.channels.scaled(factor),
        )

    def spreads(self) -> Array:
        """(C,) seconds between the earliest and the latest joint of each pose."""
        staggered = np.where(self.present, self.applied_refinements(), np.nan)
        low, high = np.fmin.reduce(staggered, axis=1), np.fmax.reduce(staggered, axis=1)
        spreads: Array = np.nan_to_num(high - low)
        return spreads

    def to_arrays(self) -> dict[str, Any]:
        """Names to 1-D float64 and int32 arrays, for saving; names of channels are a text."""
        arrays: dict[str, Any] = {
            name: np.asarray(getattr(self, name)).ravel().astype(np.int32 if name in _FLAGS else np.float64)
            for name in _FIELDS
        }
        return arrays | self.channels.to_arrays()

    @classmethod
    def from_arrays(cls, arrays: dict[str, Any], joints: int) -> "PoseTable":
        """What `to_arrays` gave, for a skeleton of that many joints."""
        count = len(arrays["times"])
        if len(arrays["refinements"]) != count * joints:
            raise MotionEditError("The saved poses are of another skeleton: use Remove Poses, then extract them again")
        values: dict[str, Any] = {}
        for name in _FIELDS:
            value = np.array(arrays[name]).astype(np.bool_ if name in _FLAGS else np.float64)
            values[name] = value.reshape(count, joints) if name in _TABLES else value
        return cls(**values, channels=ChannelTable.from_arrays(arrays, count))
