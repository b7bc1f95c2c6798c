"""Constraints that point a bone at another one."""

from dataclasses import dataclass

import numpy as np

from ...numerics import Array, unit
from .. import matrices
from .constraint import Constraint


@dataclass(frozen=True, kw_only=True)
class DampedTrack(Constraint):
    """Point an axis at the target by the shortest turn."""

    axis: int = 1
    sign: float = 1.0

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Turn about the head."""
        way = targets[0][:, :3, 3] - own[:, :3, 3]
        return _pointed(own, self.sign * own[:, :3, self.axis], way)


def _pointed(own: Array, direction: Array, way: Array) -> Array:
    """Turn by the shortest way that brings a direction to another; where one has no length nothing is done."""
    start, end = unit(direction), unit(way)
    turns = matrices.shortest_turns(start, end)
    known = np.logical_and(start.any(axis=-1), end.any(axis=-1)).reshape(-1, 1, 1)
    return matrices.affine(np.where(known, turns @ own[:, :3, :3], own[:, :3, :3]), own[:, :3, 3])


@dataclass(frozen=True, kw_only=True)
class StretchTo(Constraint):
    """Point at the target and be as long as the way there."""

    rest_length: float = 1.0
    keep_axis: str = "SWING_Y"
    volume: str = "VOLUME_XZX"
    bulge: float = 1.0
    bulge_limits: tuple[float | None, float | None] = (None, None)
    bulge_smooth: float = 0.0

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Turn and scale."""
        if self.keep_axis == "SWING_Y":
            own = matrices.affine(matrices.straight(own, keep_scale=True), own[:, :3, 3])
        size, axes = matrices.sizes(own), matrices.axes(own)
        way = targets[0][:, :3, 3] - own[:, :3, 3]
        length = np.linalg.norm(way, axis=-1)
        distance = length / np.where(size[:, 1] > 0.0, size[:, 1], np.inf)
        stretch = size * self._scale(distance)
        along = way / np.maximum(length, 1e-30)[:, None]
        return matrices.affine(self._axes(axes, along, own) * stretch[:, None, :], own[:, :3, 3])

    def _scale(self, distance: Array) -> Array:
        bulge = self._limited((self.rest_length / np.maximum(distance, 1e-9)) ** self.bulge)
        even = np.ones_like(bulge)
        sides = {
            "VOLUME_XZX": (np.sqrt(bulge), np.sqrt(bulge)),
            "VOLUME_X": (bulge, even),
            "VOLUME_Z": (even, bulge),
            "NO_VOLUME": (even, even),
        }[self.volume]
        return np.stack([sides[0], distance / self.rest_length, sides[1]], axis=-1)

    def _limited(self, bulge: Array) -> Array:
        low, high = self.bulge_limits
        for limit, sign in ((high, 1.0), (low, -1.0)):
            if limit is not None:
                room = max(sign * (limit - 1.0), 0.0)
                beyond = sign * (bulge - 1.0)
                soft = room * np.arctan(beyond / room) / (np.pi / 2.0) if room > 0.0 else np.zeros_like(bulge)
                hard = np.minimum(beyond, room)
                kept = hard + self.bulge_smooth * (soft - hard)
                bulge = np.where(beyond > 0.0, 1.0 + sign * kept, bulge)
        return bulge

    def _axes(self, axes: Array, along: Array, own: Array) -> Array:
        if self.keep_axis == "SWING_Y":
            return _pointed(matrices.affine(axes, own[:, :3, 3]), axes[:, :, 1], along)[:, :3, :3]
        if self.keep_axis == "PLANE_X":
            side = unit(np.cross(axes[:, :, 0], along))
            return np.stack([unit(np.cross(along, side)), along, side], axis=-1)
        side = unit(np.cross(axes[:, :, 2], along))
        return np.stack([-side, along, unit(np.cross(along, side))], axis=-1)
