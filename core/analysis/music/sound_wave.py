"""The shape of a sound, small enough to be drawn."""

from typing import Any

import numpy as np

from ...numerics import Array


def waveform(samples: Any, bins: int) -> Array:
    """(bins, 2) the lowest and highest sample of every equal part of a sound.

    Args:
        samples: (N,) one channel. With fewer samples than bins, neighbouring bins show the same one.
        bins: Parts, about one for each pixel.

    Raises:
        ValueError: There are no bins.
    """
    if bins < 1:
        raise ValueError(f"A waveform needs at least 1 bin, not {bins}")
    sound = np.asarray(samples).reshape(-1)
    if not len(sound):
        return np.zeros((bins, 2))
    edges = np.arange(bins) * len(sound) // bins
    low, high = np.minimum.reduceat(sound, edges), np.maximum.reduceat(sound, edges)
    return np.stack([low, high], axis=1).astype(np.float64)
