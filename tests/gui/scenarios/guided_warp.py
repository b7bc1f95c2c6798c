"""Add a keytime, drag it on the strip, change the influence, warp, undo."""

from __future__ import annotations

from typing import Any

import bpy
from harness import Window, check, check_equal
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

ADDON = "bl_ext.user_default.motion_editing"
HIGH_AREA = 360


def module(path: str) -> Any:
    """A module of the installed extension."""
    return __import__(f"{ADDON}.{path}", fromlist=["_"])


def settings() -> bpy.types.PropertyGroup:
    """Keytimes and choices of the active armature's action."""
    return bpy.context.object.animation_data.action.motion_editing_time


def last_frame() -> float:
    """Last frame of the action."""
    return bpy.context.object.animation_data.action.frame_range[1]


def pose() -> tuple[float, ...]:
    """How an arm is turned on the rig now."""
    return tuple(bpy.context.object.pose.bones["upper_arm.R"].rotation_quaternion)


def scenario(window: Window) -> Steps:
    """Make a punch happen earlier and the whole shorter, then take it back."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    yield from enlarge(window)  # while the mouse is over no editor
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        bpy.ops.action.view_all()
    bpy.context.scene.frame_set(180)
    yield from window.click_operator("motion_editing.add_keytime")
    check_equal(len(settings().keytimes), 3, "keytimes after adding one")
    yield from window.screenshot("keytime")
    yield from drag_keytime(window)
    settings().influence = 0.6
    yield REDRAW_PAUSE
    yield from window.screenshot("influence")
    length = last_frame()
    yield from window.click_operator("motion_editing.warp_time")
    check_equal(len(settings().keytimes), 0, "keytimes after Warp Time")
    check_equal(last_frame(), length, "length when only a keytime moved")
    yield from window.screenshot("warped")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal(len(settings().keytimes), 3, "keytimes after Ctrl+Z")
    yield from shorten(window, length)


def enlarge(window: Window) -> Steps:
    """Make the Timeline high enough for the strip."""
    area = window.area("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, screen=window.blender.screen):
        bpy.ops.screen.area_move(x=area.x + area.width // 2, y=area.y + area.height, delta=HIGH_AREA - area.height)
    yield REDRAW_PAUSE


def keytime_point(window: Window, number: int) -> Point:
    """Where a keytime's flag is in the window."""
    overlay, theme = module("motion_editing_addon.strip.overlay"), module("motion_editing_addon.drawing.theme")
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        placed = next(each for each in overlay.stack_in(bpy.context).lanes if each.lane.name == "time")
        placement = overlay.placement_in(region, placed, theme.ui_scale(bpy.context))
        frame = settings().keytimes[number].new
        x = placement.across(frame)
        heights = [
            height
            for height in range(int(placed.lane.height))
            if (found := placed.lane.hit(x, placement.up(height), placement)) is not None
            and placed.lane.can_drag(found)
        ]
    check(heights, "the keytime should be on the strip")
    # The scroll bar lies over the lowest part.
    height = heights[2 * len(heights) // 3]
    return Point(region.x + round(x), region.y + round(placement.up(height)))


def drag_keytime(window: Window) -> Steps:
    """Drag it with the mouse; the rig follows, Esc gives it up, letting go keeps it."""
    before, shown = settings().keytimes[1].new, pose()
    for end in ("ESC", "RELEASE"):
        point = keytime_point(window, 1)
        yield from window.move(point.x, point.y)
        window.send("LEFTMOUSE", "PRESS")
        yield EVENT_PAUSE
        for step in range(1, 9):
            yield from window.glide(point.x - 6 * step, point.y)
            yield 0.2
        yield from window.screenshot("drag-" + end.lower())
        check(pose() != shown, "the rig should show the warp while a keytime is dragged")
        if end == "ESC":
            yield from window.press("ESC")
            window.send("LEFTMOUSE", "RELEASE")
            yield REDRAW_PAUSE
            check_equal(settings().keytimes[1].new, before, "keytime after Esc")
        else:
            yield from window.screenshot("dragging")
            window.send("LEFTMOUSE", "RELEASE")
            yield REDRAW_PAUSE
            check(settings().keytimes[1].new < before - 2, "the keytime should have moved")
        check_equal(pose(), shown, f"pose after {end}: no key may have changed")


def shorten(window: Window, length: float) -> Steps:
    """Without keytimes the mouse sets the length."""
    yield from window.click_operator("motion_editing.clear_keytimes")
    point = yield from window.find_operator_button("motion_editing.warp_time")
    yield from window.click(point.x, point.y)
    yield from window.type_text("80")
    yield REDRAW_PAUSE
    yield from window.screenshot("slider")
    yield from window.press("RET")
    yield REDRAW_PAUSE
    check(abs(last_frame() - 0.8 * length) < 3, f"80 % of {length} frames should be left, not {last_frame()}")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal(last_frame(), length, "length after Ctrl+Z")
