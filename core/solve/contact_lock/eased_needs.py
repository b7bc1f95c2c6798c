"""Amounts that are needed now and then, made to come and go smoothly."""

import numpy as np

from ...numerics import Array, frames_within
from .windows import within


def eased(needed: Array, times: Array, fade: float) -> Array:
    """(F,) a smooth curve that is nowhere below what is needed (F,) and zero beyond the fade in seconds."""
    if len(times) < 2:
        return needed
    rate = 1.0 / float(np.median(np.diff(times)))
    half = int(frames_within(0.5 * fade, frames=len(times), rate=rate, lengths=0.5) + 1e-9)
    if half == 0:
        return needed
    # The highest of a window is at least what its middle needs, and so is any mean over the window.
    padded = np.pad(needed, 2 * half, mode="edge")
    highest = _highest(padded, 2 * half + 1)
    return np.where(within(needed > 0.0, times, fade), smoothed(highest, half), 0.0)


def _highest(values: Array, window: int) -> Array:
    """(F - window + 1,) the highest value of every window, of windows that are twice as long each time."""
    length = 1
    while length < window:
        step = min(length, window - length)
        values = np.maximum(values[:-step], values[step:])
        length += step
    return values


def smoothed(values: Array, half: int) -> Array:
    """(F - 2 half,) means of values (F,) over windows of so many frames to both sides, weighted like a bell."""
    kernel = np.hanning(2 * half + 3)[1:-1]
    return np.convolve(values, kernel / kernel.sum(), mode="valid")
