"""Two points a certain distance apart: a carried object, two hands, two characters."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import Rows
from ..situation import Situation
from .two_points import TwoPoints

_SHORT = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class Distance(TwoPoints):
    """Two points are a distance apart.

    Attributes:
        distance: For all frames, or (N,) one for each.
    """

    distance: Any

    def rows(self, situation: Situation) -> Rows:
        """One for each frame: how much too far apart they are."""
        between, slopes = self.between(situation)
        length = np.sqrt((between**2).sum(axis=1))
        direction = between / np.maximum(length, _SHORT)[:, None]
        values = (length - np.asarray(self.distance, dtype=np.float64))[:, None]
        return Rows.of(situation.rows(self.at), values, np.einsum("na,nad->nd", direction, slopes)[:, None])

    def frames_of_rows(self) -> NDArray[np.intp]:
        """One for each frame."""
        return self.at
