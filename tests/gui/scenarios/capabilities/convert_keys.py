"""Load the sample, undo and redo that; find the body by F3, reduce keys, undo, restore."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal
from scenarios.capabilities.reduce_keys import key_count
from window_input import REDRAW_PAUSE, Steps


def scenario(window: Window) -> Steps:
    """What an animator does with a captured clip first."""
    yield from window.open_sidebar("Motion")
    yield from load(window)
    baked = key_count()

    yield from window.call("find body parts")
    check(bpy.context.object.motion_editing.body, "F3 should find the body's parts and save them")
    yield from window.screenshot("body-found")

    yield from window.click_operator("motion_editing.convert_keys")
    reduced = key_count()
    check(reduced < 0.5 * baked, f"reducing should save half of {baked} keys at least, {reduced} are left")
    yield from window.screenshot("keys-reduced")

    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal(key_count(), baked, "keys after Ctrl+Z")
    check_equal(len(bpy.data.actions), 1, "actions after Ctrl+Z: the copy of the original goes too")

    yield from window.redo()
    check(key_count() < baked, "Shift+Ctrl+Z should reduce the keys again")
    yield from window.click_operator("motion_editing.restore_original")
    check_equal(key_count(), baked, "keys after Restore Original")
    yield from dope_sheet(window)


def load(window: Window) -> Steps:
    """Load the sample motion; Ctrl+Z takes it away and Shift+Ctrl+Z brings it back."""
    before = set(bpy.data.objects.keys())
    yield from window.click_operator("motion_editing.load_sample_motion")
    loaded = set(bpy.data.objects.keys())
    added = sorted(bpy.data.objects[name].type for name in loaded - before)
    check_equal(added, ["ARMATURE", "MESH"], "objects that the button added")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal(set(bpy.data.objects.keys()), before, "objects after Ctrl+Z")
    yield from window.redo()
    check_equal(set(bpy.data.objects.keys()), loaded, "objects after Shift+Ctrl+Z")


def dope_sheet(window: Window) -> Steps:
    """The same tab in the Dope Sheet."""
    window.area("VIEW_3D").ui_type = "DOPESHEET"
    yield REDRAW_PAUSE
    yield from window.open_sidebar("Motion", "DOPESHEET_EDITOR")
    yield from window.screenshot("dope-sheet")
    yield from window.find_operator_button("motion_editing.convert_keys", "DOPESHEET_EDITOR")
