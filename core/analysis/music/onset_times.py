"""When sounds start: the rise of loudness over all bands of pitch (spectral flux) and its peaks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from .spectrum import WINDOW, band_loudness, checked_sound

# Steps of the strength per second: beats are told to about half a step.
STEPS = 100.0
# A sound rises while it slips into the front of the window, this part of a window before its middle.
_LEAD = 0.22
# Rise of a band, in natural logarithms, that is hearing's own unrest, not an onset.
_UNREST = 0.05
# Seconds around an onset over which the usual strength is measured, and in which it must be the peak.
_USUAL, _PEAK = 0.6, 0.03
# Times the usual unrest (the median deviation) that an onset in noise stands out.
_RESTLESS = 5.0
# Onsets stand out by this part of the strongest ones.
_OUTSTANDING = 0.12


@dataclass(frozen=True, eq=False)
class Onsets:
    """How strongly sounds start over time.

    Attributes:
        strength: (F,) mean rise of loudness over the bands, 0 where nothing starts.
        rate: Values per second; the first is at 0 s.
    """

    strength: Array
    rate: float = STEPS

    @property
    def is_silent(self) -> bool:
        """Nothing starts anywhere."""
        return not self.strength.any()


def onset_strength(samples: Any, rate: float) -> Onsets:
    """Measure how strongly sounds start at every moment; it does not depend on the volume.

    Args:
        samples: (N,) one channel, any scale.
        rate: Samples per second.

    Raises:
        ValueError: There are several channels, or the rate is not positive.
        NotFiniteError: A sample is NaN or infinite.
    """
    sound = checked_sound(samples, rate)
    count = int(len(sound) / rate * STEPS) + 1 if len(sound) else 0
    # One step more at the front: what sounds from the first sample on starts there.
    centres = np.arange(-1, count) / STEPS - _LEAD * WINDOW
    loudness = band_loudness(sound, rate, centres)
    rise = np.maximum(np.diff(loudness, axis=0) - _UNREST, 0.0)
    # A sound that is cut off crackles; nothing starts there.
    rise[centres[1:] + 0.5 * WINDOW > len(sound) / rate] = 0.0
    return Onsets(rise.mean(axis=1) if count else np.zeros(0))


def onsets(samples: Any, rate: float) -> Array:
    """(N,) seconds at which sounds start, increasing.

    An onset is the strongest moment of its surroundings and stands out from what is usual there.

    Args:
        samples: (N,) one channel.
        rate: Samples per second.
    """
    found = onset_strength(samples, rate)
    if found.is_silent:
        return np.zeros(0)
    return peak_times(found, np.flatnonzero(_is_peak(found)))


def peak_times(found: Onsets, steps: Any) -> Array:
    """Seconds of steps, moved to the top of the parabola where a step is a peak."""
    padded = np.pad(found.strength, 1)
    before, here, after = (padded[np.asarray(steps, dtype=np.intp) + place] for place in range(3))
    bend = before - 2.0 * here + after
    is_peak = (here >= before) & (here >= after) & (bend < 0.0)
    offset = np.where(is_peak, 0.5 * (before - after) / np.where(is_peak, bend, 1.0), 0.0)
    times: Array = np.maximum((np.asarray(steps) + offset) / found.rate, 0.0)
    return times


def _is_peak(found: Onsets) -> NDArray[np.bool_]:
    """(F,) whether a step is the strongest nearby and stands out, also from the unrest of noise."""
    strength = found.strength
    reach = round(_PEAK * found.rate)
    # Of equal neighbours the first counts.
    first: NDArray[np.bool_] = _surroundings(strength, reach).argmax(axis=1) == reach
    around = _surroundings(strength, round(0.5 * _USUAL * found.rate))
    usual = np.median(around, axis=1)
    unrest = np.median(np.abs(around - usual[:, None]), axis=1)
    least = _OUTSTANDING * np.percentile(strength[strength > 0.0], 98)
    return first & (strength > usual + _RESTLESS * unrest + least)


def _surroundings(values: Array, reach: int) -> Array:
    """(F, 2 reach + 1) neighbours on both sides, 0 beyond the ends."""
    return np.lib.stride_tricks.sliding_window_view(np.pad(values, reach), 2 * reach + 1)


def moving_mean(values: Array, width: int) -> Array:
    """(F,) mean over about `width` neighbours, fewer at the ends."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(len(values))
    low, high = np.maximum(places - width // 2, 0), np.minimum(places + width // 2 + 1, len(values))
    means: Array = (sums[high] - sums[low]) / (high - low)
    return means
