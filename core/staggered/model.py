"""A motion as staggered poses (section 3)."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Motion
from ..numerics import Array
from .timing import Timing
from .track import Track
from .variables import Variables


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a model was when it gave exactly its source motion: the state that edits are told by."""

    timing: Timing
    rotations: Track
    numbers: Track


@dataclass(frozen=True, eq=False)
class StaggeredMotion:
    """Staggered poses, and the splines and displacement maps that lead from each to the next.

    Nothing in it is changed in place: every edit gives a new model that shares what stayed.

    Attributes:
        source: The motion that the model gave when it was fitted.
        variables: Which channels of the motion are control variables.
        timing: When every variable passes every pose.
        rotations: Curves of the joints' rotations.
        numbers: Curves of locations, scales and scalars, one for each component.
        fitted: The model as it was fitted to the source.
    """

    source: Motion
    variables: Variables
    timing: Timing
    rotations: Track
    numbers: Track
    fitted: Fitted

    def __len__(self) -> int:
        return len(self.timing)

    @property
    def pose_times(self) -> Array:
        """(K,) time of every pose, in seconds."""
        return self.timing.pose_times

    @property
    def refinements(self) -> Array:
        """(K, V) seconds from every pose to the extreme of every variable, as applied."""
        return self.timing.applied_refinements

    @property
    def joint_refinements(self) -> Array:
        """(K, J) the same for the joints' rotations alone."""
        return self.timing.applied_refinements[:, : self.variables.joints]

    @property
    def tracks(self) -> tuple[Track, Track]:
        """Rotations and numbers."""
        return self.rotations, self.numbers

    def with_timing(self, **fields: Any) -> "StaggeredMotion":
        """The same poses at other times."""
        return replace(self, timing=self.timing.changed(**fields))

    def with_tracks(self, rotations: Track, numbers: Track) -> "StaggeredMotion":
        """The same times with other curves."""
        return replace(self, rotations=rotations, numbers=numbers)

    def changed_intervals(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which intervals of both tracks no longer give the source motion."""
        return (
            self._changed(self.rotations, self.fitted.rotations),
            self._changed(self.numbers, self.fitted.numbers),
        )

    def _changed(self, track: Track, fitted: Track) -> NDArray[np.bool_]:
        different = track.differs(fitted)
        if self.timing is not self.fitted.timing:
            left = track.layout.left
            moved = self.knot_times(track) != fitted.layout.times(self.fitted.timing.slot_times[:, fitted.variable])
            different |= moved[left] | moved[left + 1]
        return different

    def knot_times(self, track: Track) -> Array:
        """(n,) time of every knot of one of the tracks, in seconds."""
        return track.layout.times(self.timing.slot_times[:, track.variable])
