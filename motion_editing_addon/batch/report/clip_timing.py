"""Which moment of an edited clip is which moment of the clip as it was."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.analysis import align, torso_positions
from ....core.errors import MotionEditError
from .time_notes import old_times

if TYPE_CHECKING:
    from ....core.body import Body
    from ....core.motion import Motion
    from .time_notes import TimeNote

# Samples of each motion that are compared, and points of the plot; more cost more than they show.
_MOST = 240


@dataclass(frozen=True, eq=False)
class Timing:
    """The same moments now and before.

    Attributes:
        now: (N,) seconds in the edited motion; none where the two motions are too unlike.
        before: (N,) seconds in the motion as it was.
        changed: Whether a moment is at another time than before.
        estimated: Whether this was found by comparing poses.
    """

    now: np.ndarray
    before: np.ndarray
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


UNKNOWN = Timing(np.empty(0), np.empty(0))


def timing_of(before: Motion, after: Motion, notes: list[TimeNote], bodies: tuple[Body, Body]) -> Timing:
    """Which moment is which.

    Args:
        before: The motion as it was.
        after: The edited motion.
        notes: The time maps that the edits have used; what they say is exact.
        bodies: Of both, to compare poses where frames came or went without a map.
    """
    first, last = before.times[[0, -1]]
    shown, frame = old_times(notes, after.times), 1.0 / before.rate
    # Frames that show what was never there were added by another edit.
    if notes and shown.min() > first - frame and shown.max() < last + frame:
        changed = bool(np.abs(shown - after.times).max() > 0.5 * frame)
        return Timing(after.times, np.clip(shown, first, last), changed=changed)
    if len(before) == len(after):
        return Timing(after.times, before.times, changed=False)
    return _compared(before, after, bodies)


def _compared(before: Motion, after: Motion, bodies: tuple[Body, Body]) -> Timing:
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
        return UNKNOWN
    now, then = (motion.times[::step] for motion, step in zip(motions, steps, strict=True))
    return Timing(now[path[:, 0]], then[path[:, 1]], estimated=True)
