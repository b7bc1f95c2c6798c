"""The walk-through of the Edit Stack, word for word: an early edit changed late."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal, wait_until
from manual_pictures import open_panel
from newcomer import in_panel, press_button
from scenarios.capabilities.stack import stack
from scenarios.whole_window.smooth_slider import keys, pose
from time_lane_gestures import last_frame
from walkthrough import play as play_page
from window_input import REDRAW_PAUSE, Steps

PAGE = "docs/stack.md"
kept: dict[str, object] = {}


def scenario(window: Window) -> Steps:
    """All steps."""
    yield from window.open_sidebar("Motion")
    steps = (load, shorten, lock, open_stack, leave_out, drag_influence, compare, undo)
    yield from play_page(window, PAGE, "Example: an early edit changed late", *steps)


def load(window: Window) -> Steps:
    """Click **Load Sample Motion**."""
    yield from press_button(window, "Load Sample Motion")
    check_equal(last_frame(), 284.0, "last frame")


def shorten(window: Window) -> Steps:
    """In the panel **Time** click **Warp Time**, type 80 and press Enter. The motion is a fifth shorter."""
    yield from in_panel(window, "Time", "Warp Time", follows_mouse=True)
    yield from window.type_text("80")
    yield from window.press("RET")
    yield from wait_until(lambda: last_frame() < 284.0, "the motion should be shorter")
    check_equal(last_frame(), 227.0, "last frame")


def lock(window: Window) -> Steps:
    """In the panel **Contacts** click **Lock Feet**. No foot slides any more."""
    yield from in_panel(window, "Contacts", "Lock Feet")
    check_equal([entry.name for entry in stack().entries], ["Warp Time", "Lock Feet"], "edits")


def open_stack(window: Window) -> Steps:
    """Open the panel **Edit Stack** by a click on its name. It lists both edits."""
    yield from open_panel(window, "Edit Stack")


def leave_out(window: Window) -> Steps:
    """Click the eye of *Warp Time*: the motion has its old length, and the feet stand, because *Lock Feet* was done
    again. Click the eye once more."""
    kept["keys"] = keys()
    yield from window.click_property("entries[0].is_muted")
    yield from wait_until(lambda: last_frame() == 284.0, "the motion should have its old length")
    check_equal([entry.message for entry in stack().entries], ["", ""], "messages")
    yield from window.click_property("entries[0].is_muted")
    yield from wait_until(lambda: last_frame() == 227.0, "the motion should be shorter again")
    check_equal(keys(), kept["keys"], "keys with the warp again")


def drag_influence(window: Window) -> Steps:
    """Click the row of *Lock Feet* and drag **Influence** to the left. While you drag, the figure shows what comes of
    it. When you rest or let go, the keys are written."""
    check_equal(stack().active, 1, "active edit")
    bpy.context.scene.frame_set(60)
    yield REDRAW_PAUSE
    kept["pose"] = pose()
    place = yield from window.find_property_button("entries[1].influence")
    yield from window.move(place.x, place.y)
    window.send("LEFTMOUSE", "PRESS")
    for pixels in (5, 15, 30, 45):
        yield from window.glide(place.x - pixels, place.y)
        yield REDRAW_PAUSE
    check(stack().entries[1].influence < 0.95, f"influence is {stack().entries[1].influence} while it is dragged")
    check(pose() != kept["pose"], "the rig should show the result while the influence is dragged")
    window.send("LEFTMOUSE", "RELEASE")
    yield from wait_until(lambda: keys() != kept["keys"], "the keys should be written")
    yield 4 * REDRAW_PAUSE


def compare(window: Window) -> Steps:
    """Move the mouse over the view and hold Y: for as long as you hold it you see the original. In the panel, **Ghost**
    shows it beside the edited figure, with the numbers in which they differ."""
    yield from window.hover(window.region("VIEW_3D"))
    shown, before = pose(), keys()
    window.send("Y", "PRESS")
    yield 3 * REDRAW_PAUSE
    check(pose() != shown, "the original should be shown while Y is held")
    yield from window.screenshot("held")
    window.send("Y", "RELEASE")
    yield 3 * REDRAW_PAUSE
    check_equal(pose(), shown, "pose after Y")
    for name in ("ghost", "no-ghost"):
        place = yield from window.find_operator_button("motion_editing.compare_original")
        panel = window.region("VIEW_3D", "UI")
        yield from window.click(panel.x + 0.3 * panel.width, place.y)
        yield from window.screenshot(name)
    check_equal(keys(), before, "keys after comparing")


def undo(window: Window) -> Steps:
    """Press Ctrl+Z until **Influence** is 1 again: a drag is one step."""
    yield from window.hover(window.region("VIEW_3D"))
    for _step in range(3):
        if stack().entries[1].influence < 1.0:
            yield from window.undo()
            yield 2 * REDRAW_PAUSE
    check_equal(stack().entries[1].influence, 1.0, "influence after Ctrl+Z")
    yield from wait_until(lambda: keys() == kept["keys"], "the keys should be those from before the drag")
