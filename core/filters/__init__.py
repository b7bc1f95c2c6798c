"""Filters of whole motions that respect rotations."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .bands import filtered
    from .equalizer import equalized, octaves, spectrum
    from .extremes import keep_extremes
    from .low_pass import UnevenFramesError, low_passed
    from .mean_poses import mean_pose
    from .wave_shape import compressed, exaggerated, soft_limited
else:
    __getattr__ = lazy_door(__name__)

__all__ = [
    "UnevenFramesError",
    "compressed",
    "equalized",
    "exaggerated",
    "filtered",
    "keep_extremes",
    "low_passed",
    "mean_pose",
    "octaves",
    "soft_limited",
    "spectrum",
]
