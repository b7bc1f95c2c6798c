"""Music: when sounds start, when the beat falls, and the shape of a sound for drawing."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .beats import Beats, beats
    from .onsets import Onsets, onset_strength, onsets
    from .waveform import waveform
else:
    __getattr__ = lazy_door(__name__)

__all__ = [
    "Beats",
    "Onsets",
    "beats",
    "onset_strength",
    "onsets",
    "waveform",
]
