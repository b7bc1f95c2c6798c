"""Which moment of an edited motion is which moment of the motion as it was."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..body import Body
from ..errors import MotionEditError
from ..motion import Motion, TimeMap
from ..numerics import Array
from .alignment import align
from .pose_features import torso_positions

# A map from new to old seconds, and the first and last new ones for which it holds; others are as before.
PartMap = tuple[TimeMap, tuple[float, float]]

# Samples of each motion that are compared, and points of the plot; more cost more than they show.
_MOST = 240


@dataclass(frozen=True, eq=False)
class SameMoments:
    """The same moments now and before.

    Attributes:
        now: (N,) seconds in the edited motion; none where the two motions are too unlike.
        before: (N,) seconds in the motion as it was.
        changed: Whether a moment is at another time than before.
        estimated: Whether this was found by comparing poses.
    """

    now: Array
    before: Array
    changed: bool = True
    estimated: bool = False

    @property
    def known(self) -> bool:
        """Whether anything can be said."""
        return len(self.now) > 0

    def drawn(self) -> list[list[float]]:
        """Both in seconds from the start of the clip, as few points as a plot needs."""
        chosen = np.unique(np.linspace(0, len(self.now) - 1, _MOST).round().astype(int))
        return [[float(f"{each:.5g}") for each in row[chosen] - row.min()] for row in (self.now, self.before)]


UNKNOWN_MOMENTS = SameMoments(np.empty(0), np.empty(0))


def find_same_moments(before: Motion, after: Motion, maps: Sequence[PartMap], bodies: tuple[Body, Body]) -> SameMoments:
    """Which moment is which.

    Args:
        before: The motion as it was.
        after: The edited motion.
        maps: The time maps that the edits have used, in their order; what they say is exact.
        bodies: Of both, to compare poses where frames came or went without a map.
    """
    first, last = before.times[[0, -1]]
    shown, frame = old_times(maps, after.times), 1.0 / before.rate
    # Frames that show what was never there were added by another edit.
    if maps and shown.min() > first - frame and shown.max() < last + frame:
        changed = bool(np.abs(shown - after.times).max() > 0.5 * frame)
        return SameMoments(after.times, np.clip(shown, first, last), changed=changed)
    if len(before) == len(after):
        return SameMoments(after.times, before.times, changed=False)
    return _compared(before, after, bodies)


def old_times(maps: Sequence[PartMap], times: Array) -> Array:
    """(N,) seconds, before all edits, of the moments that are now at these (N,) seconds."""
    for time_map, (first, last) in reversed(maps):
        times = np.where((times >= first - 1e-6) & (times <= last + 1e-6), time_map(times), times)
    return times


def _compared(before: Motion, after: Motion, bodies: tuple[Body, Body]) -> SameMoments:
    """Poses that are most alike, in order."""
    motions = after, before
    steps = [max(1, math.ceil(len(motion) / _MOST)) for motion in motions]
    try:
        new, old = (
            torso_positions(motion.poses.positions[::step], body).reshape(len(motion.times[::step]), -1)
            for motion, step, body in zip(motions, steps, reversed(bodies), strict=True)
        )
        ratio = max(len(new), len(old)) / max(1, min(len(new), len(old)))
        path = align(new, old, slope_limit=max(4, math.ceil(2.0 * ratio))).path
    except (MotionEditError, ValueError):
        return UNKNOWN_MOMENTS
    now, then = (motion.times[::step] for motion, step in zip(motions, steps, strict=True))
    return SameMoments(now[path[:, 0]], then[path[:, 1]], estimated=True)
