"""Music: when sounds start, when the beat falls, and the shape of a sound for drawing."""

from .beats import Beats, beats
from .onsets import Onsets, onset_strength, onsets
from .waveform import waveform

__all__ = [
    "Beats",
    "Onsets",
    "beats",
    "onset_strength",
    "onsets",
    "waveform",
]
