"""Find the body by F3, reduce keys from the panel, change the redo panel's value, undo everything."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal
from scenarios.reduce_keys import key_count
from window_input import REDRAW_PAUSE, Steps


def scenario(window: Window) -> Steps:
    """What an animator does with a captured clip first."""
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    baked = key_count()

    yield from window.call("find body parts")
    check(bpy.context.object.motion_editing.body, "F3 should find the body's parts and save them")
    yield from window.screenshot("body-found")

    yield from window.click_operator("motion_editing.convert_keys")
    reduced = key_count()
    check(reduced < 0.5 * baked, f"reducing should save half of {baked} keys at least, {reduced} are left")
    yield from window.screenshot("keys-reduced")

    yield from change_by_redo(window, baked, reduced)
    yield from window.undo()
    check_equal(key_count(), baked, "keys after Ctrl+Z")
    check_equal(len(bpy.data.actions), 1, "actions after Ctrl+Z: the copy of the original goes too")

    yield from window.redo()
    check(key_count() < baked, "Shift+Ctrl+Z should reduce the keys again")
    yield from window.click_operator("motion_editing.restore_original")
    check_equal(key_count(), baked, "keys after Restore Original")
    yield from dope_sheet(window)


def change_by_redo(window: Window, baked: int, reduced: int) -> Steps:
    """Raise the error in the redo panel with Ctrl and the wheel: the tool runs again from the original keys."""
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.move(middle.x - 100, middle.y)
    yield from window.press("F9")
    yield REDRAW_PAUSE
    yield from window.screenshot("redo-panel")
    before = bpy.context.window_manager.operators[-1].properties.rotation_error
    for below in range(116, 170, 6):  # past the choices above it
        yield from window.move(middle.x + 150, middle.y - below)
        yield from window.press("WHEELUPMOUSE", ctrl=True)
        yield REDRAW_PAUSE
        if bpy.context.window_manager.operators[-1].properties.rotation_error > before:
            break
    found = bpy.context.window_manager.operators[-1].properties.rotation_error
    check(found > before, "the wheel should raise the rotation error in the redo panel")
    check(key_count() < baked, f"a redo must reduce the keys again, {key_count()} are left")
    check(key_count() != reduced, "with another error there should be another number of keys")
    changed = key_count()
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal(key_count(), changed, "keys after the panel was closed")
    yield from window.hover(window.region("VIEW_3D"))


def dope_sheet(window: Window) -> Steps:
    """The same tab in the Dope Sheet."""
    window.area("VIEW_3D").ui_type = "DOPESHEET"
    yield REDRAW_PAUSE
    yield from window.open_sidebar("Motion", "DOPESHEET_EDITOR")
    yield from window.screenshot("dope-sheet")
    yield from window.find_operator_button("motion_editing.convert_keys", "DOPESHEET_EDITOR")
