"""How a motion moves: poses, velocities and accelerations, thirty times a second, in heights and seconds.

Thirty samples a second whatever the clip's rate: quicker vibration is noise that would count as movement.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...numerics import Array
from .features import Features

RATE = 30.0
_FEWEST = 3


@dataclass(frozen=True, eq=False)
class Movement:
    """Samples of a motion.

    Attributes:
        times: (S,) seconds, evenly spaced.
        poses: (S, D) places of joints.
        joints: How many joints there are.
        is_cyclic: The last sample is the first one of the next round.
    """

    times: Array
    poses: Array
    joints: int
    is_cyclic: bool = False

    @classmethod
    def of(cls, features: Features, *, is_cyclic: bool = False) -> "Movement":
        """Samples over the whole motion, at least three."""
        first, last = float(features.times[0]), float(features.times[-1])
        count = max(_FEWEST, round((last - first) * RATE) + 1)
        times = np.linspace(first, last, count)
        return cls(times, features.at(times), features.values.shape[1], is_cyclic)

    @cached_property
    def velocities(self) -> Array:
        """(S, D) heights a second."""
        return self._changes(self.poses)

    @cached_property
    def accelerations(self) -> Array:
        """(S, D) heights a second, each second."""
        return self._changes(self.velocities)

    @cached_property
    def speed(self) -> Array:
        """(S,) root of the joints' mean squared speed."""
        return self._size(self.velocities)

    @cached_property
    def force(self) -> Array:
        """(S,) root of the joints' mean squared acceleration."""
        return self._size(self.accelerations)

    def _changes(self, values: Array) -> Array:
        step = float(self.times[1] - self.times[0])
        if not self.is_cyclic:
            changes: Array = np.gradient(values, step, axis=0)
            return changes
        around = np.concatenate([values[-2:-1], values, values[1:2]])
        closed: Array = (around[2:] - around[:-2]) / (2.0 * step)
        return closed

    def _size(self, values: Array) -> Array:
        size: Array = np.sqrt(np.einsum("sd,sd->s", values, values) / self.joints)
        return size
