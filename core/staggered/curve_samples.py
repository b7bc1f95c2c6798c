"""Curves of a motion between its frames."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..motion import Motion
from ..numerics import Array, quaternion


def motion_at(motion: Motion, times: Array) -> Motion:
    """A motion at any times, smooth between its frames; stepped scalars as before, the ends are held."""
    found = motion.at(times)
    between = ~np.isin(times, motion.times)
    if not between.any() or len(motion) < 2:
        return found
    rotations = np.array(found.rotations)
    for joint in np.flatnonzero((motion.rotations != motion.rotations[:1]).any(axis=(0, 2))):
        own = sampled(motion.times, motion.rotations[:, joint], times[between])
        rotations[between, joint] = quaternion.aligned(own, rotations[between, joint])
    smooth: dict[str, Any] = {"rotations": rotations}
    for name in ("locations", "scales", "scalars"):
        known, values = getattr(motion, name), np.array(getattr(found, name))
        flat = known.reshape(len(motion), -1)
        varies = np.flatnonzero((flat != flat[:1]).any(axis=0))
        rows = values.reshape(len(values), -1)
        for column in varies:
            rows[between, column] = sampled(motion.times, flat[:, [column]], times[between])[:, 0]
        smooth[name] = rows.reshape(values.shape)
    smooth["scalars"] = np.where(motion.steps, found.scalars, smooth["scalars"])
    return replace(found, **smooth)


def sampled(times: Array, values: Array, at: Array) -> Array:
    """(P, w) a curve (F, w) between its frames: the cubic with the frames' slopes that never overshoots; ends are held.

    Values of four components are rotations; one of the curve's own times gives that frame.
    """
    last = len(times) - 2
    frame = np.clip(np.searchsorted(times, at, side="right") - 1, 0, last)
    before, after = np.maximum(frame - 1, 0), np.minimum(frame + 2, last + 1)
    # Components lie one after the other, which is several times as fast on long curves.
    curve = np.ascontiguousarray(values.T)
    earlier, first, second, later = (np.take(curve, each, axis=1) for each in (before, frame, frame + 1, after))
    span = times[frame + 1] - times[frame]
    step = (second - first) / span
    arriving = np.where(before == frame, step, (first - earlier) / _apart(times[before], times[frame]))
    leaving = np.where(after == frame + 1, step, (later - second) / _apart(times[frame + 1], times[after]))
    share = np.clip((at - times[frame]) / span, 0.0, 1.0)
    rest = 1.0 - share
    mixed = first * ((1.0 + 2.0 * share) * rest**2) + second * (share**2 * (3.0 - 2.0 * share))
    mixed += _slope(arriving, step) * (share * rest**2 * span)
    mixed -= _slope(step, leaving) * (share**2 * rest * span)
    result: Array = mixed.T
    return quaternion.normalize(result) if len(curve) == 4 else result


def _apart(start: Array, end: Array) -> Array:
    """Seconds between times; 1 where they are the same."""
    return np.where(end > start, end - start, 1.0)


def _slope(before: Array, after: Array) -> Array:
    """Slope at a frame: the harmonic mean of both sides, flat where these differ in sign."""
    product = before * after
    rising = product > 0.0
    slope: Array = np.where(rising, 2.0 * product / np.where(rising, before + after, 1.0), 0.0)
    return slope


def closed_round(times: Array, curve: Array, seam: float) -> tuple[Array, Array, Array]:
    """A round of a loop up to where the next one begins, and how far that is from where this one began.

    Args:
        times: (F,) frames.
        curve: (F, w) values.
        seam: Seconds from the last frame to the first of the next round; 0 if the last frame is that already.

    Returns:
        Times and values, with one frame more where there is a seam; (w,) what a round adds: a turn, or a way.
    """
    is_rotation = curve.shape[1] == 4
    if seam <= 0.0:
        onward = quaternion.multiply(curve[-1], quaternion.conjugate(curve[0])) if is_rotation else curve[-1] - curve[0]
        return times, curve, onward
    if is_rotation:
        onward, first = np.array([1.0, 0.0, 0.0, 0.0]), quaternion.aligned(curve[:1], curve[-1:])
    else:
        # What goes somewhere goes on by a step; what only swings is where it began.
        step, way = curve[-1] - curve[-2], curve[-1] - curve[0]
        onward = np.where(np.abs(way) > 0.5 * np.ptp(curve, axis=0), way + step, 0.0)
        first = curve[:1] + onward
    return np.append(times, times[-1] + seam), np.concatenate([curve, first]), onward


def carried_rounds(values: Array, onward: Array, laps: Array) -> Array:
    """Values (P, w) of a loop in other rounds: each round goes on from where the one before ended.

    Args:
        values: In the first round.
        onward: (w,) what a round adds.
        laps: (P,) whole rounds to add.
    """
    if not laps.any():
        return values
    if len(onward) != 4:
        moved: Array = values + laps[:, None] * onward
        return moved
    return quaternion.multiply(quaternion.exp(laps[:, None] * quaternion.log(onward)), values)
