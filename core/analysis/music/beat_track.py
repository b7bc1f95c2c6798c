"""The beat of music: times that fall on strong onsets and follow each other evenly.

Beats t_1, t_2, ... maximise the sum of the onset strengths at them, less a penalty for every interval
that strays from the tempo's period P,

    sum O(t_i) - tightness sum ln²((t_i - t_(i-1)) / P),

found by dynamic programming (Ellis, Beat Tracking by Dynamic Programming, 2007).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...motion import Indices
from ...numerics import Array
from .onset_times import Onsets, moving_mean, onset_strength, peak_times
from .tempo import find_tempo

# Regularity that noise has by chance.
_CHANCE = 0.05
# Weight of even intervals against strong onsets, whose standard deviation is 1.
_TIGHTNESS = 100.0
# Width over which an onset counts towards a beat beside it, as a part of the period.
_BLUR = 1.0 / 32.0
# Beats before the first and after the last onset of this strength are left out.
_AUDIBLE = 0.5
# Natural logarithm of the ratio up to which intervals at the ends count as equal: a fifth.
_UNEVEN = 0.2
# Part of a period by which a beat is moved to the top of an onset beside it.
_SNAP = 0.08


@dataclass(frozen=True, eq=False)
class Beats:
    """The beat of a sound.

    Attributes:
        times: (N,) seconds, increasing; empty if there is no beat.
        tempo: Mean beats per minute; 0 if there is no beat.
        regularity: From 0 to 1: how well the onsets repeat from beat to beat. Below 0.05 nobody hears a
            beat, and none is found unless the tempo is given.
    """

    times: Array
    tempo: float
    regularity: float


NO_BEATS = Beats(np.zeros(0), 0.0, 0.0)


def beats(samples: Any, rate: float, *, tempo: float | None = None) -> Beats:
    """Find the beats of a sound.

    Args:
        samples: (N,) one channel.
        rate: Samples per second.
        tempo: Beats per minute if they are known, such as twice or half of what was found.

    Raises:
        ValueError: There are several channels, or the rate or the tempo is not positive.
        NotFiniteError: A sample is NaN or infinite.
    """
    if tempo is not None and not tempo > 0.0:
        raise ValueError(f"The tempo must be above 0 beats per minute, not {tempo:g}")
    found = onset_strength(samples, rate)
    heard, regularity = find_tempo(found)
    if found.is_silent or not (tempo or regularity > _CHANCE):
        return NO_BEATS
    steps = _beat_steps(found, 60.0 * found.rate / (tempo or heard))
    if len(steps) < 2:
        return NO_BEATS
    times = peak_times(found, steps)
    return Beats(times, 60.0 * (len(times) - 1) / float(times[-1] - times[0]), regularity)


def _beat_steps(found: Onsets, period: float) -> Indices:
    """Steps of the onset strength on which the beats fall."""
    if len(found.strength) <= period:
        return np.zeros(0, dtype=np.intp)
    rising = _rising(found.strength, period)
    if not rising.any():
        return np.zeros(0, dtype=np.intp)
    strength = _blurred(rising / rising.std(), _BLUR * period)
    steps = _on_onsets(_best_chain(strength, period), found.strength, round(_SNAP * period))
    return _audible(steps, strength)


def _rising(strength: Array, period: float) -> Array:
    """The strength less what is usual around, which in dense music is much, and without crashes."""
    # Nothing counts for more than what is as rare as every second beat.
    level = float(np.quantile(strength, max(0.0, 1.0 - 0.5 / period)))
    bounded = np.minimum(strength, level or np.inf)
    rising: Array = np.maximum(bounded - moving_mean(bounded, round(2.0 * period)), 0.0)
    return rising


def _blurred(values: Array, width: float) -> Array:
    places = np.arange(-int(4.0 * width) - 1, int(4.0 * width) + 2)
    kernel = np.exp(-0.5 * (places / max(width, 1e-3)) ** 2)
    return np.convolve(values, kernel, mode="full")[len(places) // 2 :][: len(values)]


def _best_chain(strength: Array, period: float) -> Indices:
    """Steps of the chain with the highest score that ends within the last period."""
    delays = np.arange(max(1, round(0.5 * period)), round(2.0 * period) + 1)
    penalty = _TIGHTNESS * np.log(delays / period) ** 2
    longest = int(delays[-1])
    # Room in front in which nothing was heard, so that a chain may start anywhere.
    score = np.zeros(longest + len(strength))
    before = np.full(len(strength), -1, dtype=np.intp)
    for step, here in enumerate(strength):
        gains = score[longest + step - delays] - penalty
        best = int(gains.argmax())
        if gains[best] > 0.0:
            before[step] = step - delays[best]
        score[longest + step] = here + max(gains[best], 0.0)
    last = len(strength) - max(1, round(period))
    return _followed(before, last + int(np.argmax(score[longest + last :])))


def _followed(before: Indices, last: int) -> Indices:
    """The chain that ends at a step, from its start."""
    chain = []
    while last >= 0:
        chain.append(last)
        last = int(before[last])
    return np.array(chain[::-1], dtype=np.intp)


def _on_onsets(steps: Indices, strength: Array, reach: int) -> Indices:
    """The steps, each moved to the strongest onset within reach; those without one stay."""
    around = np.lib.stride_tricks.sliding_window_view(np.pad(strength, reach), 2 * reach + 1)[steps]
    moved = steps + around.argmax(axis=1) - reach
    return np.unique(np.where(around.any(axis=1), moved, steps))


def _audible(steps: Indices, strength: Array) -> Indices:
    """The steps without those before the music starts and after it ends.

    It starts and ends with two beats that are heard, as far apart as the next two; three make a beat.
    """
    heard = strength[steps]
    # One crash must not make all else count as silence.
    usual = np.sqrt(np.mean(np.minimum(heard, np.percentile(heard, 80)) ** 2))
    loud = heard > _AUDIBLE * usual
    alike = np.abs(np.diff(np.log(np.diff(steps)))) < _UNEVEN
    even = np.append(alike, False) | np.append(False, alike)
    pairs = np.flatnonzero(loud[:-1] & loud[1:] & even) if len(steps) > 2 else steps[:0]
    return steps[pairs[0] : pairs[-1] + 2] if len(pairs) else steps[:0]
