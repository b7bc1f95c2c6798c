"""Parts of a motion that an edit is carried to, and the edit as they see it."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..body import Body
from ..motion import Motion, PoseOffsets, in_own_heading
from ..numerics import Array

# Away from the ground in Blender.
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class PropagationWindow:
    """A part of the motion that is like the operation window.

    Attributes:
        start: First frame, with fractions.
        end: Last frame.
        operation_frames: (N,) increasing frames of the operation window.
        own_frames: (N,) frames of this window that belong to them.
        distance: How unlike both are, in body heights as if both moved like an ordinary step; the
            largest on the way if it was found through other windows.
        ticked: Alike enough that an edit is carried there unless the user decides otherwise.
    """

    start: float
    end: float
    operation_frames: Array
    own_frames: Array
    distance: float
    ticked: bool = True

    @property
    def length(self) -> float:
        """Frames from start to end."""
        return self.end - self.start

    def overlap(self, other: "PropagationWindow") -> float:
        """Frames that both windows hold."""
        return max(0.0, min(self.end, other.end) - max(self.start, other.start))

    def own_at(self, operation_frames: Any) -> Array:
        """Frames of this window that belong to frames of the operation window."""
        return np.interp(np.asarray(operation_frames, dtype=np.float64), self.operation_frames, self.own_frames)

    def operation_at(self, own_frames: Any) -> Array:
        """Frames of the operation window that belong to frames of this window."""
        return np.interp(np.asarray(own_frames, dtype=np.float64), self.own_frames, self.operation_frames)


def offsets_in_heading(offsets: PoseOffsets, source: Motion, target: Motion, body: Body | None) -> PoseOffsets:
    """Offsets whose shifts of the character as a whole are turned to where the target faces."""
    roots = np.flatnonzero(source.skeleton.parents < 0).tolist()
    if body is not None and body.root is not None:
        roots = sorted({*roots, body.root})
    if not offsets.locations[:, roots].any():
        return offsets
    up = _UP if body is None else np.asarray(body.require("up axis").vector, dtype=np.float64)
    shifts = offsets.locations.copy()
    shifts[:, roots] = in_own_heading(shifts[:, roots], source, target, roots, up)
    return replace(offsets, locations=shifts)


def joint_flags(joints: Any, count: int) -> NDArray[np.bool_]:
    """(J,) flags of joints that are given by numbers or flags."""
    flags = np.zeros(count, dtype=np.bool_)
    flags[np.asarray(joints)] = True
    return flags
