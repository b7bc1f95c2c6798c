"""Guided time warping: new lengths and keytimes with the timing of a reference."""

from .options import GuidedWarpOptions, WarpReport, WarpResult
from .timing_limits import ImpossibleTimingError, Keytime, possible_lengths, possible_new_times
from .warp import guided_warp

__all__ = [
    "GuidedWarpOptions",
    "ImpossibleTimingError",
    "Keytime",
    "WarpReport",
    "WarpResult",
    "guided_warp",
    "possible_lengths",
    "possible_new_times",
]
