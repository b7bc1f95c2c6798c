"""How fast the beat is: the delay at which the onsets repeat, preferring tempi at which people tap."""

import numpy as np

from ...numerics import Array
from .onset_times import Onsets

# Beats per minute at which people tap most readily, and the octaves by which they differ.
_USUAL, _OCTAVES = 120.0, 1.0
SLOWEST, FASTEST = 40.0, 200.0
# If the onsets repeat this well at half the delay too, every second beat would be missed.
_AS_WELL = 0.8


def find_tempo(found: Onsets) -> tuple[float, float]:
    """Beats per minute, and from 0 to 1 how regularly the onsets repeat; 0 and 0 if they do not."""
    lags = np.arange(int(60.0 / FASTEST * found.rate), int(60.0 / SLOWEST * found.rate) + 2)
    likeness = autocorrelation(found.strength, int(lags[-1]) + 1)
    lags = lags[lags < len(likeness) - 1]
    if not len(lags) or not likeness[lags].max() > 0.0:
        return 0.0, 0.0
    score = likeness[lags] * np.exp(-0.5 * (np.log2(60.0 * found.rate / (_USUAL * lags)) / _OCTAVES) ** 2)
    lag = _tactus(likeness, int(lags[np.argmax(score)]), int(lags[0]))
    return 60.0 * found.rate / _top(likeness, lag), float(np.clip(likeness[lag], 0.0, 1.0))


def autocorrelation(values: Array, count: int) -> Array:
    """How alike the values are to themselves after 0 to count - 1 steps; 1 for equal, 0 for nothing in common.

    The values are compared over the steps that they share, so that slow beats are not at a
    disadvantage; delays of more than two thirds of the values are left out.
    """
    count = min(count, 2 * len(values) // 3)
    centred = values - values.mean() if len(values) else values
    size = 1 << (2 * len(values)).bit_length()
    spectrum = np.fft.rfft(centred, size)
    sums = np.fft.irfft(np.abs(spectrum) ** 2, size)[:count]
    if not count or not sums[0] > 0.0:
        return np.zeros(count)
    likeness: Array = sums / sums[0] * len(values) / (len(values) - np.arange(count))
    return likeness


def _tactus(likeness: Array, lag: int, shortest: int) -> int:
    """The lag, or half of it where the onsets repeat as well after that."""
    half = round(lag / 2)
    if half < shortest:
        return lag
    near = np.arange(max(half - 1, shortest), half + 2)
    best = int(near[np.argmax(likeness[near])])
    return best if likeness[best] >= _AS_WELL * likeness[lag] else lag


def _top(likeness: Array, lag: int) -> float:
    """The lag with the fraction at which a parabola through its neighbours is highest."""
    before, here, after = likeness[lag - 1 : lag + 2]
    bend = before - 2.0 * here + after
    return lag + (float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) if bend < 0.0 else 0.0)
