"""Mouse gestures on the keytimes of the strip, for the scenarios that warp time."""

from __future__ import annotations

import bpy
from harness import Window, check
from lane_gestures import module
from window_input import Point


def settings() -> bpy.types.PropertyGroup:
    """Keytimes and choices of the active armature's action."""
    return bpy.context.object.animation_data.action.motion_editing_time


def last_frame() -> float:
    """Last frame of the action."""
    return bpy.context.object.animation_data.action.frame_range[1]


def keytime_point(window: Window, number: int) -> Point:
    """Where a keytime's flag is in the window."""
    return _point_at(window, settings().keytimes[number].new)


def end_point(window: Window) -> Point:
    """Where the flag of the motion's end is, while a warp of the stack is shown."""
    return _point_at(window, last_frame())


def _point_at(window: Window, frame: float) -> Point:
    overlay, theme = (
        module("motion_editing_addon.interface.strip.overlay"),
        module("motion_editing_addon.interface.drawing.theme"),
    )
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        placed = next(each for each in overlay.stack_in(bpy.context).lanes if each.lane.name == "time")
        placement = overlay.placement_in(region, placed, theme.ui_scale(bpy.context))
        x = placement.across(frame)
        heights = [
            height
            for height in range(int(placed.lane.height))
            if (found := placed.lane.hit(x, placement.up(height), placement)) is not None and found.part.value == "new"
        ]
    check(heights, "the keytime should be on the strip")
    # The scroll bar lies over the lowest part.
    height = heights[2 * len(heights) // 3]
    return Point(region.x + round(x), region.y + round(placement.up(height)))
