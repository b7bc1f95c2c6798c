"""A time lane with four keytimes made in code."""

from __future__ import annotations

import bpy
import numpy as np
from motion_editing.motion_editing_addon.guided_warp.lane.time_data import KeyTime, TimeLaneData
from motion_editing.motion_editing_addon.guided_warp.lane.time_picture import TimePicture
from motion_editing.motion_editing_addon.interface.drawing.theme import palette


def keytimes() -> TimeLaneData:
    """Twice as fast, locked, half as fast; the old frames 0, 40, 70 and 90."""
    flags = (
        KeyTime(0.0, 0.0, is_end=True),
        KeyTime(40.0, 20.0, locked=True, label="Jump"),
        KeyTime(70.0, 50.0),
        KeyTime(90.0, 90.0, is_end=True),
    )
    frames = np.arange(91.0)
    speed = np.where(frames < 20.0, 2.0, np.where(frames < 50.0, 1.0, 0.5))
    old_frames = np.interp(frames, [0.0, 20.0, 50.0, 90.0], [0.0, 40.0, 70.0, 90.0])
    return TimeLaneData(flags, frames, speed, old_frames, speed_limit=3.0)


def picture_of(data: TimeLaneData) -> TimePicture:
    return TimePicture(data, palette(bpy.context))
