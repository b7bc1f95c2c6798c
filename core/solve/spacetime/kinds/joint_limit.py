"""A joint that bends no further than it can."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....numerics import quaternion
from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint

_STILL = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class JointLimit(Constraint):
    """A joint turns at most so far from its rest pose.

    Attributes:
        joint: Number of the joint.
        largest: Angle in radians.
        character: Whose joint.
    """

    joint: int
    largest: float
    character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """The joint."""
        return [(self.character, self.joint)]

    def rows(self, situation: Situation) -> Rows:
        """One for each frame: how much further it could turn."""
        rotations, slopes = situation.own_turns(self.character, self.joint, self.at)
        vectors = quaternion.log(rotations)
        angle = np.sqrt((vectors**2).sum(axis=1))
        axis = vectors / np.maximum(angle, _STILL)[:, None]
        growth = np.einsum("na,nad->nd", axis, slopes)
        return Rows.of(situation.rows(self.at), (self.largest - angle)[:, None], -growth[:, None], at_least=True)

    def frames_of_rows(self) -> NDArray[np.intp]:
        """One for each frame."""
        return self.at
