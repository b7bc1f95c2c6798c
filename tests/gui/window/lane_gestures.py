"""Mouse gestures on the lane of pose icons, for the scenarios that use it."""

from __future__ import annotations

from typing import Any

import bpy
from harness import Window, check, wait_until
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

ADDON = "bl_ext.user_default.motion_editing"
HIGH_AREA = 420


def module(path: str) -> Any:
    """A module of the installed extension."""
    return __import__(f"{ADDON}.{path}", fromlist=["_"])


def enlarge(window: Window) -> Steps:
    """Make the Timeline high enough and show all frames."""
    area = window.area("DOPESHEET_EDITOR")
    edge = (area.x + area.width // 2, area.y + area.height)
    with bpy.context.temp_override(window=window.blender, screen=window.blender.screen):
        bpy.ops.screen.area_move(x=edge[0], y=edge[1], delta=HIGH_AREA - area.height)
    yield REDRAW_PAUSE
    yield from view(window, "view_all")


def unchanged_redraws(window: Window) -> Steps:
    """Nothing is built anew when nothing changed."""
    painter = module("motion_editing_addon.interface.drawing.painter")
    before = painter.kept.builds
    check(before > 0, "drawing the strip should build batches")
    for _redraw in range(3):
        window.area("DOPESHEET_EDITOR").tag_redraw()
        yield REDRAW_PAUSE
    check(painter.kept.builds == before, "redraws of nothing new should build no batches")


def view(window: Window, operator: str) -> Steps:
    """Call an operator that changes the view of the Timeline."""
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        owner = bpy.ops.action if operator == "view_all" else bpy.ops.view2d
        getattr(owner, operator)()
    yield REDRAW_PAUSE


def place_of(window: Window, name: str = "icons") -> tuple[Any, Any]:
    """The lane, and how its frames and heights become pixels."""
    overlay, theme = (
        module("motion_editing_addon.interface.strip.overlay"),
        module("motion_editing_addon.interface.drawing.theme"),
    )
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        placed = next(each for each in overlay.stack_in(bpy.context).lanes if each.lane.name == name)
    return placed.lane, overlay.placement_in(region, placed, theme.ui_scale(bpy.context))


def ground_at(window: Window, frame: float, height: float) -> Point:
    """A frame and a height of the lane in the window."""
    region, (_lane, placement) = window.region("DOPESHEET_EDITOR"), place_of(window)
    return Point(region.x + round(placement.across(frame)), region.y + round(placement.up(height)))


def header_at(window: Window, frame: float, beside: float = 0.0) -> Point:
    """A frame in the windows' headers, pixels at a UI scale of 1 beside it."""
    lane, placement = place_of(window)
    point = ground_at(window, frame, lane._picture.geometry.header_bottom + 8.0)
    return Point(point.x + round(beside * placement.scale[1]), point.y)


def point_of(window: Window, icon: int, name: str) -> Point:
    """A joint of an icon in the window."""
    lane, placement = place_of(window)
    geometry, places = lane._picture.geometry, module("motion_editing_addon.timeline.lane.icon_geometry")
    given = geometry.data.icons[icon]
    joint = geometry.data.rows[0].point_names.index(name)
    across, up = places.figure_points(given)[joint]
    ground = ground_at(window, given.frame, geometry.ground(given) + up)
    return Point(ground.x + round(across * placement.scale[1]), ground.y)


def press_and_move(window: Window, start: Point, end: Point) -> Steps:
    """Press the button and move it in small steps, without letting go."""
    yield from window.move(start.x, start.y)
    window.send("LEFTMOUSE", "PRESS")
    yield EVENT_PAUSE
    for step in range(1, 9):
        share = step / 8.0
        yield from window.glide(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
        yield EVENT_PAUSE


def let_go(window: Window) -> Steps:
    """Release the button, and wait for the operator that goes on by itself."""
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    yield from wait_until(lambda: not window.blender.modal_operators, "the gesture's operator should end")
    yield REDRAW_PAUSE / 2


def open_menu(window: Window, frame: float) -> Steps:
    """Right click on a window and give its menu."""
    point = header_at(window, frame)
    yield from window.click(point.x, point.y, "RIGHTMOUSE")
    opened = module("motion_editing_addon.interface.strip.menu.open_popup")._opened
    check(opened is not None, "a right click on a window should open its menu")


def entry_at(window: Window, number: int) -> Point:
    """An entry of the open menu in the window."""
    popup, region = (
        module("motion_editing_addon.interface.strip.menu.open_popup")._opened.popup,
        window.region("DOPESHEET_EDITOR"),
    )
    sizes = module("motion_editing_addon.interface.strip.menu.popup")
    down = (sizes.PADDING + sizes.TITLE + sizes.ENTRY * (number + 0.5)) * popup.pixel
    return Point(region.x + round(popup.left + 40), region.y + round(popup.top - down))
