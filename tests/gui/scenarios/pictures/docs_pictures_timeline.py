"""Takes the manual's pictures of the pose timeline.

After a change of the panel or the strip: `MOTION_EDITING_PICTURES=1 python3 scripts/test.py --gui`, look at them, then
copy test_results/gui/docs_pictures_timeline/*.png to docs/pictures/.
"""

from __future__ import annotations

import bpy
from harness import Window, check_equal, wait_until
from lane_gestures import entry_at, header_at, let_go, open_menu, press_and_move
from manual_pictures import (
    around,
    glide_right,
    panel_part,
    picture,
    prepare_sample,
    set_timeline_height,
    show_figure,
    whole,
)
from timeline_in_window import timeline
from window_input import REDRAW_PAUSE, Point, Steps

PUNCH = (175.0, 194.0)  # frames of the first punch of the right hand at 24 frames a second
SHOWN_FRAME = 182  # the arm is stretched, and the playhead covers no words
ARM = ("upper_arm.R", "forearm.R")
LOW_TIMELINE, HIGH_TIMELINE = 235, 345  # the menu needs room above the icons
EDITOR_HEADER = 33


def scenario(window: Window) -> Steps:
    """Choose a punch, stretch it, paint an arm and drag a feature. No key changes."""
    yield from prepare_sample(window, "Pose Timeline", timeline=LOW_TIMELINE)
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "pose-timeline-start", panel_part(window, "Pose Timeline", 190))
    yield from similar_pictures(window)
    yield from set_timeline_height(window, HIGH_TIMELINE)
    yield from stretch_picture(window)
    yield from feature_pictures(window)


def below_header(window: Window, place: Point) -> tuple[int, int, int, int]:
    """The Timeline around a place, without its buttons."""
    left, bottom, width, height = around(window, place)
    return left, bottom, width, height - EDITOR_HEADER


def similar_pictures(window: Window) -> Steps:
    """One punch in blue and those of the same hand in green: with figure and panel, the panel, the strip."""
    yield from press_and_move(window, header_at(window, PUNCH[0]), header_at(window, PUNCH[1]))
    yield from let_go(window)
    yield from wait_until(lambda: timeline().has_window, "dragging across the strip should set the window")
    check_equal(sum(item.ticked for item in timeline().windows), 2, "ticked windows: the other punches of this hand")
    show_figure(window, SHOWN_FRAME)
    yield from window.hover(window.region("VIEW_3D"))
    yield 4 * REDRAW_PAUSE  # until the panel has slid to its new height
    view, bottom = window.region("VIEW_3D"), window.area("DOPESHEET_EDITOR").y
    yield from picture(window, "pose-timeline", (view.x, bottom, view.width, view.y + view.height - bottom))
    yield from picture(window, "pose-timeline-panel", panel_part(window, "Pose Timeline", 370))
    yield from picture(window, "pose-timeline-strip", whole(window.area("DOPESHEET_EDITOR")))


def stretch_picture(window: Window) -> Steps:
    """The end of the blue window while it is dragged, then given up."""
    end = header_at(window, timeline().end)
    yield from window.move(end.x, end.y)
    window.send("LEFTMOUSE", "PRESS")
    yield from glide_right(window, end, 40)
    yield from picture(window, "pose-timeline-stretch", below_header(window, end))
    yield from window.press("ESC")
    yield from let_go(window)


def feature_pictures(window: Window) -> Steps:
    """An arm painted and the menu open; then a feature on its way to another window, given up."""
    for name in ARM:
        bpy.ops.motion_editing.paint_bones(how="ADD", bone=name)
    yield REDRAW_PAUSE
    yield from open_menu(window, timeline().start + 4.0)
    place = entry_at(window, 1)
    yield from window.move(place.x, place.y)
    yield from picture(window, "pose-timeline-menu", below_header(window, place))
    target = header_at(window, timeline().windows[1].start + 3.0)
    yield from press_and_move(window, place, target)
    yield from picture(window, "pose-timeline-feature", below_header(window, place))
    yield from window.press("ESC")
    yield from let_go(window)
