"""Enable the add-on from its zip, open its tab, press a button, undo and redo."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal
from window_input import Steps


def scenario(window: Window) -> Steps:
    """Load the sample motion as a newcomer would."""
    before = set(bpy.data.objects.keys())
    yield from window.open_sidebar("Motion")
    yield from window.screenshot("motion-tab")

    yield from window.click_operator("motion_editing.load_sample_motion")
    added = set(bpy.data.objects.keys()) - before
    armatures = [name for name in added if bpy.data.objects[name].type == "ARMATURE"]
    check(armatures, f"the button should add an armature; it added {sorted(added)}")
    check(bpy.data.objects[armatures[0]].animation_data.action, "the armature should have an action")
    yield from window.screenshot("sample-motion")

    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal(set(bpy.data.objects.keys()), before, "objects after Ctrl+Z")
    yield from window.screenshot("undone")

    yield from window.redo()
    check_equal(set(bpy.data.objects.keys()), before | added, "objects after Shift+Ctrl+Z")
