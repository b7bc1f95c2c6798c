"""Two points that meet: hands that shake, a hand on a partner's shoulder."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import Rows
from ..situation import Situation
from .two_points import TwoPoints


@dataclass(frozen=True, eq=False, kw_only=True)
class SamePlace(TwoPoints):
    """Two points are at one place, wherever that is, or so much apart.

    Attributes:
        apart: (3,) from the second point to the first one in the scene, or (N, 3) for each frame.
    """

    apart: Any = (0.0, 0.0, 0.0)

    def rows(self, situation: Situation) -> Rows:
        """Three for each frame: how far the first point is from where it should be beside the second one."""
        between, slopes = self.between(situation)
        return Rows.of(situation.rows(self.at), between - np.asarray(self.apart, dtype=np.float64), slopes)

    def frames_of_rows(self) -> NDArray[np.intp]:
        """Three for each frame."""
        return np.repeat(self.at, 3)
