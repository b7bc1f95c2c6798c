"""The ground under a motion: how low each joint may be in every frame.

Nothing ends lower than it was, or than the floor, whichever is lower. The floor is where feet stand: for a joint
that stands now and then the lower of the places before and after, so that stairs and slopes have their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...body import Body
from ...motion import GlobalPoses, Mask, Motion
from ...numerics import Array, quaternion, runs

# Share of the frames in which the lowest joint is below the floor: what it comes down to again and again counts.
_BELOW = 0.1
# Share of the body's height that a joint may be too low before anything is done about it, and is left then.
_NOTICED, _LEFT = 4e-4, 1e-4


@dataclass(frozen=True, eq=False)
class Ground:
    """Limits of heights.

    Attributes:
        lowest: (F, J) heights along the up direction that joints do not go below.
        least: (F,) height that nothing of the figure goes below: its own lowest one, or that of the floor.
        up: (3,) away from the ground.
        height: The body's.
    """

    lowest: Array
    least: Array
    up: Array
    height: float

    @classmethod
    def under(cls, poses: GlobalPoses, body: Body, active: Mapping[int, Mask] | None = None) -> "Ground | None":
        """The ground under a motion; None where nobody knows what is up.

        Args:
            poses: Of the motion.
            body: Its root, up axis and height are used.
            active: By joint, (F,) frames in contact.
        """
        if body.up is None or not body.height:
            return None
        up, heights = body.up.vector, poses.positions @ body.up.vector
        # What carries the figure, such as its object or a bone on the ground, is no part of it.
        figure = (() if body.root is None else body.skeleton.descendants(body.root)) or slice(None)
        floor = float(np.quantile(heights[:, figure].min(axis=1), _BELOW))
        levels = np.full_like(heights, floor)
        for joint, frames in (active or {}).items():
            if frames.any():
                levels[:, joint] = np.maximum(levels[:, joint], _standing_levels(heights[:, joint], frames))
        around = np.minimum.reduce([heights, _later(heights), _later(heights[::-1])[::-1]])
        least = np.minimum(around[:, figure].min(axis=1), floor)
        return cls(np.minimum(around, levels), least, up, float(body.height))

    @classmethod
    def level(cls, motion: Motion, body: Body, frames: int) -> "Ground | None":
        """The floor under a motion, level under so many frames of another one; None where nobody knows what is up."""
        own = cls.under(motion.poses, body)
        if own is None:
            return None
        height = float(own.least.max(initial=-np.inf))
        joints = len(motion.skeleton)
        return cls(np.full((frames, joints), height), np.full(frames, height), own.up, own.height)

    def at(self, frames: Any) -> "Ground":
        """The ground under some frames, by number or as a slice."""
        return Ground(self.lowest[frames], self.least[frames], self.up, self.height)

    def sunk(self, positions: Array) -> Array:
        """(F, J) how far joints are too low in places (F, J, 3); nothing where that would not be noticed."""
        depth = self.lowest - positions @ self.up
        return np.where(depth > _NOTICED * self.height, depth - _LEFT * self.height, 0.0)

    def lift(self, motion: Motion, end: int, turns: Array) -> Array:
        """(F,) how far an end, turned by (F, 4) in the scene, has to go up so that nothing that it carries is too low.

        Below zero where there is room.
        """
        carried = [end, *motion.skeleton.descendants(end)]
        positions = motion.poses.positions
        arms = positions[:, carried] - positions[:, [end]]
        heights = positions[:, [end]] @ self.up + quaternion.rotate(turns[:, None], arms) @ self.up
        need: Array = (self.lowest[:, carried] - heights).max(axis=1) - _LEFT * self.height
        return need

    @cached_property
    def noticed(self) -> float:
        """Units by which something is too low before anything is done about it."""
        return (_NOTICED - _LEFT) * self.height


def _later(values: Array) -> Array:
    """(F, ...) the values of the next frame; the last one holds."""
    return np.concatenate([values[1:], values[-1:]])


def _standing_levels(heights: Array, active: Mask) -> Array:
    """(F,) the lower of the heights at which a joint stands before and after each frame."""
    spans = runs(active)
    levels = np.array([np.median(heights[span]) for span in spans])
    starts, ends = (np.array([getattr(span, name) for span in spans]) for name in ("start", "stop"))
    frames: Any = np.arange(len(heights))
    before = np.clip(np.searchsorted(starts, frames, side="right") - 1, 0, len(spans) - 1)
    after = np.clip(np.searchsorted(ends, frames, side="right"), 0, len(spans) - 1)
    lower: Array = np.minimum(levels[before], levels[after])
    return lower
