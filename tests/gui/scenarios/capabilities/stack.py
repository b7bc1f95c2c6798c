"""Edits that stay editable: a value dragged in the panel, an eye clicked, keys changed by hand, one undo step each."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal, wait_until
from manual_pictures import open_panel, prepare, show_figure
from scenarios.capabilities.lock_feet import largest_slide
from scenarios.whole_window.smooth_slider import keys
from window_input import REDRAW_PAUSE, Point, Steps

FRAME = 60


def scenario(window: Window) -> Steps:
    """Warp, exaggerate, then change the first edit; the rest is done again."""
    yield from prepare(window)
    yield from window.click_operator("motion_editing.load_sample_motion")
    yield from open_panel(window, "Edit Stack")
    show_figure(window, FRAME)
    start = keys()
    bpy.ops.motion_editing.low_pass("EXEC_DEFAULT", True, cutoff=3.0)
    bpy.ops.motion_editing.shift_time("EXEC_DEFAULT", True, offset=0.5)
    bpy.ops.motion_editing.exaggerate_motion("EXEC_DEFAULT", True, amount=1.2)
    yield 6 * REDRAW_PAUSE
    check_equal([entry.name for entry in stack().entries], ["Low Pass", "Shift Time", "Exaggerate Motion"], "edits")
    yield from window.screenshot("listed")
    yield from drag_a_value(window)
    yield from mute_all(window, start)
    yield from remove_one(window)
    yield from shorten_late(window)


def stack() -> bpy.types.PropertyGroup:
    """The stack; asked for anew after each undo."""
    return bpy.context.object.animation_data.action.motion_editing_stack


def drag_a_value(window: Window) -> Steps:
    """Dragging the number of a row changes the keys, and one undo brings both back."""
    before, amount = keys(), stack().entries[2].exaggerate_motion_parameters.amount
    place = yield from window.find_property_button("exaggerate_motion_parameters.amount")
    yield from window.drag(place, Point(place.x + 60, place.y))
    yield 6 * REDRAW_PAUSE
    changed = stack().entries[2].exaggerate_motion_parameters.amount
    check(changed > amount, f"dragging should raise the amount, it is {changed} after {amount}")
    yield from wait_until(lambda: keys() != before, "the keys should follow")
    dragged = keys()
    check_equal([entry.message for entry in stack().entries], ["", "", ""], "messages")
    yield from window.screenshot("dragged")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    yield 2 * REDRAW_PAUSE
    check_equal(stack().entries[2].exaggerate_motion_parameters.amount, amount, "amount after Ctrl-Z")
    check_equal(keys(), before, "keys after Ctrl-Z")
    yield from window.redo()
    yield 2 * REDRAW_PAUSE
    check_equal(stack().entries[2].exaggerate_motion_parameters.amount, changed, "amount after Ctrl-Shift-Z")
    check_equal(keys(), dragged, "keys after Ctrl-Shift-Z")
    yield from window.undo()
    yield 2 * REDRAW_PAUSE


def mute_all(window: Window, start: object) -> Steps:
    """With all eyes closed the motion is as it was loaded; opened again as before."""
    before = keys()
    for number in range(3):
        yield from window.click_property(f"entries[{number}].is_muted")
        yield 4 * REDRAW_PAUSE
    check_equal(keys(), start, "keys with all edits muted")
    yield from window.screenshot("muted")
    for number in range(3):
        yield from window.click_property(f"entries[{number}].is_muted")
        yield 4 * REDRAW_PAUSE
    check_equal(keys(), before, "keys with all edits taken in again")


def remove_one(window: Window) -> Steps:
    """Taking the active edit away leaves the others."""
    yield from window.click_operator("motion_editing.remove_edit")
    yield 4 * REDRAW_PAUSE
    check_equal(len(stack().entries), 2, "edits after Remove Edit")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    yield 2 * REDRAW_PAUSE
    check_equal(len(stack().entries), 3, "edits after Ctrl-Z")


def shorten_late(window: Window) -> Steps:
    """What an animator does in a natural order, then a shorter warp: all is done again, and feet stand."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    call = bpy.ops.motion_editing
    call.load_sample_motion()
    call.warp_time("EXEC_DEFAULT", True, use_keytimes=False, length=0.9)
    call.extract_poses("EXEC_DEFAULT", True, share=0.5)
    call.exaggerate_pose("EXEC_DEFAULT", True, weight=0.3)
    call.find_similar("EXEC_DEFAULT", True, start=20.0, end=32.0, tick_up_to=0.3, show_up_to=0.5)
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 20, 32
    call.exaggerate_motion("EXEC_DEFAULT", True, amount=1.2, range="PREVIEW")
    scene.use_preview_range = False
    call.propagate_edit("EXEC_DEFAULT", True)
    call.lock_feet("EXEC_DEFAULT", True)
    yield 6 * REDRAW_PAUSE
    before, last = keys(), bpy.context.object.animation_data.action.frame_range[1]
    place = yield from window.find_property_button("entries[0].warp_time_parameters.length")
    # Three hundredths for each pixel: much shorter would be more than the warp's speed limit allows.
    yield from window.drag(place, Point(place.x - 5, place.y))
    yield from wait_until(lambda: keys() != before, "the keys should follow the shorter warp")
    yield 10 * REDRAW_PAUSE
    check_equal([entry.message for entry in stack().entries], [""] * 5, "messages")
    shorter = bpy.context.object.animation_data.action.frame_range[1]
    check(shorter < last - 3, f"the motion should be shorter than {last}, it ends at {shorter}")
    check(largest_slide() < 2e-4, f"feet should stand, one slides by {largest_slide()}")
    yield from window.screenshot("shorter")
