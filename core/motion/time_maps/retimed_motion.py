"""A motion with another timing that is worked out only where it is looked at."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..joint_blocks import Mask
from ..motion import Motion
from ..scope import within_scope
from .resampling import with_times
from .time_map import TimeMap


@dataclass(frozen=True, eq=False)
class Retimed:
    """A motion under a time map: quick enough for every move of a mouse, and keys can be moved instead of written.

    Attributes:
        motion: As it was.
        time_map: From new to old seconds.
        joints: (J,) those that have the new timing, between ends that stay; None for the whole motion.
    """

    motion: Motion
    time_map: TimeMap
    joints: Mask | None = None

    def at(self, times: Any) -> Motion:
        """Samples at any new times."""
        new = np.atleast_1d(np.asarray(times, dtype=np.float64))
        seen = with_times(self.motion.at(self.time_map(new)), new)
        return seen if self.joints is None else within_scope(self.motion.at(new), seen, self.joints, scalars=False)

    def whole(self) -> Motion:
        """All frames."""
        return self.time_map.apply(self.motion) if self.joints is None else self.at(self.motion.times)
