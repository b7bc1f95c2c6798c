"""From chosen samples to a timing: averaged, with given speeds, blended with the spline warp."""

from itertools import pairwise

import numpy as np

from ..motion import TimeMap
from ..numerics import Array, PiecewiseCubic, knot_slopes
from .options import Speeds
from .shortest_path import Path
from .timing_limits import ImpossibleTimingError

# Seconds on each side of a keytime within which a given speed fades into the warp's own.
_FADE = 0.3
# Steepest slope of a cubic piece, in multiples of its mean, that surely keeps it monotone.
_STEEPEST = 3.0


def averaged_parts(old_times: Array, places: Path, radius: int) -> Array:
    """Moving average of the timing between keytimes, which stay bit for bit.

    Each part goes on beyond its ends turned round by half a turn, so that the mean at an end is the
    end itself; means of times that rise still rise, and no faster.

    Args:
        old_times: (m,) old time of every output sample.
        places: (K,) output samples at keytimes.
        radius: Samples on each side.
    """
    result = np.array(old_times)
    for first, last in pairwise(places):
        result[first + 1 : last] = _moving_average(old_times[first : last + 1], min(radius, last - first))[1:-1]
    return result


def _moving_average(part: Array, radius: int) -> Array:
    before = 2.0 * part[0] - part[radius:0:-1]
    after = 2.0 * part[-1] - part[-2 : -2 - radius : -1]
    window = np.full(2 * radius + 1, 1.0 / (2 * radius + 1))
    return np.convolve(np.concatenate([before, part, after]), window, mode="valid")


def with_speeds(old_times: Array, new_times: Array, places: Path, speeds: Speeds) -> Array:
    """The timing with given speeds around keytimes, which stay where they are.

    Speeds fade into the warp's own, whose steps are scaled to fill what is left of each part.
    """
    wanted = dict(zip(places.tolist(), speeds, strict=True)) if speeds else {}
    result = np.array(old_times)
    for first, last in pairwise(places):
        part = slice(first, last + 1)
        ends = wanted.get(int(first)), wanted.get(int(last))
        if ends != (None, None):
            result[part] = _with_end_speeds(old_times[part], new_times[part], ends)
    return result


def _with_end_speeds(old: Array, new: Array, ends: tuple[float | None, float | None]) -> Array:
    """One part with speeds at its ends; the fade shortens until enough is left to fill."""
    steps, widths = np.diff(old), np.diff(new)
    direction, fade = np.sign(old[-1] - old[0]), min(_FADE, 0.5 * (new[-1] - new[0]))
    middles = 0.5 * (new[1:] + new[:-1])
    for _ in range(20):
        weights = [
            np.clip(1.0 - (distance - 0.5 * width) / fade, 0.0, 1.0) * (speed is not None)
            for distance, width, speed in (
                (middles - new[0], widths[0], ends[0]),
                (new[-1] - middles, widths[-1], ends[1]),
            )
        ]
        given = sum(weight * direction * (speed or 0.0) * widths for weight, speed in zip(weights, ends, strict=True))
        own = np.clip(1.0 - weights[0] - weights[1], 0.0, 1.0) * steps
        left = (old[-1] - old[0] - np.sum(given)) / own.sum() if own.sum() != 0.0 else -1.0
        if left >= 0.0:
            shaped = old[0] + np.append(0.0, np.cumsum(given + left * own))
            shaped[-1] = old[-1]
            return np.asarray(shaped)
        fade *= 0.7
    return old


def smooth_map(new: Array, old: Array, places: Path, speeds: Speeds) -> TimeMap:
    """A timing without corners through all samples, with the given speeds at keytimes.

    Raises:
        ImpossibleTimingError: A speed cannot be met without time turning round beside it.
    """
    slopes = knot_slopes(new, old, monotone=True)
    direction = np.sign(old[-1] - old[0])
    for place, speed in zip(places, speeds, strict=False):
        if speed is not None:
            slopes[place] = direction * _checked_speed(new, old, int(place), speed)
    return TimeMap(PiecewiseCubic(new, old, np.stack([slopes[:-1], slopes[1:]], axis=-1)))


def blended(spline: TimeMap, guided: TimeMap, influence: float, keytimes: tuple[Array, Array]) -> TimeMap:
    """The mean of both timings; new and old keytimes, which both meet, are met bit for bit."""
    mixed = spline.blend(guided, influence)
    values = np.array(mixed.old_times)
    values[np.searchsorted(mixed.new_times, keytimes[0])] = keytimes[1]
    return TimeMap(PiecewiseCubic(mixed.new_times, values, mixed.curve.slopes), mixed.ends)


def _checked_speed(new: Array, old: Array, place: int, speed: float) -> float:
    beside = slice(max(0, place - 1), place + 2)
    steepest = _STEEPEST * float(np.abs(np.diff(old[beside]) / np.diff(new[beside])).min())
    if 0.0 <= speed <= steepest * (1.0 + 1e-9):
        return min(speed, steepest)
    raise ImpossibleTimingError(
        f"The speed at {new[place]:.4g} s can be 0 to {steepest:.3g}, not {speed:.3g}; change it or move the keytimes"
    )
