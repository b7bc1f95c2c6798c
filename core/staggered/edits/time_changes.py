"""How an edit of staggered poses changes the times of its poses and of single variables."""

import numpy as np

from ...motion import Ends, TimeMap
from ...numerics import Array
from ..editing_knots import anchored
from ..model import StaggeredMotion
from ..timing import Timing
from ..warping.time_warps import TimeWarps

# Samples of a map in every frame: between them it is straight.
_FINENESS = 2.0


def pose_map(before: StaggeredMotion, after: StaggeredMotion) -> TimeMap | None:
    """From new to old time along the poses; None where they stayed."""
    if len(before) != len(after) or len(after) < 2 or (before.pose_times == after.pose_times).all():
        return None
    warps = TimeWarps(_of_poses(before.timing), _of_poses(after.timing))
    return _sampled(warps, 0, after, after.pose_times)


def knot_map(before: StaggeredMotion, after: StaggeredMotion, variable: int) -> TimeMap | None:
    """From new to old time along one variable's knots; None where its timing stayed."""
    present = before.timing.present[:, variable]
    old, new = before.timing.extreme_times[present, variable], after.timing.extreme_times[present, variable]
    if np.allclose(old, new, rtol=0.0, atol=1e-9):
        return None
    if len(old) == 1:
        return TimeMap.shift(float(new[0] - old[0]))
    return _sampled(TimeWarps(before.timing, after.timing), variable, after, new)


def _of_poses(timing: Timing) -> Timing:
    """The timing of one variable that has its extremes at the poses."""
    times, one = timing.pose_times[:, None], np.ones((len(timing), 1), dtype=np.bool_)
    single = timing.changed(
        refinements=np.zeros_like(times),
        collapsed=~one,
        present=one,
        extreme_times=times,
        companions=np.zeros_like(times),
        anchors=np.zeros((2, 1), dtype=np.bool_),
    )
    return anchored(single)


def _sampled(warps: TimeWarps, variable: int, model: StaggeredMotion, knots: Array) -> TimeMap:
    """A variable's map as straight pieces, with its knots where they are."""
    start, end = warps.ends(variable)
    count = max(round((end - start) * model.source.rate * _FINENESS), 1)
    times = np.unique(np.concatenate([np.linspace(start, end, count + 1), knots]))
    times = times[np.concatenate([[True], np.diff(times) > 1e-9])]
    return TimeMap.from_samples(times, warps.old_times(variable, times), ends=Ends.EXTEND)
