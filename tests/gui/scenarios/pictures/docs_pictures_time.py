"""Takes the manual's pictures of guided time warping.

After a change of the panels: `MOTION_EDITING_PICTURES=1 python3 scripts/test.py --gui`, look at them, then copy
test_results/gui/docs_pictures_time/*.png to docs/pictures/.
"""

from __future__ import annotations

from typing import Any

import bpy
from harness import Window, check_equal
from manual_pictures import (
    around,
    glide_right,
    panel_part,
    picture,
    prepare_sample,
    show_figure,
    whole,
)
from window_input import REDRAW_PAUSE, Point, Steps

ADDON = "bl_ext.user_default.motion_editing.motion_editing_addon"
JUMP_FRAME = 104
NEW_PUNCH_FRAME = 144.0  # frame 180 in a motion of 80 % the length
HIGH_TIMELINE = 300


def scenario(window: Window) -> Steps:
    """Set a length, add a keytime, drag it. No key changes."""
    yield from prepare_sample(window, "Time", timeline=HIGH_TIMELINE)
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "guided-warp-start", panel_part(window, "Time", 310))
    yield from keytime_pictures(window)
    yield from drag_picture(window)


def time() -> Any:
    """Keytimes and choices of the Time panel."""
    return bpy.context.object.animation_data.action.motion_editing_time


def keytime_pictures(window: Window) -> Steps:
    """80 % of the length beside the figure; then, with the first punch earlier still, panel and strip."""
    bpy.ops.motion_editing.set_length()
    yield REDRAW_PAUSE
    check_equal(len(time().keytimes), 2, "keytimes after Set Length")
    show_figure(window, JUMP_FRAME)
    yield from window.hover(window.region("VIEW_3D"))
    view, bottom = window.region("VIEW_3D"), window.area("DOPESHEET_EDITOR").y
    yield from picture(window, "guided-warp", (view.x, bottom, view.width, view.y + view.height - bottom))
    bpy.ops.motion_editing.add_keytime(frame=NEW_PUNCH_FRAME)
    bpy.ops.motion_editing.move_keytime(keytime=1, frame=NEW_PUNCH_FRAME + 6.0)
    time().active = 1
    yield 4 * REDRAW_PAUSE  # until the panel has slid to its new height
    yield from picture(window, "guided-warp-panel", panel_part(window, "Time", 343))
    yield from picture(window, "guided-warp-strip", whole(window.area("DOPESHEET_EDITOR")))


def drag_picture(window: Window) -> Steps:
    """A keytime while it is dragged, then given up."""
    flag = place_of_flag(window, 1)
    yield from window.move(flag.x, flag.y)
    window.send("LEFTMOUSE", "PRESS")
    yield from glide_right(window, flag, -50)
    yield from picture(window, "guided-warp-drag", around(window, flag))
    yield from window.press("ESC")
    window.send("LEFTMOUSE", "RELEASE")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.click_operator("motion_editing.clear_keytimes")


def place_of_flag(window: Window, keytime: int) -> Point:
    """Where a keytime's flag on the strip is in the window."""
    overlay, places = (
        __import__(f"{ADDON}.{name}", fromlist=["_"])
        for name in ("interface.strip.overlay", "guided_warp.lane.time_geometry")
    )
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        placed = next(each for each in overlay.stack_in(bpy.context).lanes if each.lane.name == "time")
    placement = overlay.placement_in(region, placed, bpy.context.preferences.system.ui_scale)
    middle = places.Places(time().plot_height).new_middle
    across, up = placement.across(time().keytimes[keytime].new), placement.up(middle)
    return Point(region.x + round(float(across)), region.y + round(float(up)))
