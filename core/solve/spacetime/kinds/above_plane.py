"""A point that stays on one side of a plane, such as above the floor."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint


@dataclass(frozen=True, eq=False, kw_only=True)
class AbovePlane(Constraint):
    """A point that a joint carries is at or above a plane.

    Attributes:
        joint: Number of the joint.
        height: Of the plane along its normal, or (N,) one for each frame: a plane may move.
        normal: (3,) unit vector away from the forbidden side, or (N, 3) one for each frame.
        offset: (3,) of the point in the joint's own axes.
        character: Whose joint.
    """

    joint: int
    height: Any = 0.0
    normal: Any = (0.0, 0.0, 1.0)
    offset: Any = (0.0, 0.0, 0.0)
    character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """The joint."""
        return [(self.character, self.joint)]

    def rows(self, situation: Situation) -> Rows:
        """One for each frame: how far above."""
        points, slopes = situation.points(self.character, self.joint, self.offset, self.at)
        normals = np.broadcast_to(np.asarray(self.normal, dtype=np.float64), points.shape)
        above = (points * normals).sum(axis=1) - np.asarray(self.height, dtype=np.float64)
        along = np.einsum("na,nad->nd", normals, slopes)
        return Rows.of(situation.rows(self.at), above[:, None], along[:, None], at_least=True)

    def frames_of_rows(self) -> NDArray[np.intp]:
        """One for each frame."""
        return self.at
