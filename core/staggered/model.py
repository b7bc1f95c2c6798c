"""A motion as staggered poses (section 3)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Motion
from ..numerics import Array
from .timing import Timing
from .track import Track
from .variables import Variables
from .warping.placement import placed
from .warping.speed_limits import SpeedLimits
from .warping.time_warps import TimeWarps


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a model was when it gave exactly its source motion: the state that edits are told by.

    Attributes:
        source: The motion.
        variables: Which channels of the motion are control variables.
        timing: When the knots were.
        rotations: Curves of the joints' rotations.
        numbers: Curves of locations, scales and scalars, one for each component.
    """

    source: Motion
    variables: Variables
    timing: Timing
    rotations: Track
    numbers: Track

    @cached_property
    def limits(self) -> SpeedLimits:
        """How fast the time of every variable may run."""
        return SpeedLimits(self.source, self.variables, self.timing)

    def knot_times(self, track: Track) -> Array:
        """(n,) time of every knot of one of the tracks, in seconds."""
        return track.layout.times(self.timing.slot_times[:, track.variable])


@dataclass(frozen=True, eq=False)
class StaggeredMotion:
    """Staggered poses, and the splines and displacement maps that lead from each to the next.

    Nothing in it is changed in place: every edit gives a new model that shares what stayed.

    Attributes:
        timing: When every variable passes every pose.
        rotations: Curves of the joints' rotations.
        numbers: Curves of locations, scales and scalars, one for each component.
        fitted: The model as it was fitted to its source motion.
    """

    timing: Timing
    rotations: Track
    numbers: Track
    fitted: Fitted

    @classmethod
    def of(cls, fitted: Fitted) -> "StaggeredMotion":
        """As it was fitted."""
        return cls(fitted.timing, fitted.rotations, fitted.numbers, fitted)

    def __len__(self) -> int:
        return len(self.timing)

    @property
    def source(self) -> Motion:
        """The motion that the model gave when it was fitted."""
        return self.fitted.source

    @property
    def variables(self) -> Variables:
        """Which channels of the motion are control variables."""
        return self.fitted.variables

    @property
    def pose_times(self) -> Array:
        """(K,) time of every pose, in seconds."""
        return self.timing.pose_times

    @property
    def refinements(self) -> Array:
        """(K, V) seconds from every pose to the extreme of every variable, as asked for."""
        return self.timing.applied_refinements

    @property
    def joint_refinements(self) -> Array:
        """(K, J) the same for the joints' rotations alone."""
        return self.timing.applied_refinements[:, : self.variables.joints]

    @property
    def joint_times(self) -> Array:
        """(K, J) when the extremes of the joints' rotations are; where a pose does not hold a joint, at the pose."""
        joints = self.variables.joints
        shown = self.timing.present[:, :joints]
        return np.where(shown, self.timing.extreme_times[:, :joints], self.pose_times[:, None])

    def channel_times(self, channel: int) -> Array:
        """(K,) when the extremes of a scalar channel are, by its number."""
        times: Array = self.timing.extreme_times[:, len(self.variables) - self.variables.scalars + channel]
        return times

    @property
    def tracks(self) -> tuple[Track, Track]:
        """Rotations and numbers."""
        return self.rotations, self.numbers

    @cached_property
    def warps(self) -> TimeWarps:
        """How the time of every variable runs since the fit."""
        return TimeWarps(self.fitted.timing, self.timing, self.fitted.limits)

    @cached_property
    def shows_source(self) -> bool:
        """Whether nothing differs from what was fitted."""
        edited = any(each.any() for each in self.edited_intervals())
        return not edited and not self.warps.moved.any() and bool((self.timing.span == self.fitted.timing.span).all())

    def with_timing(self, **fields: Any) -> "StaggeredMotion":
        """The same poses at other times, as near to those as nothing jumps."""
        asked = self.timing.changed(**fields)
        return replace(self, timing=placed(self.fitted.timing, asked, self.fitted.limits))

    def with_tracks(self, rotations: Track, numbers: Track) -> "StaggeredMotion":
        """The same times with other curves."""
        return replace(self, rotations=rotations, numbers=numbers)

    def edited_intervals(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which intervals of both tracks have other curves than those that give the source motion."""
        return self.rotations.differs(self.fitted.rotations), self.numbers.differs(self.fitted.numbers)

    def knot_times(self, track: Track) -> Array:
        """(n,) time of every knot of one of the tracks, in seconds: editing knots ride along with their extremes."""
        times = self.fitted.knot_times(track)
        if not self.warps.moved.any():
            return times
        times, owner = np.array(times), track.variable[track.layout.curve]
        for variable in np.flatnonzero(self.warps.moved):
            own = owner == variable
            times[own] = self.warps.new_times(int(variable), times[own])
        return times

    def with_changes_of(self, before: "StaggeredMotion", after: "StaggeredMotion") -> "StaggeredMotion":
        """The model with all curves that differ between two others, as they are in the second; timing stays.

        Where these have other knots than the model, all curves are those of the second.
        """
        if before.fitted is not after.fitted or self.fitted is not after.fitted:
            return StaggeredMotion.of(after.fitted).with_tracks(*after.tracks)
        tracks = []
        for own, one, other in zip(self.tracks, before.tracks, after.tracks, strict=True):
            changed = np.zeros(len(self.variables), dtype=np.bool_)
            changed[other.variable[other.layout.interval_curve[other.differs(one)]]] = True
            tracks.append(own.restored(other, changed) if changed.any() else own)
        return self.with_tracks(*tracks)

    def settled_timing(self) -> Timing:
        """The timing as if the curves had been fitted with it: editing knots are where they are now."""
        timing = self.fitted.timing
        companions = np.array(timing.companions)
        for variable in np.flatnonzero(self.warps.moved):
            own = timing.has_companion[:, variable]
            old = timing.companion_times[own, variable]
            new = self.warps.new_times(int(variable), old)
            companions[own, variable] = new - self.timing.extreme_times[own, variable]
        return self.timing.changed(companions=companions)
