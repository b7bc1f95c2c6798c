"""Where the floor is, told from what stands on it."""

from typing import Any

import numpy as np

from ...numerics import Array

# Share of the frames in which a joint may be lower than its level on the floor: single frames in
# which a marker popped, or toes that dip into the floor, do not move it.
_BELOW = 0.03
# Height over the floor, in body heights, up to which a joint's lowest level counts as standing on
# it: ankles are at 0.05, a knee on which somebody kneels too; hands and raised feet stay above.
_ON_FLOOR = 0.09


def estimate_floor(positions: Any, up: Any) -> float:
    """Height of the floor along the up direction: what the lowest joint hardly ever goes below.

    Args:
        positions: (F, J, 3) places of joints; those of feet and toes among them.
        up: (3,) unit vector away from the ground.
    """
    heights = np.asarray(positions, dtype=np.float64) @ np.asarray(up, dtype=np.float64)
    return float(np.quantile(heights.min(axis=1), _BELOW))


def heights_over_standing(heights: Array, floor: float) -> Array:
    """(F,) heights of a joint over the level on which it stands, infinite if it never comes down.

    The level is the joint's own, since an ankle stands higher than a toe.

    Args:
        heights: (F,) along the up direction, in body heights.
        floor: In the same unit.
    """
    level = float(np.quantile(heights, _BELOW))
    if level - floor > _ON_FLOOR:
        return np.full(len(heights), np.inf)
    return heights - level
