"""Propagating a timing edit: a part retimed by hand becomes the reference for the rest."""

from typing import Any

import numpy as np

from ..analysis import low_passed
from ..motion import Motion, TimeMap
from ..numerics import Array


def retimed_part(
    motion: Motion, time_map: TimeMap, *, start: float, end: float, positions: Any = None
) -> tuple[Motion, Array | None]:
    """A part of the motion with a timing made by hand, to be used as the reference of a warp.

    The paper's limp and slow-motion examples: retime one step or jump, then let `guided_warp`
    give all others the same timing. With the identity as time map it is a plain part.

    Args:
        motion: The whole motion.
        time_map: New to old time, in seconds.
        start: First new time of the part.
        end: Its last new time.
        positions: (F, J, 3) of the motion's joints where they do not follow from it alone.

    Returns:
        The part, and its joints' positions if positions were given.
    """
    if not end > start:
        raise ValueError("end must lie after start")
    count = max(2, round((end - start) * motion.rate) + 1)
    times = np.linspace(start, end, count)
    part = time_map.apply(motion, times)
    if positions is None:
        return part, None
    return part, low_passed(motion.times, positions, time_map(times), radius=0.0)
