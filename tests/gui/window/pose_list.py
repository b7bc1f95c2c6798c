"""The list of staggered poses in the tab."""

from __future__ import annotations

import bpy
from harness import Window, check_equal
from window_input import Point, Steps

# Pixels from the field Poses Shown to the first row below it, from row to row, and from the last row to the grip.
_FIRST, _ROW, _GRIP = 31, 21, 14
_rows = [5]  # seen now
_FRAME = 0.22  # of the tab's width: where the frames are


def settings() -> bpy.types.PropertyGroup:
    """Poses of the active armature's action."""
    return bpy.context.object.animation_data.action.motion_editing_staggered


def click_pose(window: Window, frame: int) -> Steps:
    """Drag the list's lower edge down until the pose at a frame is seen, and click it."""
    number = [round(pose.frame) for pose in settings().poses].index(frame)
    field = yield from window.find_property_button("motion_editing_staggered.share")
    region = window.region("VIEW_3D", "UI")
    first = Point(region.x + round(_FRAME * region.width), field.y - _FIRST)
    if number >= _rows[0]:
        grip = first.y - _ROW * (_rows[0] - 1) - _GRIP
        yield from window.drag(Point(first.x, grip), Point(first.x, grip - _ROW * (number + 1 - _rows[0])))
        _rows[0] = number + 1
    yield from window.click(first.x, first.y - _ROW * number)
    check_equal(settings().active, number, f"pose that a click on frame {frame} in the list picks")
