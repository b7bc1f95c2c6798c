"""A curve along the ground by the distance travelled on it."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..numerics import Array, PiecewiseCubic

# Samples on each piece of a smooth curve through given points.
_SAMPLES = 32


@dataclass(frozen=True, eq=False)
class ArcCurve:
    """Straight lines between points that lie close together; straight on beyond both ends.

    Attributes:
        points: (N, 3) along the ground.
        lengths: (N,) distance from the first point, never decreasing.
    """

    points: Array
    lengths: Array

    @classmethod
    def through(cls, points: Any) -> "ArcCurve":
        """Straight lines from point to point."""
        places = np.asarray(points, dtype=np.float64)
        steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        return cls(places, np.concatenate([[0.0], np.cumsum(steps)]))

    @classmethod
    def smooth(cls, points: Any) -> "ArcCurve":
        """A curve without corners through the points (N, 3); points in one place count once."""
        line = cls.through(points)
        knots, first = np.unique(line.lengths, return_index=True)
        if len(knots) < 3:
            return line
        pieces = [np.linspace(*pair, _SAMPLES + 1) for pair in pairwise(knots)]
        at = np.unique(np.concatenate(pieces))
        axes = (PiecewiseCubic.smooth(knots, values, monotone=False).value(at) for values in line.points[first].T)
        return cls.through(np.stack(list(axes), axis=1))

    @property
    def length(self) -> float:
        """From the first point to the last."""
        return float(self.lengths[-1])

    def at(self, distances: Array) -> Array:
        """(F, 3) places at distances from the first point."""
        inside = np.clip(distances, 0.0, self.length)
        places = np.stack([np.interp(inside, self.lengths, values) for values in self.points.T], axis=1)
        ahead = self._unit_chord(np.array([0.0, self.length]), 1e-3 * self.length)
        before, after = np.minimum(distances, 0.0), np.maximum(distances - self.length, 0.0)
        extended: Array = places + before[:, None] * ahead[0] + after[:, None] * ahead[1]
        return extended

    def headings(self, distances: Array, up: Array, *, reach: float) -> Array:
        """(F,) direction of travel, as an angle about the up axis without jumps of whole turns.

        Args:
            distances: (F,) never decreasing.
            up: (3,) unit vector away from the ground.
            reach: Distance to each side over which the direction is told: what bends more closely
                does not show.
        """
        chord = self._unit_chord(np.clip(distances, 0.0, self.length), reach)
        fixed = np.eye(3)[int(np.argmin(np.abs(up)))]
        return np.unwrap(np.arctan2(chord @ np.cross(up, fixed), chord @ fixed))

    def _unit_chord(self, distances: Array, reach: float) -> Array:
        """(F, 3) direction from a little before to a little after; one-sided at the ends."""
        ends = (np.clip(distances + side * reach, 0.0, self.length) for side in (-1.0, 1.0))
        before, after = (
            np.stack([np.interp(at, self.lengths, values) for values in self.points.T], axis=1) for at in ends
        )
        chord = after - before
        unit: Array = chord / np.maximum(np.linalg.norm(chord, axis=1, keepdims=True), 1e-300)
        return unit
