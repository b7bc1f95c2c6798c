"""A part of a motion: what an edit takes from, or changes."""

from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np

from ..motion import Motion, Skeleton, joints_by_name
from ..numerics import Array, quaternion
from .frame_errors import EmptyWindowError

# Fewest whole frames that show a movement: two ends that stay and one frame between them.
_FEWEST = 3


@dataclass(frozen=True, eq=False)
class Segment:
    """A part of a motion between two frames.

    Attributes:
        motion: Any motion; it need not be the one that is edited.
        start: First frame, counted from 0, with fractions.
        end: Last frame.
    """

    motion: Motion
    start: float
    end: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.start < self.end <= len(self.motion) - 1:
            raise EmptyWindowError(
                "Frames {} to {} are no part of the motion's frames {} to {}; drag across the strip to choose a part",
                *(self.start, self.end, 0, len(self.motion) - 1),
            )
        if floor(self.end) - ceil(self.start) + 1 < _FEWEST:
            raise EmptyWindowError(
                f"Frames {{}} to {{}} hold less than {_FEWEST} whole frames; choose a longer part", self.start, self.end
            )

    @property
    def length(self) -> float:
        """Frames from start to end."""
        return self.end - self.start

    @property
    def whole_frames(self) -> Array:
        """(N,) the motion's own frames inside."""
        return np.arange(ceil(self.start), floor(self.end) + 1, dtype=np.float64)

    @property
    def rows(self) -> slice:
        """The same frames as rows of the motion's arrays."""
        return slice(ceil(self.start), floor(self.end) + 1)

    def own_part(self) -> Motion:
        """The motion's own frames inside, as a motion."""
        return self.motion.part(self.rows.start, self.rows.stop)

    def at(self, frames: Any) -> Motion:
        """The motion at any frames, with fractions."""
        return self.motion.at(np.interp(frames, np.arange(len(self.motion)), self.motion.times))

    def sampled(self, count: int) -> Motion:
        """As many evenly spaced samples from start to end."""
        return self.at(np.linspace(self.start, self.end, count))

    def ease_weights(self, share: float) -> Array:
        """(N,) how far the whole frames inside are edited: 0 at both ends, 1 in the middle.

        Args:
            share: Part of the length, 0 to 0.5, over which the weight rises and falls, level at its
                ends; 0 edits all frames fully.
        """
        if not 0.0 <= share <= 0.5:
            raise ValueError("ease must lie between 0 and 0.5")
        frames = self.whole_frames
        if share == 0.0:
            return np.ones(len(frames))
        way = np.minimum(frames - self.start, self.end - frames) / (share * self.length)
        rising = np.clip(way, 0.0, 1.0)
        weights: Array = rising * rising * (3.0 - 2.0 * rising)
        return weights


def rotations_in_axes_of(skeleton: Skeleton, joints: list[int], segment: Segment) -> Array:
    """(N, K, 4) rotations inside a segment of the joints with the same names, in this skeleton's rest axes.

    Both skeletons must stand alike at rest: only the axes of their bones may differ.
    """
    other = segment.motion.skeleton
    theirs = joints_by_name(skeleton, joints, other)
    rotations = segment.motion.rotations[segment.rows][:, theirs]
    here, there = skeleton.rest_rotations[joints], other.rest_rotations[theirs]
    if np.array_equal(here, there):
        return rotations
    turn = quaternion.multiply(quaternion.conjugate(here), there)
    return quaternion.multiply(turn, quaternion.multiply(rotations, quaternion.conjugate(turn)))
