"""Contacts of figures that walk on the spot: feet that are down and go along with the ground.

Such loops are mostly made by hand, and feet are never quite even in them. So what counts is that feet are as low as
when they stand and go back, not how fast.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...body import Body
from ...motion import Motion
from ...numerics import Array, first_and_last
from .floor import heights_over_standing
from .moving_ground import is_along, is_treadmill
from .spans import Span

# Share of the frames in which feet are down in which they go along with the ground, and part of its speed by which
# they may rise or sink meanwhile.
_MOSTLY, _LEVEL = 0.5, 0.5


@dataclass(frozen=True, eq=False)
class Treadmill:
    """Feet over ground that moves.

    Attributes:
        motion: Whose contacts are looked for.
        places: (F, J, 3) its joints.
        body: Its legs, up axis and height are used.
        feet: Joints of the feet.
        floor: Height of the floor, in units.
        reach: Body heights above its lowest level up to which a foot is down.
    """

    motion: Motion
    places: Array
    body: Body
    feet: tuple[int, ...]
    floor: float
    reach: float

    def contacts(self, joint: int, *, shortest: float, gap: float) -> tuple[Span, ...]:
        """Contacts of a foot, in seconds; those nearer in time than the gap become one, others last for a while."""
        times = self.motion.times
        spans: list[Span] = []
        for first, last in first_and_last(self._stands(joint)):
            start, end = float(times[first]), float(times[last])
            if spans and start - spans[-1][1] <= gap + 1e-9:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        frame = 1.0 / self.motion.rate
        return tuple(span for span in spans if span[1] > span[0] and span[1] - span[0] + frame >= shortest - 1e-9)

    @cached_property
    def velocity(self) -> Array:
        """(3,) units a second of the ground; zero if the figure does not walk on the spot."""
        down = [self._level_velocities(joint)[self._down(joint)] for joint in self.feet]
        every = np.concatenate([np.zeros((0, 3)), *down])
        if not len(every):
            return np.zeros(3)
        along = is_along(every, np.median(every, axis=0))
        common = np.median(every[along], axis=0) if along.mean() >= _MOSTLY else np.zeros(3)
        walks = sum(any(self._goes_along(joint, common) for joint in leg.joints) for leg in self.body.legs) > 1
        return common if walks and is_treadmill(self.places, self.motion.times, common) else np.zeros(3)

    def _goes_along(self, joint: int, velocity: Array) -> bool:
        down = joint in self.feet and self._down(joint)
        return bool(np.any(is_along(self._level_velocities(joint), velocity) & down))

    def _stands(self, joint: int) -> NDArray[np.bool_]:
        rising = np.abs(self._velocities(joint) @ self._up)
        level = rising < _LEVEL * float(np.linalg.norm(self.velocity))
        stands: NDArray[np.bool_] = self._down(joint) & level & is_along(self._level_velocities(joint), self.velocity)
        return stands

    def _down(self, joint: int) -> Any:
        """(F,) frames in which a foot is as low as when it stands."""
        height = float(self.body.require("height"))
        heights = heights_over_standing(self.places[:, joint] @ self._up / height, self.floor / height)
        return heights <= self.reach

    def _level_velocities(self, joint: int) -> Array:
        velocities = self._velocities(joint)
        return velocities - (velocities @ self._up)[:, None] * self._up

    def _velocities(self, joint: int) -> Array:
        return np.asarray(np.gradient(self.places[:, joint], self.motion.times, axis=0))

    @property
    def _up(self) -> Array:
        return np.asarray(self.body.require("up axis").vector)
