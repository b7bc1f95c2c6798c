"""A joint that points a certain way."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....numerics import quaternion
from ..posed_character import turn_matrix
from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint


@dataclass(frozen=True, eq=False, kw_only=True)
class Orientation(Constraint):
    """A joint has an orientation in the scene.

    Attributes:
        joint: Number of the joint.
        target: (4,) quaternion for all frames, or (N, 4) one for each.
        character: Whose joint.
    """

    joint: int
    target: Any
    character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """The joint."""
        return [(self.character, self.joint)]

    def rows(self, situation: Situation) -> Rows:
        """Three for each frame: the turn, in radians, that leads from the target to the joint."""
        rotations, slopes = situation.turns(self.character, self.joint, self.at)
        target = np.broadcast_to(quaternion.normalize(self.target), rotations.shape)
        values = quaternion.log(quaternion.multiply(rotations, quaternion.conjugate(target)))
        # A turn about another axis than the one already there changes the axis, too.
        return Rows.of(situation.rows(self.at), values, np.asarray(np.linalg.solve(turn_matrix(-values), slopes)))

    def frames_of_rows(self) -> NDArray[np.intp]:
        """Three for each frame."""
        return np.repeat(self.at, 3)
