"""A point that stands still somewhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint


@dataclass(frozen=True, eq=False, kw_only=True)
class NoSkid(Constraint):
    """A point that a joint carries is at one place at all frames, wherever that is.

    Attributes:
        joint: Number of the joint.
        offset: (3,) of the point in the joint's own axes.
        character: Whose joint.
    """

    joint: int
    offset: Any = (0.0, 0.0, 0.0)
    character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """The joint."""
        return [(self.character, self.joint)]

    def rows(self, situation: Situation) -> Rows:
        """Three for each frame but the first: how far the point is from where it was at the frame before."""
        points, slopes = situation.points(self.character, self.joint, self.offset, self.at)
        place = situation.rows(self.at)
        steps = np.diff(points, axis=0)
        count = steps.size
        return Rows(
            steps.reshape(-1),
            np.tile(np.arange(count), 2),
            np.concatenate([np.repeat(place[1:], 3), np.repeat(place[:-1], 3)]),
            np.concatenate([slopes[1:].reshape(count, -1), -slopes[:-1].reshape(count, -1)]),
            np.zeros(count, dtype=np.bool_),
        )

    def frames_of_rows(self) -> NDArray[np.intp]:
        """Three for each frame but the first."""
        return np.repeat(self.at[1:], 3)
