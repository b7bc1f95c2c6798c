"""Parts of a motion with a timing made by hand, as references of a warp."""

from __future__ import annotations

import numpy as np

from core.motion.motion import Motion
from core.motion.time_maps.time_map import TimeMap


def retimed_part(motion: Motion, time_map: TimeMap, *, start: float, end: float) -> Motion:
    """What a motion shows between two new times, in seconds."""
    return time_map.apply(motion, np.linspace(start, end, max(2, round((end - start) * motion.rate) + 1)))
