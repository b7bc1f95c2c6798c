"""NLA strips that play an action while its length changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bpy.types import NlaStrip, Object

    from ...core.time_map import TimeMap


def follow(armature: Object, time_map: TimeMap, rate: float, *, whole: bool) -> None:
    """Let the strips whose action is being tweaked end where the retimed motion does.

    Blender keeps their scale and repetitions, and moves strips behind them away. Outside tweak mode
    strips stay as they are.

    Args:
        armature: Its action was retimed.
        time_map: New to old time, in seconds.
        rate: Frames of the action in a second.
        whole: Everything was retimed; otherwise the rest still needs its old length.
    """
    data = armature.animation_data
    if not data.use_tweak_mode:
        return
    for strip in [each for track in data.nla_tracks for each in track.strips if each.action == data.action]:
        _follow(strip, time_map, rate, whole)


def _follow(strip: NlaStrip, time_map: TimeMap, rate: float, whole: bool) -> None:
    low, high = sorted(time_map.old_times[[0, -1]])
    old = strip.action_frame_end
    inside = float(np.clip(old / rate, low, high))
    new = float(time_map.map_key_times([inside])[0]) * rate + old - inside * rate
    if new > strip.action_frame_start:
        strip.action_frame_end = new if whole else max(old, new)
