"""Beats of a sound strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ..border import sound_samples
from ..document import scope
from .frames import samples_of

if TYPE_CHECKING:
    from bpy.types import Context, SoundStrip

    from ..border.action_io import Clip


def chosen_strip(context: Context, name: str) -> SoundStrip | None:
    """The sound strip of this name, the first one for no name, or None."""
    strips = sound_samples.sound_strips(context.scene)
    return next((strip for strip in strips if name in ("", strip.name)), None)


def beats_in_samples(context: Context, clip: Clip, name: str) -> np.ndarray:
    """Beats of the sound as sample numbers of the clip.

    Raises:
        MotionEditError: There is no sound, or no beat in it.
    """
    strip = chosen_strip(context, name)
    if strip is None:
        wanted = f"There is no sound strip '{name}'" if name else "There is no sound"
        raise MotionEditError(f"{wanted}: add a sound strip in the Video Sequencer")
    beats = sound_samples.beat_frames(context.scene, strip)
    if not len(beats):
        raise MotionEditError(f"No beat was found in '{strip.name}'")
    return samples_of(clip, [scope.from_scene(clip.armature, float(frame)) for frame in beats])
