"""Writing a motion that has other frames than the one that was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import Motion
from .clip import Clip
from .curves.keys import SAME_FRAME, key_count, merged, read_keys, write_keys
from .memory.baked_rows import resampled
from .timing.new_timing import channel_values
from .write_report import WriteReport
from .written_motion import refuse_protected

if TYPE_CHECKING:
    from bpy.types import FCurve


def write_other_frames(clip: Clip, motion: Motion) -> WriteReport:
    """Key every frame of a motion that is longer or shorter than the clip, in place of the clip's keys.

    Args:
        clip: What was read. Keys outside its frames and outside the new ones stay.
        motion: The same joints and scalars at other times.
    """
    frames = np.round(motion.times * clip.motion.rate, 3)
    refuse_protected(clip, list(clip.channels.properties()))
    report = WriteReport(bones=len(clip.motion.skeleton), frames=len(frames))
    for (prop, index), curve in clip.channels.curves.items():
        report.keys_before += key_count(curve)
        _replace(clip, curve, frames, channel_values(clip, prop, motion)[:, index])
        report.keys_after += key_count(curve)
    clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return report


def _replace(clip: Clip, curve: FCurve, frames: np.ndarray, values: np.ndarray) -> None:
    arrays = read_keys(curve)
    own = arrays["co"][:, 0]
    first, last = min(frames[0], clip.frames[0]), max(frames[-1], clip.frames[-1])
    outside = (own < first - SAME_FRAME) | (own > last + SAME_FRAME)
    keys = {name: attribute[~outside] for name, attribute in arrays.items()}
    new = resampled(keys, frames, frames, values, keep_still=False)
    write_keys(curve, merged({name: attribute[outside] for name, attribute in arrays.items()}, new))
    curve.update()
