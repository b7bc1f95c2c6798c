"""Sequencer strips that follow a time map by retiming keys: footage and sound of the same scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ...border.compatibility import CAN_RETIME_STRIPS, move_strip, strip_ends

if TYPE_CHECKING:
    from bpy.types import Area, Context, SequenceEditor, Strip, Window

    from ....core.motion import TimeMap

    # Adds retiming keys to a strip at whole frames.
    KeyAdder = Callable[[Strip, list[int]], None]

# Retiming keys this many frames apart follow the map closely without crowding the strip.
_STEP = 4
_KINDS = {"MOVIE", "SOUND", "SCENE", "IMAGE", "META"}
# Frames that a strip needs to take a key between its ends.
_SHORTEST = 4


def selected_strips(context: Context) -> list[Strip]:
    """Selected strips of the scene whose content can be retimed."""
    editor = context.scene.sequence_editor
    chosen = editor.strips_all if editor else ()
    return [each for each in chosen if each.select and each.type in _KINDS]


def key_adder(context: Context) -> KeyAdder:
    """The way to add retiming keys that this Blender bears.

    Raises:
        MotionEditError: An older Blender, and no Sequencer is open.
    """
    if CAN_RETIME_STRIPS:
        return _add_keys
    window, area = _open_sequencer(context)
    return lambda strip, frames: _add_keys_in(context, window, area, strip, frames)


def retime_strip(context: Context, strip: Strip, time_map: TimeMap, rate: float, add_keys: KeyAdder) -> None:
    """Move a strip and give it retiming keys, so that its content follows the map."""
    start, end = (int(frame) for frame in strip_ends(strip))
    shift = _new_frames([start], time_map, rate)[0] - start
    move_strip(strip, shift)
    add_keys(strip, _frames_to_hold(start, end, time_map, rate, shift))
    with _others_keyed(context, strip, add_keys):
        _move_keys(strip, time_map, rate, shift)


def _move_keys(strip: Strip, time_map: TimeMap, rate: float, shift: int) -> None:
    keys = strip.retiming_keys
    targets = _new_frames([key.timeline_frame - shift for key in keys], time_map, rate)
    movable = range(1, len(keys))
    # Keys that move later go from the last one on, keys that move earlier from the first. None may
    # cross or meet another: Blender joins keys that meet.
    later = [number for number in movable if targets[number] > keys[number].timeline_frame]
    earlier = [number for number in movable if targets[number] < keys[number].timeline_frame]
    for number in (*reversed(later), *earlier):
        keys[number].timeline_frame = targets[number]


def refuse_hidden_keys(context: Context, strips: list[Strip]) -> None:
    """Raise if keys of a strip cannot be moved without a crash of Blender; see `_others_keyed`."""
    for strip in strips:
        for other in _mistaken_for(context, strip):
            if other.type not in _KINDS or np.ptp(strip_ends(other)) < _SHORTEST:
                raise MotionEditError(
                    f"Blender cannot retime '{strip.name}' while the strip '{other.name}' was there before it: "
                    f"cut '{other.name}' and paste it again, so that it comes later"
                )


def _editor(context: Context) -> SequenceEditor:
    """Where the strips are."""
    editor = context.scene.sequence_editor
    assert editor is not None
    return editor


def _mistaken_for(context: Context, strip: Strip) -> list[Strip]:
    """Strips that Blender takes for the owner of this strip's retiming keys: earlier ones without keys."""
    everything = list(_editor(context).strips_all)
    nested = any(each.type == "META" for each in everything)  # Then it may look in another order.
    earlier = everything if nested else everything[: everything.index(strip)]
    return [each for each in earlier if each != strip and not len(getattr(each, "retiming_keys", ()))]


@contextmanager
def _others_keyed(context: Context, strip: Strip, add_keys: KeyAdder) -> Iterator[None]:
    """Give other strips a retiming key for a while.

    Blender finds the strip of a key by comparing addresses, and takes a strip without keys for the
    owner of any key: it then reads the wrong frame, and crashes when the key is moved.
    """
    others = _mistaken_for(context, strip)
    try:
        for other in others:
            add_keys(other, [round(sum(strip_ends(other)) / 2.0)])
            if not len(other.retiming_keys):
                raise MotionEditError(f"Blender cannot retime '{strip.name}' while '{other.name}' is in the same scene")
        yield
    finally:
        for other in others:
            other.retiming_keys.reset()


def _frames_to_hold(start: int, end: int, time_map: TimeMap, rate: float, shift: int) -> list[int]:
    """Frames of the moved strip that get a key: close together, but apart after the retiming too."""
    frames = []
    before, after = _new_frames([start, end - 1], time_map, rate)
    for frame in range(start + _STEP, end - _STEP, _STEP):
        new = _new_frames([frame], time_map, rate)[0]
        if before + 1 < new < after - 1:
            frames.append(frame + shift)
            before = new
    return frames


def _new_frames(frames: list[int], time_map: TimeMap, rate: float) -> list[int]:
    """Whole new frames of scene frames in rising order, no two the same."""
    new = np.round(time_map.map_key_times(np.array(frames) / rate) * rate).astype(int)
    apart = np.maximum.accumulate(new - np.arange(len(new))) + np.arange(len(new))
    return [int(frame) for frame in apart]


def _add_keys(strip: Strip, frames: list[int]) -> None:
    for frame in frames:
        strip.retiming_keys.add(timeline_frame=frame)


def _open_sequencer(context: Context) -> tuple[Window, Area]:
    """A Video Sequencer that shows the scene's strips."""
    for window in context.window_manager.windows:
        # From 5.0 on a workspace chooses the scene that its Sequencer shows.
        shown = getattr(window.workspace, "sequencer_scene", window.scene)
        for area in window.screen.areas:
            if area.type == "SEQUENCE_EDITOR" and area.spaces.active.view_type != "PREVIEW" and shown == context.scene:
                return window, area
    raise MotionEditError(
        "Open a Video Sequencer with these strips, or use Blender 5.2: older ones retime strips only there"
    )


def _add_keys_in(context: Context, window: Window, area: Area, strip: Strip, frames: list[int]) -> None:
    """Add keys through the Sequencer's own operator, which works on the active strip if it alone is selected."""
    editor = _editor(context)
    selected, active = {each: each.select for each in editor.strips_all}, editor.active_strip
    region = next(each for each in area.regions if each.type == "WINDOW")
    try:
        for each in selected:
            each.select = each == strip
        editor.active_strip = strip
        with context.temp_override(window=window, area=area, region=region, scene=context.scene):
            for frame in frames:
                bpy.ops.sequencer.retiming_key_add(timeline_frame=frame)
    finally:
        for each, state in selected.items():
            each.select = state
        editor.active_strip = active
