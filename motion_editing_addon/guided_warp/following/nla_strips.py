"""NLA strips that play an action while its length changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...document import scope

if TYPE_CHECKING:
    from ...document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Let the strips of the retimed action show as much of the motion as they did.

    Blender keeps their scale and repetitions, and moves strips behind them away. Where something else than all was
    retimed, the rest still needs its old length.
    """
    data = scope.animation_of(change.armature)
    if change.time_map is None or change.time_map.direction <= 0:
        return
    for strip in [each for track in data.nla_tracks for each in track.strips if each.action == data.action]:
        first, last = strip.action_frame_start, strip.action_frame_end
        new = change.new_frames([first, last])
        if new[1] > new[0]:
            strip.action_frame_end = float(new[1]) if change.is_whole else max(last, float(new[1]))
            if change.is_whole and not data.use_tweak_mode:
                strip.action_frame_start = float(new[0])
