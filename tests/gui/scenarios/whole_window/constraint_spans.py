"""Constraints and contacts as bars on the strip: dragged with the mouse, given up, undone, added, deleted, chosen."""

from __future__ import annotations

from typing import Any

import bpy
from harness import Window, check, check_equal
from lane_gestures import enlarge, entry_at, let_go, module, place_of, press_and_move, unchanged_redraws
from window_input import REDRAW_PAUSE, Point, Steps

MANY = 200


def constraints() -> Any:
    """The list of the sample motion."""
    return bpy.context.object.animation_data.action.motion_editing_constraints


def contacts() -> Any:
    """The contacts of the sample motion."""
    return bpy.context.object.animation_data.action.motion_editing_contacts


def frames(lane: str) -> list[tuple[float, float]]:
    """First and last frames of a lane's list."""
    items = constraints().listed if lane == "constraints" else contacts().spans
    return [(round(item.start, 3), round(item.end, 3)) for item in items]


def scenario(window: Window) -> Steps:
    """Everything the lanes of spans do."""
    bpy.ops.motion_editing.load_sample_motion()
    fill_lists()
    bpy.ops.ed.undo_push(message="Lists")
    yield from enlarge(window)
    yield from window.screenshot("both-lanes")
    for lane in ("constraints", "contacts"):
        yield from drag_an_end(window, lane)
    yield from give_up(window)
    yield from click_and_menu(window)
    yield from add_and_delete(window)
    yield from show_panel(window)
    yield from many_spans(window)


def fill_lists() -> None:
    """Contacts, footplants of one foot, and one each of what looks different."""
    bpy.ops.motion_editing.find_contacts()
    ball = bpy.data.objects.new("Ball", None)
    bpy.context.scene.collection.objects.link(ball)
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone="hand.L", start=60, end=60, target_object="Ball")
    bpy.ops.motion_editing.add_constraint(kind="KEEP", bone="foot.L", start=40, end=90)
    bpy.ops.motion_editing.add_constraint(kind="ORIENTATION", bone="hand.L", start=100, end=150, softness=0.25)
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone="hand.L", start=120, end=180)
    bpy.ops.motion_editing.add_constraint(kind="NO_SKID", bone="foot.R", start=20, end=70)
    constraints().listed[2].enabled = False
    constraints().listed[3].missed = 0.2
    constraints().active = 1


def point_of(window: Window, lane_name: str, number: int, frame: float) -> Point:
    """A frame of a span's bar in the window."""
    lane, placement = place_of(window, lane_name)
    geometry, region = lane._picture.geometry, window.region("DOPESHEET_EDITOR")
    place = [span.number for span in geometry.data.spans].index(number)
    height = float(geometry.heights[place].mean())
    return Point(region.x + round(float(placement.across(frame))), region.y + round(float(placement.up(height))))


def later(window: Window, lane: str, point: Point, distance: float) -> Point:
    """A point so many frames further on."""
    _lane, placement = place_of(window, lane)
    return Point(point.x + round(distance * placement.scale[0]), point.y)


def drag_an_end(window: Window, lane: str) -> Steps:
    """The last frame follows the mouse and stays when the button is up; one Ctrl+Z takes it back."""
    before = frames(lane)
    number = max(range(len(before)), key=lambda each: before[each][1] - before[each][0])
    start, end = before[number]
    grip = point_of(window, lane, number, end)
    yield from press_and_move(window, grip, later(window, lane, grip, 12))
    during = frames(lane)[number]
    check(abs(during[1] - end - 12) <= 1.0 and during[0] == start, f"the end should follow the mouse, it is {during}")
    yield from window.screenshot(f"dragging-{lane}")
    yield from let_go(window)
    after = frames(lane)
    check_equal(after[number], during, "the span after letting go")
    check_equal(after[number][1], round(after[number][1]), "a whole frame")
    check_equal([a for a in after if a not in before], [after[number]], "spans that changed")
    yield from window.undo()
    check_equal(frames(lane), before, "spans after one Ctrl+Z")


