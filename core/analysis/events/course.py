"""Where the joints of a character are over time, in heights of its body."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...body import Body
from ...numerics import Array, first_and_last
from ..pose_features import feature_joints

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Course:
    """Places of joints, frame by frame.

    Attributes:
        times: (F,) seconds.
        places: (F, J, 3) in heights of the body, the third axis up.
        body: The parts.
    """

    times: Array
    places: Array
    body: Body

    @classmethod
    def of(cls, times: Array, positions: Array, body: Body) -> "Course":
        """Positions (F, J, 3) as the skeleton has them."""
        axis = int(np.argmax(np.abs(body.require("up axis").vector)))
        sign = float(body.require("up axis").vector[axis])
        turned = np.roll(positions, 2 - axis, axis=-1) / (body.height or 1.0)
        return cls(times, np.concatenate([turned[..., :2], sign * turned[..., 2:]], axis=-1), body)

    @cached_property
    def shown(self) -> Array:
        """(F, N, 3) joints of the figure itself: what carries it stays on the ground whatever it does."""
        return self.places[:, list(feature_joints(self.body))]

    @cached_property
    def rate(self) -> float:
        """Frames a second."""
        return (len(self.times) - 1) / float(self.times[-1] - self.times[0])

    def smoothed(self, values: Array, seconds: float) -> Array:
        """Means (F, ...) over a time to both sides of every frame; the ends go on as they are."""
        radius = round(seconds * self.rate)
        if radius < 1 or len(values) < 2:
            return values
        size = 2 * radius + 1
        padded = np.pad(values, [(radius, radius)] + [(0, 0)] * (values.ndim - 1), mode="edge")
        sums = np.cumsum(np.concatenate([np.zeros((1, *padded.shape[1:])), padded]), axis=0)
        means: Array = (sums[size:] - sums[:-size]) / size
        return means

    def changes(self, values: Array) -> Array:
        """(F, ...) change in a second."""
        changes: Array = np.gradient(values, self.times, axis=0)
        return changes

    def speeds(self, places: Array) -> Array:
        """(F, ...) heights a second of places (F, ..., 3)."""
        speeds: Array = np.linalg.norm(self.changes(places), axis=-1)
        return speeds

    def stretches(self, chosen: Flags, shortest: float) -> list[tuple[float, float]]:
        """Seconds at which every run of chosen frames (F,) begins and ends, if it lasts long enough."""
        ends = [(float(self.times[first]), float(self.times[last])) for first, last in first_and_last(chosen)]
        return [(start, end) for start, end in ends if end - start >= shortest - 1e-9]
