"""A point at a place: handles, footplants, paths, and points that are kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....motion import Motion
from ....numerics import Array, rotate
from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint


@dataclass(frozen=True, eq=False, kw_only=True)
class Position(Constraint):
    """A point that a joint carries is at a place, or follows a path.

    Attributes:
        joint: Number of the joint.
        target: (3,) place for all frames, or (N, 3) one for each.
        offset: (3,) of the point in the joint's own axes.
        character: Whose joint.
    """

    joint: int
    target: Any
    offset: Any = (0.0, 0.0, 0.0)
    character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """The joint."""
        return [(self.character, self.joint)]

    def rows(self, situation: Situation) -> Rows:
        """Three for each frame: how far the point is from its place."""
        points, slopes = situation.points(self.character, self.joint, self.offset, self.at)
        return Rows.of(situation.rows(self.at), points - np.asarray(self.target, dtype=np.float64), slopes)

    def frames_of_rows(self) -> NDArray[np.intp]:
        """Three for each frame."""
        return np.repeat(self.at, 3)


def keep(motion: Motion, joint: int, frames: Any, *, offset: Any = (0.0, 0.0, 0.0), **options: Any) -> Position:
    """A point stays where it is in a motion, whatever else changes."""
    rows = np.atleast_1d(np.asarray(frames, dtype=np.intp))
    return Position(frames=rows, joint=joint, target=place_of(motion, joint, rows, offset), offset=offset, **options)


def place_of(motion: Motion, joint: int, frames: Any, offset: Any) -> Array:
    """(N, 3) where a point that a joint carries is at frames."""
    poses = motion.part(int(np.min(frames)), int(np.max(frames)) + 1).poses
    rows = np.asarray(frames) - int(np.min(frames))
    place: Array = poses.positions[rows, joint] + rotate(poses.rotations[rows, joint], np.asarray(offset))
    return place
