"""Filters of whole motions that respect rotations."""

from .bands import filtered
from .equalizer import equalized, octaves, spectrum
from .extremes import keep_extremes
from .low_pass import UnevenFramesError, low_passed
from .mean_pose import mean_pose
from .responses import LowPass, binomial, butterworth, gaussian
from .wave_shaping import compressed, exaggerated, soft_limited

__all__ = [
    "LowPass",
    "UnevenFramesError",
    "binomial",
    "butterworth",
    "compressed",
    "equalized",
    "exaggerated",
    "filtered",
    "gaussian",
    "keep_extremes",
    "low_passed",
    "mean_pose",
    "octaves",
    "soft_limited",
    "spectrum",
]
