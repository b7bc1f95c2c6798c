"""How an edit of staggered poses changes the times of its poses and of single variables."""

import numpy as np

from ...motion import Ends, TimeMap
from ..model import StaggeredMotion


def pose_map(before: StaggeredMotion, after: StaggeredMotion) -> TimeMap | None:
    """From new to old time along the poses; None where they stayed."""
    if len(before) != len(after) or len(after) < 2 or (before.pose_times == after.pose_times).all():
        return None
    return TimeMap.through(after.pose_times, before.pose_times, smooth=False, ends=Ends.EXTEND)


def knot_map(before: StaggeredMotion, after: StaggeredMotion, variable: int) -> TimeMap | None:
    """From new to old time along one variable's knots; None where its timing stayed."""
    present, one, other = before.timing.present[:, variable], before.timing, after.timing
    if np.allclose(one.wanted_times[present, variable], other.wanted_times[present, variable], atol=1e-9):
        return None
    old, new = one.extreme_times[present, variable], other.extreme_times[present, variable]
    if len(old) == 1:
        return TimeMap.shift(float(new[0] - old[0]))
    return TimeMap.through(new, old, smooth=False, ends=Ends.EXTEND)
