"""Two points that meet: hands that shake, a hand on a partner's shoulder."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint


@dataclass(frozen=True, eq=False, kw_only=True)
class SamePlace(Constraint):
    """Two points, of one character or of two, are at one place, wherever that is, or so much apart.

    Attributes:
        joint: Number of the first joint.
        other_joint: Number of the second one.
        offset: (3,) of the first point in its joint's own axes.
        other_offset: (3,) of the second one.
        apart: (3,) from the second point to the first one in the scene, or (N, 3) for each frame.
        character: Whose the first joint is.
        other_character: Whose the second one is.
    """

    joint: int
    other_joint: int
    offset: Any = (0.0, 0.0, 0.0)
    other_offset: Any = (0.0, 0.0, 0.0)
    apart: Any = (0.0, 0.0, 0.0)
    character: int = 0
    other_character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """Both joints."""
        return [(self.character, self.joint), (self.other_character, self.other_joint)]

    def rows(self, situation: Situation) -> Rows:
        """Three for each frame: how far the first point is from where it should be beside the second one."""
        one, one_slopes = situation.points(self.character, self.joint, self.offset, self.at)
        other, other_slopes = situation.points(self.other_character, self.other_joint, self.other_offset, self.at)
        values = one - other - np.asarray(self.apart, dtype=np.float64)
        return Rows.of(situation.rows(self.at), values, one_slopes - other_slopes)

    def frames_of_rows(self) -> NDArray[np.intp]:
        """Three for each frame."""
        return np.repeat(self.at, 3)
