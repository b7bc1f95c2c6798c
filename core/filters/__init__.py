"""Filters of whole motions that respect rotations."""

from .bands import equalized, filtered, motion_bands, octaves, spectrum
from .low_pass import UnevenFramesError, low_passed
from .responses import LowPass, binomial, butterworth, gaussian

__all__ = [
    "LowPass",
    "UnevenFramesError",
    "binomial",
    "butterworth",
    "equalized",
    "filtered",
    "gaussian",
    "low_passed",
    "motion_bands",
    "octaves",
    "spectrum",
]
