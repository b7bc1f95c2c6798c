"""NLA strips that play an action while its length changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Let the strips whose action is being tweaked end where the retimed motion does.

    Blender keeps their scale and repetitions, and moves strips behind them away. Outside tweak mode
    strips stay as they are. Where something else than all was retimed, the rest still needs its old length.
    """
    data = change.armature.animation_data
    if not data.use_tweak_mode or change.time_map is None or change.time_map.direction <= 0:
        return
    for strip in [each for track in data.nla_tracks for each in track.strips if each.action == data.action]:
        old = strip.action_frame_end
        new = float(change.new_frames([old])[0])
        if new > strip.action_frame_start:
            strip.action_frame_end = new if change.is_whole else max(old, new)
