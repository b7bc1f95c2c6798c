"""Blends of motions, transitions between them, and loops (motion editing chapter, 1.6.4)."""

from .blend import BlendError, blend
from .ground_alignment import align_on_ground, along_one_path, blend_along_one_path
from .matching import matched
from .time_alignment import align_in_time

__all__ = [
    "BlendError",
    "align_in_time",
    "align_on_ground",
    "along_one_path",
    "blend",
    "blend_along_one_path",
    "matched",
]
