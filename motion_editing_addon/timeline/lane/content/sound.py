"""The sound under the icons: its shape and its beats, in scene frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .....core.analysis.music import waveform
from .....core.errors import MotionEditError
from ....border import sound_samples
from ....border.compatibility import content_start, strip_ends
from ...music import chosen_strip

if TYPE_CHECKING:
    from bpy.types import Context

# Parts of a frame for which lowest and highest sample are told, and how many there are at most.
_PER_FRAME, _MOST = 2, 8000


def sound_key(context: Context, name: str) -> object:
    """Changes whenever the sound that is shown does; quick."""
    strip = chosen_strip(context, name)
    if strip is None or strip.sound is None:
        return None
    scene = context.scene.render
    return (
        strip.name,
        strip.sound.filepath,
        strip_ends(strip),
        content_start(strip),
        strip.sound_offset,
        scene.fps,
        scene.fps_base,
    )


def sound_of(context: Context, name: str) -> dict[str, np.ndarray]:
    """Waveform and beats for the lane; nothing where there is no sound or it cannot be read."""
    strip = chosen_strip(context, name)
    if strip is None:
        return {}
    try:
        heard = sound_samples.samples_of(strip, context.scene)
        beats = sound_samples.beat_frames(context.scene, strip)
    except MotionEditError:  # said by the tools; drawing cannot
        return {}
    count = min(_MOST, round(_PER_FRAME * (heard.last_frame - heard.first_frame)))
    if count < 1 or not len(heard.samples):
        return {}
    shape = waveform(heard.samples, count)
    width = (heard.last_frame - heard.first_frame) / count
    frames = heard.first_frame + width * (np.arange(count) + 0.5)
    return {"waveform_frames": frames, "waveform_low": shape[:, 0], "waveform_high": shape[:, 1], "beats": beats}
