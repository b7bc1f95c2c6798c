"""What was found: which bones of two characters touch in which frames."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion import Indices
from ...numerics import Array, first_and_last
from .capsules import Capsules

FrameSpan = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Collisions:
    """N touches of two bones in one frame, in order of frames.

    Attributes:
        frame_count: F frames that were looked at.
        first_capsules: Of the first character.
        second_capsules: Of the second character.
        frames: (N,) frame of each touch, from 0.
        first_bones: (N,) capsule of the first character.
        second_bones: (N,) capsule of the second character.
        depths: (N,) how far the two reach into each other, in units of the scene, margin included.
        places: (N, 3) in the scene, midway between the axes of the two bones.
    """

    frame_count: int
    first_capsules: Capsules
    second_capsules: Capsules
    frames: Indices
    first_bones: Indices
    second_bones: Indices
    depths: Array
    places: Array

    def __len__(self) -> int:
        return len(self.frames)

    @cached_property
    def collision_frames(self) -> NDArray[np.bool_]:
        """(F,) whether anything touches."""
        mask = np.zeros(self.frame_count, dtype=np.bool_)
        mask[self.frames] = True
        return mask

    @cached_property
    def spans(self) -> tuple[FrameSpan, ...]:
        """First and last frame of every run of frames with touches."""
        return tuple(first_and_last(self.collision_frames))

    @cached_property
    def frame_depths(self) -> Array:
        """(F,) the deepest touch of each frame, 0 where nothing touches."""
        depths = np.zeros(self.frame_count)
        np.maximum.at(depths, self.frames, self.depths)
        return depths

    def deepest_frame(self, span: FrameSpan) -> int:
        """The frame of a span in which the characters reach farthest into each other."""
        first, last = span
        return first + int(np.argmax(self.frame_depths[first : last + 1]))

    def joints_at(self, frame: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Joints of the first and of the second character whose bones touch in a frame."""
        here = slice(*np.searchsorted(self.frames, [frame, frame + 1]))
        first = np.unique(self.first_capsules.joints[self.first_bones[here]])
        second = np.unique(self.second_capsules.joints[self.second_bones[here]])
        return tuple(first.tolist()), tuple(second.tolist())

    def swapped(self) -> "Collisions":
        """The same touches as the second character sees them."""
        return Collisions(
            self.frame_count,
            self.second_capsules,
            self.first_capsules,
            self.frames,
            self.second_bones,
            self.first_bones,
            self.depths,
            self.places,
        )
