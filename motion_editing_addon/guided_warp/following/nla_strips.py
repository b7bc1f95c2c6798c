"""NLA strips that play an action while its length changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bpy.types import NlaStrip

    from ...document.motion_changes import MotionChange

# Parts of a frame that are not seen.
_ROUNDING = 0.02


def follow(change: MotionChange) -> None:
    """Let the strips of the retimed action show as much of the motion as they did.

    Blender keeps their scale and repetitions, and moves strips behind them away. Where something else than all was
    retimed, the rest still needs its old length.
    """
    if change.time_map is None or not change.time_map.direction:
        return
    if not change.is_whole and change.time_map.direction < 0:
        return
    data: Any = change.armature.animation_data
    for strip in _strips_of(data.action, data.action_slot_handle):
        first, last = strip.action_frame_start, strip.action_frame_end
        start, end = sorted(map(_whole, change.new_frames([first, last])))
        if not change.is_whole:
            start, end = first, max(last, end)
        elif data.use_tweak_mode:
            start = first
        if end > start:
            _show(strip, start, end)


def _whole(frame: float) -> float:
    """A whole frame where it is nearly one: maps that lead there and back are rounded."""
    return float(round(frame)) if abs(frame - round(frame)) < _ROUNDING else float(frame)


def _strips_of(action: Any, slot: int) -> Iterator[NlaStrip]:
    """Strips of all objects that play a slot of an action."""
    for thing in bpy.data.objects:
        tracks = thing.animation_data.nla_tracks if thing.animation_data is not None and thing.is_editable else ()
        for strip in (each for track in tracks for each in track.strips):
            if strip.action == action and strip.action_slot_handle == slot:
                yield strip


def _show(strip: NlaStrip, start: float, end: float) -> None:
    """Set the part of the action that a strip plays; the one end must never pass the other."""
    if start >= strip.action_frame_end:
        strip.action_frame_end = end
    if strip.action_frame_start != start:
        strip.action_frame_start = start
    strip.action_frame_end = end
