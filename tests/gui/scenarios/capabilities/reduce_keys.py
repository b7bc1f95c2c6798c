"""Reduce keys from the panel and by F3, see what the redo panel offers, undo everything."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal, wait_until
from manual_pictures import open_panel
from window_input import REDRAW_PAUSE, Steps


def key_count() -> int:
    """Keys of the active armature's action."""
    action = bpy.context.object.animation_data.action
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return sum(len(curve.keyframe_points) for bag in bags for curve in bag.fcurves)


def scenario(window: Window) -> Steps:
    """Fewer keys with one click, fewer still by F3, all of them back by Ctrl+Z."""
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    baked = key_count()
    yield from open_panel(window, "Reduce Keys")
    yield from window.click_operator("motion_editing.reduce_keys")
    yield from wait_until(lambda: key_count() < baked, "long work ends with fewer keys", 30.0)
    reduced = key_count()
    check(reduced < 0.5 * baked, f"reducing should save half of {baked} keys at least, {reduced} are left")
    yield from window.screenshot("panel")

    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.move(middle.x - 100, middle.y)
    yield from window.press("F9")
    yield REDRAW_PAUSE
    yield from window.screenshot("redo-panel")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal(key_count(), reduced, "keys after the redo panel was closed")

    yield from window.undo()
    check_equal(key_count(), baked, "keys after Ctrl+Z")
    yield from window.call("reduce keys")
    yield from wait_until(lambda: key_count() < baked, "F3 finds the tool", 30.0)
    check_equal(key_count(), reduced, "F3 does the same as the button")
