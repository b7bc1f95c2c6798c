"""Edit one punch, change all punches: select it, see the others light up, stretch it, transfer a feature, undo."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy
from harness import Window, check, check_equal
from window_input import REDRAW_PAUSE, Steps

sys.path.append(str(Path(__file__).resolve().parent))
from icon_lane import enlarge, entry_at, header_at, let_go, module, open_menu, place_of, point_of, press_and_move

# Frames of the first punch of the right hand at 24 frames a second.
START, END = 176.0, 189.0


def timeline() -> Any:
    """The timeline's settings of the sample motion."""
    return bpy.context.object.animation_data.action.motion_editing_timeline


def keys() -> list[tuple[float, ...]]:
    """The keys of the head and of both arms, rounded."""
    bag = module("motion_editing_addon.action_io").channelbag(bpy.context.object)
    curves = [curve for curve in bag.fcurves if "arm" in curve.data_path or "head" in curve.data_path]
    return [tuple(round(value, 5) for point in curve.keyframe_points for value in point.co) for curve in curves]


def scenario(window: Window) -> Steps:
    """The paper's walk, with the punches of the sample motion."""
    bpy.ops.motion_editing.load_sample_motion()
    bpy.ops.ed.undo_push(message="Sample motion")
    yield from enlarge(window)
    yield from window.open_sidebar("Motion")
    yield from window.screenshot("before")
    yield from select(window)
    yield from stretch(window)
    yield from move_pose(window)
    yield from transfer(window)
    yield from propagate(window)


def select(window: Window) -> Steps:
    """Drag across one punch: the others light up; undo and redo."""
    yield from press_and_move(window, header_at(window, START), header_at(window, END))
    yield from let_go(window)
    yield 2.0  # the first search weaves the match web
    check(timeline().has_window, "dragging across the strip should set the window")
    check(abs(timeline().start - START) < 1.5, f"the window should start at {START}, not {timeline().start}")
    ticked = [item for item in timeline().windows if item.ticked]
    check(len(ticked) >= 2, f"the other two punches should be ticked, found {len(ticked)}")
    yield from window.screenshot("similar")
    yield from window.undo()
    check(not timeline().has_window, "Ctrl+Z should take the window away")
    yield from window.redo()
    check(timeline().has_window, "Shift+Ctrl+Z should bring it back")


def stretch(window: Window) -> Steps:
    """Drag the end of the window: all punches get longer; Esc, then for good, then undo."""
    before, start, end = keys(), timeline().start, timeline().end
    lengths = [item.end - item.start for item in timeline().windows]
    yield from press_and_move(window, header_at(window, end), header_at(window, end + 10.0))
    yield from window.screenshot("stretching")
    check_equal(keys() == before, True, "keys while dragging are as before")
    yield from window.press("ESC")
    yield from let_go(window)
    check_equal(keys() == before, True, "keys after Esc are as before")
    yield from press_and_move(window, header_at(window, end), header_at(window, end + 10.0))
    yield from let_go(window)
    check(abs(timeline().end - end - 10.0) < 1.0, f"the end should be under the mouse, not at {timeline().end}")
    factor = (timeline().end - timeline().start) / (end - start)
    check(factor > 1.2, f"the window should be longer, its factor is {factor}")
    for item, length in zip(timeline().windows, lengths, strict=True):
        wanted = factor if item.ticked else 1.0
        check(abs((item.end - item.start) / length - wanted) < 0.02, "all ticked windows should be longer alike")
    yield from window.screenshot("stretched")
    yield from window.undo()
    check_equal(keys() == before, True, "keys after Ctrl+Z are as before")


def move_pose(window: Window) -> Steps:
    """Drag an icon: its pose is seen later."""
    before = keys()
    lane, _placement = place_of(window)
    data = lane._picture.geometry.data
    shown = [number for number, icon in enumerate(data.icons) if 20.0 < icon.frame < 150.0]
    number = min(shown, key=lambda each: data.icons[each].rank)
    start = point_of(window, number, "spine")
    yield from press_and_move(window, start, type(start)(start.x + 25, start.y))
    yield from window.screenshot("moving")
    yield from let_go(window)
    check_equal(keys() != before, True, "keys after moving a pose are others")
    yield from window.undo()
    check_equal(keys() == before, True, "keys after Ctrl+Z are as before")


def transfer(window: Window) -> Steps:
    """Paint the head, drag its mean rotation from the menu of the window onto the ground."""
    bpy.ops.motion_editing.paint_bones(how="ADD", bone="head")
    bpy.ops.ed.undo_push(message="Painted")
    before = keys()
    yield REDRAW_PAUSE
    yield from open_menu(window, timeline().start + 3.0)
    yield from window.screenshot("menu")
    yield from press_and_move(window, entry_at(window, 1), header_at(window, 100.0))
    yield from let_go(window)
    check_equal(keys() != before, True, "keys after dropping the mean rotation are others")
    yield from window.undo()
    check_equal(keys() == before, True, "keys after Ctrl+Z are as before")


def propagate(window: Window) -> Steps:
    """Click the button after an edit by hand."""
    armature = bpy.context.object
    bag = module("motion_editing_addon.action_io").channelbag(armature)
    curve = bag.fcurves.find('pose.bones["head"].rotation_quaternion', index=1)
    middle = 0.5 * (timeline().start + timeline().end)
    for point in curve.keyframe_points:
        if timeline().start + 2 < point.co[0] < timeline().end - 2:
            point.co[1] += 0.3 * (1.0 - abs(point.co[0] - middle) / (middle - timeline().start))
    curve.update()
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    bpy.ops.ed.undo_push(message="Edit by hand")
    yield REDRAW_PAUSE
    edited = keys()
    yield from window.click_operator("motion_editing.propagate_edit")
    yield REDRAW_PAUSE
    yield from window.screenshot("propagated")
    check_equal(keys() != edited, True, "keys after Propagate Edit are others")
    yield from window.undo()
    check_equal(keys() == edited, True, "keys after Ctrl+Z are those of the edit by hand")