def give_up(window: Window) -> Steps:
    """A bar that is moved comes back with Esc."""
    before = frames("constraints")
    grip = point_of(window, "constraints", 1, 65)
    yield from press_and_move(window, grip, later(window, "constraints", grip, 20))
    check(frames("constraints")[1][0] > 50, "the bar should follow the mouse")
    check_equal(frames("constraints")[1][1] - frames("constraints")[1][0], 50.0, "its length")
    yield from window.press("ESC")
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    check_equal(frames("constraints"), before, "spans after Esc")


def click_and_menu(window: Window) -> Steps:
    """A click makes active; a right click offers to turn it off."""
    bar = point_of(window, "constraints", 4, 45)
    yield from window.click(bar.x, bar.y)
    yield REDRAW_PAUSE
    check_equal(constraints().active, 4, "the active constraint after a click on its bar")
    yield from window.click(bar.x, bar.y, "RIGHTMOUSE")
    check(
        module("motion_editing_addon.interface.strip.menu.open_popup")._opened is not None,
        "a right click should open a menu",
    )
    yield from window.screenshot("menu")
    entry = entry_at(window, 0)
    yield from window.move(entry.x, entry.y)
    yield from window.click(entry.x, entry.y)
    yield REDRAW_PAUSE
    check(not constraints().listed[4].enabled, "the first entry should turn the constraint off")


def add_and_delete(window: Window) -> Steps:
    """A double-click on a bar goes to its middle; one beside the bars adds one for the row's bone; X deletes it."""
    count = len(constraints().listed)
    ground = point_of(window, "constraints", 4, 200)
    # Simulated events are never double-clicks, so a key stands in for one.
    keymap = bpy.context.window_manager.keyconfigs.addon.keymaps["Dopesheet"]
    stand_in = keymap.keymap_items.new("motion_editing.strip_add", "F5", "PRESS", head=True)
    bar, known = point_of(window, "constraints", 1, 50), frames("constraints")
    yield from window.move(bar.x, bar.y)
    yield from window.press("F5")
    yield REDRAW_PAUSE
    check_equal((bpy.context.scene.frame_current, constraints().active), (65, 1), "frame and active one after it")
    check_equal(frames("constraints"), known, "spans after a double-click on one")
    yield from window.move(ground.x, ground.y)
    yield from window.press("F5")
    yield REDRAW_PAUSE
    keymap.keymap_items.remove(stand_in)
    check_equal(len(constraints().listed), count + 1, "constraints after a double-click")
    added = constraints().listed[count]
    check_equal((added.bone, added.kind, abs(added.start - 200) <= 1), ("foot.R", "NO_SKID", True), "what was added")
    yield from window.screenshot("added")
    bar = point_of(window, "constraints", count, added.start + 5)
    yield from window.move(bar.x, bar.y)
    yield from window.press("X")
    yield REDRAW_PAUSE
    check_equal(len(constraints().listed), count, "constraints after X")


def show_panel(window: Window) -> Steps:
    """The list a little narrower than in the sidebar, for a person to look at."""
    constraints().active = 0
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.motion_editing.set_stiffness(stiffness=20.0, bone="spine")
    region = window.region("VIEW_3D")
    yield from window.move(region.x + 250, region.y + region.height - 30)
    with bpy.context.temp_override(window=window.blender, area=window.area("VIEW_3D"), region=region):
        bpy.ops.wm.call_panel("INVOKE_DEFAULT", name="MOTIONEDIT_PT_constraints_view3d", keep_open=True)
    yield REDRAW_PAUSE
    yield from window.screenshot("panel")
    yield from window.press("ESC")


def many_spans(window: Window) -> Steps:
    """Two hundred spans are drawn without building anything anew."""
    for number in range(MANY - len(constraints().listed)):
        item = constraints().new(bpy.context.object, f"many {number}")
        item.bone = ("hand.L", "hand.R", "foot.L", "foot.R", "head")[number % 5]
        item.kind, item.start, item.end = "KEEP", 2.0 * number, 2.0 * number + 6.0
    window.area("DOPESHEET_EDITOR").tag_redraw()
    yield 2 * REDRAW_PAUSE
    yield from unchanged_redraws(window)
    yield from window.screenshot("many")
