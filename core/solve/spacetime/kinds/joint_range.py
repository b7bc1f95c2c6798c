"""A hinge that bends only to one side and no further than it can."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint


@dataclass(frozen=True, eq=False, kw_only=True)
class JointRange(Constraint):
    """The turn of a joint about an axis stays within a range, so that elbows and knees do not bend backwards.

    Attributes:
        joint: Number of the joint.
        axis: (3,) unit vector in the joint's own axes.
        smallest: Angle in radians from the rest pose.
        largest: Angle in radians from the rest pose.
        character: Whose joint.
    """

    joint: int
    axis: Any
    smallest: float
    largest: float
    character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """The joint."""
        return [(self.character, self.joint)]

    def rows(self, situation: Situation) -> Rows:
        """Two for each frame: how far the angle is above the smallest and below the largest one."""
        rotations, slopes = situation.own_turns(self.character, self.joint, self.at)
        axis = np.asarray(self.axis, dtype=np.float64)
        real, vector = rotations[:, :1], rotations[:, 1:]
        along = vector @ axis[:, None]
        angle = 2.0 * np.arctan2(np.where(real < 0.0, -along, along), np.abs(real))
        # A turn w of the joint in its own axes turns the angle 2 atan(along / real) by w times this.
        gradient = (real**2 * axis + real * np.cross(axis, vector) + along * vector) / (real**2 + along**2)
        growth = np.einsum("na,nad->nd", gradient, slopes)[:, None]
        values = np.concatenate([angle - self.smallest, self.largest - angle], axis=1)
        return Rows.of(situation.rows(self.at), values, np.concatenate([growth, -growth], axis=1), at_least=True)

    def frames_of_rows(self) -> NDArray[np.intp]:
        """Two for each frame."""
        return np.repeat(self.at, 2)
