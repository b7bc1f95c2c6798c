"""Reading a motion at other frames without turning quick vibration into slow one."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...numerics import Array, quaternion
from ..motion import Motion

if TYPE_CHECKING:
    from .time_map import TimeMap

# Noise: up to this turn, in radians, and this share of all that a joint is moved; twice as much is none.
_NOISE_TURN, _NOISE_WAY = 0.005, 0.001
_TINY = 1e-12


def with_times(motion: Motion, times: Array) -> Motion:
    """The same frames at other times."""
    return replace(motion, times=times)


def new_frames(motion: Motion, time_map: "TimeMap") -> Array:
    """Frame times of the motion's own spacing over the new times in which it is seen whole."""
    first, last = motion.times[0], motion.times[-1]
    start, end = time_map.covering(first, last)
    if len(motion) == 1 or (start, end) == (first, last):
        return motion.times
    step = (last - first) / (len(motion) - 1)
    # A range that rounding left a hair too short keeps its last frame.
    count = int((end - start) / step + 1e-6) + 1
    times: Array = start + step * np.arange(count)
    return times


def averaged(motion: Motion, sampled: Motion, speeds: Array, new_times: Array) -> Motion:
    """Replace samples at which time is compressed by the mean of the motion around them.

    The mean is taken over the straight lines between the motion's frames, in a window as many
    frames long as fall into one new frame. For every other frame that is the filter 1/4 [1 2 1]
    of the motion editing chapter, 1.6.2. The window narrows towards both ends of the motion, so
    that its first and last pose stay as they are.
    """
    if len(motion) < 2 or len(new_times) < 2:
        return sampled
    reach = _reaches(motion, sampled.times, np.abs(speeds) * np.gradient(new_times))
    chosen = np.flatnonzero(reach > 0.0)
    low, high = sampled.times[chosen] - reach[chosen], sampled.times[chosen] + reach[chosen]

    def mean(name: str) -> Array:
        values = np.array(getattr(sampled, name))
        values[chosen] = _means(motion.times, getattr(motion, name), low, high)
        return values

    rotations = quaternion.normalize(mean("rotations"))
    rotations[reach <= 0.0] = sampled.rotations[reach <= 0.0]
    return replace(
        sampled,
        rotations=quaternion.sign_continuous(rotations),
        locations=mean("locations"),
        scales=mean("scales"),
        scalars=np.where(sampled.steps, sampled.scalars, mean("scalars")),
    )


def without_noise(sharp: Motion, mean: Motion) -> Motion:
    """The mean of a motion where it differs by as little as noise does, and the motion itself where it differs more."""
    turns = quaternion.angle_between(sharp.rotations, mean.rotations) / _NOISE_TURN
    size = np.ptp(sharp.locations, axis=0).max(axis=-1)
    ways = np.linalg.norm(mean.locations - sharp.locations, axis=-1) / np.maximum(_NOISE_WAY * size, _TINY)
    noisy = np.clip(2.0 - turns, 0.0, 1.0), np.clip(2.0 - ways, 0.0, 1.0)[..., None]
    return replace(
        mean,
        rotations=quaternion.sign_continuous(quaternion.slerp(sharp.rotations, mean.rotations, noisy[0])),
        locations=sharp.locations + noisy[1] * (mean.locations - sharp.locations),
    )


def _reaches(motion: Motion, old_times: Array, steps: Array) -> Array:
    """Half the window, in seconds, around every old time; 0 where time is not compressed."""
    frame = (motion.times[-1] - motion.times[0]) / (len(motion) - 1)
    compression = steps / frame
    # Between 1, where nothing is lost, and 2 the window grows from nothing, so that a change
    # of speed does not switch the filter on at a stroke.
    window = np.where(compression < 2.0, 2.0 * (compression - 1.0), compression) * frame
    room = np.minimum(old_times - motion.times[0], motion.times[-1] - old_times)
    reach = np.clip(0.5 * window, 0.0, np.maximum(room, 0.0))
    # Less than a millionth of a frame comes from rounding in the times: a mean over that is noise.
    return np.where(reach < 1e-6 * frame, 0.0, reach)


def _means(times: Array, values: Array, low: Array, high: Array) -> Array:
    """Mean of the straight lines through the values between low and high, along axis 0."""
    flat = values.reshape(len(times), -1)
    width = np.diff(times)[:, None]
    whole = np.concatenate([np.zeros((1, flat.shape[1])), np.cumsum(0.5 * (flat[1:] + flat[:-1]) * width, axis=0)])

    def integral(at: Array) -> Array:
        before = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
        step = (at - times[before])[:, None]
        slope = (flat[before + 1] - flat[before]) / width[before]
        result: Array = whole[before] + step * (flat[before] + 0.5 * step * slope)
        return result

    return ((integral(high) - integral(low)) / (high - low)[:, None]).reshape(len(low), *values.shape[1:])
