"""Bones that do the same as before, each a little later than the one above it."""

from dataclasses import replace

import numpy as np

from ...motion import Indices, Motion
from ...numerics import Array, ease, quaternion
from ..curve_samples import carried_rounds, closed_round, sampled

# Time in which a delay grows at the start of a motion, and goes at its end: so many delays, and so many seconds.
_RAMP, _SHORTEST = 3.0, 0.25


def delayed(motion: Motion, depths: Indices, delay: float, *, seam: float | None = None) -> Motion:
    """A motion whose joints are late by their depth; both ends stay as they are, and a loop wraps round.

    Args:
        depths: (J,) how many delays each joint is late.
        delay: Seconds; negative lets the ends of chains lead.
        seam: Of a loop, the seconds from its last frame to the first of the next round; None if it is none.
    """
    rotations, locations, scales = (np.array(each) for each in (motion.rotations, motion.locations, motion.scales))
    if delay != 0.0 and len(motion) > 2:
        for depth in np.unique(depths[depths > 0]):
            shown = _shown_times(motion, float(depth) * delay, seam)
            for joint in np.flatnonzero(depths == depth):
                for values in (rotations, locations, scales):
                    values[:, joint] = _at(motion, values[:, joint], shown, seam)
    return replace(motion, rotations=quaternion.sign_continuous(rotations), locations=locations, scales=scales)


def _shown_times(motion: Motion, late: float, seam: float | None) -> Array:
    """(F,) times of the motion that are shown at its frames."""
    times, (start, end) = motion.times, motion.times[[0, -1]]
    if seam is not None:
        return times - late
    ramp = min(max(_RAMP * abs(late), _SHORTEST), 0.5 * (end - start))
    # Never so late that more is left over than the ramps can take.
    late = float(np.clip(late, -ramp / _RAMP, ramp / _RAMP))
    share = ease(np.clip((times - start) / ramp, 0.0, 1.0)) * ease(np.clip((end - times) / ramp, 0.0, 1.0))
    shown: Array = times - late * share
    return shown


def _at(motion: Motion, curve: Array, shown: Array, seam: float | None) -> Array:
    """A curve (F, w) at other times."""
    if (curve == curve[:1]).all():
        return curve
    if seam is None:
        return sampled(motion.times, curve, shown)
    start, length = motion.times[0], float(np.ptp(motion.times)) + seam
    laps = np.floor((shown - start) / length)
    times, closed, onward = closed_round(motion.times, curve, seam)
    return carried_rounds(sampled(times, closed, shown - laps * length), onward, laps)
