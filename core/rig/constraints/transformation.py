"""The constraint that maps a range of what one bone does to a range of another."""

from dataclasses import dataclass

import numpy as np

from ...numerics import Array
from .. import matrices
from .angles import angles_of, turned
from .constraint import Constraint


@dataclass(frozen=True, kw_only=True)
class Transformation(Constraint):
    """Map a range of the target's place, angles or size to one of the bone's own."""

    source: str = "LOCATION"
    result: str = "LOCATION"
    from_low: tuple[float, float, float] = (0.0, 0.0, 0.0)
    from_high: tuple[float, float, float] = (0.0, 0.0, 0.0)
    to_low: tuple[float, float, float] = (0.0, 0.0, 0.0)
    to_high: tuple[float, float, float] = (0.0, 0.0, 0.0)
    axes_from: tuple[int, int, int] = (0, 1, 2)
    extrapolates: bool = False
    mix: str = "ADD"
    target_order: str = "XYZ"

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Read, map, and put on."""
        given = self._mapped(self._read(targets[0]))
        turn, size, place = matrices.axes(own), matrices.sizes(own), own[:, :3, 3]
        if self.result == "LOCATION":
            place = place + given if self.mix == "ADD" else given
        elif self.result == "SCALE":
            size = size * given if self.mix == "MULTIPLY" else given
        else:
            turn = self._turned(turn, given)
        return matrices.affine(turn * size[:, None, :], place)

    def _read(self, target: Array) -> Array:
        if self.source == "LOCATION":
            return target[:, :3, 3]
        return matrices.sizes(target) if self.source == "SCALE" else angles_of(matrices.axes(target), self.target_order)

    def _mapped(self, values: Array) -> Array:
        low, high = np.array(self.from_low), np.array(self.from_high)
        inside = values if self.extrapolates else np.clip(values, low, np.maximum(low, high))
        span = high - low
        share = np.where(span != 0.0, (inside - low) / np.where(span != 0.0, span, 1.0), 0.0)
        least, most = np.array(self.to_low), np.array(self.to_high)
        mapped: Array = least + share[:, list(self.axes_from)] * (most - least)
        return mapped

    def _turned(self, turn: Array, angles: Array) -> Array:
        if self.mix == "ADD":
            return turned(angles + angles_of(turn, self.order), self.order)
        new = turned(angles, self.order)
        return {"REPLACE": new, "BEFORE": new @ turn}.get(self.mix, turn @ new)
