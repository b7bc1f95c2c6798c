"""Filters of whole motions that respect rotations."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .band_tools import BandPass, HighPass, LowPass, Smooth
    from .bands import filtered
    from .equalizer import equalized, octaves, spectrum
    from .equalizer_bands import LimbSpectrum, band_names, cutoffs_of, limb_spectrum
    from .equalizer_tool import MOST_BANDS, Equalize
    from .extremes import keep_extremes
    from .low_pass import UnevenFramesError, low_passed
    from .mean_poses import mean_pose
    from .shape_tools import CompressRange, ExaggerateMotion, SoftLimit
    from .wave_shape import compressed, exaggerated, soft_limited
else:
    __getattr__ = lazy_door(__name__)
