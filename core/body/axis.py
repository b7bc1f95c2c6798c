"""The six directions along a coordinate axis."""

from enum import Enum
from typing import Any

import numpy as np

from ..numerics import Array


class Axis(Enum):
    """A direction along an axis of the scene."""

    PLUS_X = "+X"
    MINUS_X = "-X"
    PLUS_Y = "+Y"
    MINUS_Y = "-Y"
    PLUS_Z = "+Z"
    MINUS_Z = "-Z"

    @property
    def index(self) -> int:
        """0, 1 or 2 for x, y, z."""
        return "XYZ".index(self.value[1])

    @property
    def sign(self) -> float:
        """1.0 or -1.0."""
        return 1.0 if self.value[0] == "+" else -1.0

    @property
    def vector(self) -> Array:
        """(3,) unit vector."""
        unit = np.zeros(3)
        unit[self.index] = self.sign
        return unit


def nearest_axis(direction: Any, *, certainty: float) -> Axis | None:
    """The axis that a direction points along.

    Args:
        direction: (3,) of any length.
        certainty: Least cosine of the angle to the axis, 0 to 1; below it there is no answer.
    """
    direction = np.asarray(direction, dtype=np.float64)
    length = float(np.linalg.norm(direction))
    index = int(np.argmax(np.abs(direction)))
    if length == 0.0 or abs(direction[index]) < certainty * length:
        return None
    return Axis(f"{'+' if direction[index] > 0.0 else '-'}{'XYZ'[index]}")
