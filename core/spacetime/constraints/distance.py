"""Two points a certain distance apart: a carried object, two hands, two characters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint

_SHORT = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class Distance(Constraint):
    """Two points, of one character or of two, are a distance apart.

    Attributes:
        joint: Number of the first joint.
        other_joint: Number of the second one.
        distance: For all frames, or (N,) one for each.
        offset: (3,) of the first point in its joint's own axes.
        other_offset: (3,) of the second one.
        character: Whose the first joint is.
        other_character: Whose the second one is.
    """

    joint: int
    other_joint: int
    distance: Any
    offset: Any = (0.0, 0.0, 0.0)
    other_offset: Any = (0.0, 0.0, 0.0)
    character: int = 0
    other_character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """Both joints."""
        return [(self.character, self.joint), (self.other_character, self.other_joint)]

    def rows(self, situation: Situation) -> Rows:
        """One for each frame: how much too far apart they are."""
        one, one_slopes = situation.points(self.character, self.joint, self.offset, self.at)
        other, other_slopes = situation.points(self.other_character, self.other_joint, self.other_offset, self.at)
        between = one - other
        length = np.sqrt((between**2).sum(axis=1))
        direction = between / np.maximum(length, _SHORT)[:, None]
        slopes = np.einsum("na,nad->nd", direction, one_slopes - other_slopes)[:, None]
        values = (length - np.asarray(self.distance, dtype=np.float64))[:, None]
        return Rows.of(situation.rows(self.at), values, slopes)

    def frames_of_rows(self) -> NDArray[np.intp]:
        """One for each frame."""
        return self.at
