"""Music: when sounds start, when the beat falls, and the shape of a sound for drawing."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .beat_track import Beats, beats
    from .onset_times import Onsets, onset_strength, onsets
    from .sound_wave import waveform
else:
    __getattr__ = lazy_door(__name__)
