"""Constraints that keep a bone between limits."""

from dataclasses import dataclass

import numpy as np

from ...numerics import Array
from .. import matrices
from .angles import angles_of, resized, turned
from .constraint import NONE, Axes, Constraint


@dataclass(frozen=True, kw_only=True)
class LimitLocation(Constraint):
    """Keep places between limits; None where there is none."""

    low: tuple[float | None, ...] = (None, None, None)
    high: tuple[float | None, ...] = (None, None, None)

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Clip the place."""
        return matrices.affine(own[:, :3, :3], _clipped(own[:, :3, 3], self.low, self.high))


@dataclass(frozen=True, kw_only=True)
class LimitScale(Constraint):
    """Keep sizes between limits."""

    low: tuple[float | None, ...] = (None, None, None)
    high: tuple[float | None, ...] = (None, None, None)

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Clip the sizes."""
        size = matrices.sizes(own)
        share = _clipped(size, self.low, self.high) / np.where(size > 0.0, size, 1.0)
        return matrices.affine(own[:, :3, :3] * share[:, None, :], own[:, :3, 3])


def _clipped(values: Array, low: tuple[float | None, ...], high: tuple[float | None, ...]) -> Array:
    least = [-np.inf if each is None else each for each in low]
    most = [np.inf if each is None else each for each in high]
    return np.minimum(np.maximum(values, least), most)


@dataclass(frozen=True, kw_only=True)
class LimitRotation(Constraint):
    """Keep Euler angles between limits."""

    axes: Axes = NONE
    low: tuple[float, float, float] = (0.0, 0.0, 0.0)
    high: tuple[float, float, float] = (0.0, 0.0, 0.0)
    is_plain: bool = True

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Clip the angles."""
        if self.axes == NONE:
            return own
        angles = angles_of(matrices.axes(own), self.order)
        clipped = np.clip(angles, self.low, self.high) if self.is_plain else self._clipped_round(angles)
        return resized(turned(np.where(self.axes, clipped, angles), self.order), matrices.sizes(own), own)

    def _clipped_round(self, angles: Array) -> Array:
        """Clip angles on the circle: to the nearer limit."""
        low, high = np.array(self.low), np.array(self.high)
        middle, half = (low + high) / 2.0, (high - low) / 2.0
        away = (angles - middle + np.pi) % (2.0 * np.pi) - np.pi
        clipped: Array = np.where(half >= np.pi, angles, middle + np.clip(away, -half, half))
        return clipped


@dataclass(frozen=True, kw_only=True)
class LimitDistance(Constraint):
    """Keep a distance to the target."""

    distance: float = 0.0
    mode: str = "LIMITDIST_INSIDE"

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Move along the line to the target."""
        centre, place = targets[0][:, :3, 3], own[:, :3, 3]
        present = np.linalg.norm(place - centre, axis=-1)
        share = self.distance / np.where(present > 0.0, present, 1.0)
        beyond = {"LIMITDIST_INSIDE": present >= self.distance, "LIMITDIST_OUTSIDE": present <= self.distance}
        moved = beyond.get(self.mode, np.ones_like(present, dtype=np.bool_)) & (present > 0.0)
        return matrices.affine(
            own[:, :3, :3], np.where(moved[:, None], centre + share[:, None] * (place - centre), place)
        )


@dataclass(frozen=True, kw_only=True)
class MaintainVolume(Constraint):
    """Make up for a scale along one axis on the other two."""

    axis: int = 1
    volume: float = 1.0
    mode: str = "STRICT"

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Scale the other axes."""
        size = matrices.sizes(own)
        free = size[:, self.axis]
        total = {"STRICT": size.prod(axis=-1), "UNIFORM": free**3, "SINGLE_AXIS": free}[self.mode]
        share = np.sqrt(self.volume / np.where(total > 0.0, total, 1.0))
        factors = np.where(np.arange(3) == self.axis, 1.0, share[:, None])
        return matrices.affine(own[:, :3, :3] * factors[:, None, :], own[:, :3, 3])
