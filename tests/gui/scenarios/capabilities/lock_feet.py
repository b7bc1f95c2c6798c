"""Feet that slide: one click locks them, the report says how far they slid, Ctrl-Z brings the slide back."""

from __future__ import annotations

from importlib import import_module
from math import sin

import bpy
from harness import Window, check, check_equal, wait_until
from manual_pictures import open_panel, prepare, show_figure
from scenarios.whole_window.smooth_slider import keys
from window_input import REDRAW_PAUSE, Steps

ADDON = "bl_ext.user_default.motion_editing.motion_editing_addon"
SWAY = 0.05  # metres to both sides
FRAME = 40


def scenario(window: Window) -> Steps:
    """A swaying walk is locked with the mouse, undone, locked from the search; contacts are split and joined."""
    yield from prepare(window)
    yield from window.click_operator("motion_editing.load_sample_motion")
    yield from open_panel(window, "Contacts")
    show_figure(window, FRAME)
    let_feet_slide()
    yield 4 * REDRAW_PAUSE
    yield from window.screenshot("sliding")
    sliding = keys()
    yield from lock_by_mouse(window, sliding)
    yield from lock_by_search(window, sliding)
    yield from split_and_join(window)


def let_feet_slide() -> None:
    """Sway the whole figure from side to side."""
    armature = bpy.context.object
    bag = import_module(f"{ADDON}.border.action_io").channelbag(armature)
    curve = bag.fcurves.find('pose.bones["hips"].location', index=0)
    for key in curve.keyframe_points:
        key.co.y += SWAY * sin(key.co.x / 12.0)
    curve.update()
    bpy.ops.ed.undo_push(message="Feet slide")


def contacts() -> bpy.types.PropertyGroup:
    """The list; asked for anew after each undo."""
    return bpy.context.object.animation_data.action.motion_editing_contacts


def largest_slide() -> float:
    """How far a foot in one of the listed contacts slides, in metres."""
    scope, saved = import_module(f"{ADDON}.document.scope"), import_module(f"{ADDON}.document.contacts.saved_contacts")
    slides = import_module(f"{ADDON.removesuffix('motion_editing_addon')}core.solve.contact_lock").foot_slide
    clip = scope.read_clip(bpy.context, bpy.context.object)
    return max(slide for own in slides(clip.motion, saved.contacts_of(clip)).values() for slide in own)


def lock_by_mouse(window: Window, sliding: object) -> Steps:
    """The button of the panel; contacts are found by the way; one undo step."""
    check_equal(len(contacts().spans), 0, "contacts before")
    yield from window.click_operator("motion_editing.lock_feet")
    yield 4 * REDRAW_PAUSE
    check(len(contacts().spans) > 10, f"contacts should be listed, there are {len(contacts().spans)}")
    check(keys() != sliding, "the click should change keys")
    check(largest_slide() < 1e-4, f"feet should stand still, they slide by {largest_slide()} m")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.screenshot("locked")
    yield from window.undo()
    yield REDRAW_PAUSE
    check_equal(keys(), sliding, "keys after Ctrl-Z")
    check_equal(len(contacts().spans), 0, "contacts after Ctrl-Z")
    yield from window.screenshot("undone")


def lock_by_search(window: Window, sliding: object) -> Steps:
    """F3 finds it; the redo panel changes it."""
    yield from window.call("Lock Feet")
    yield 4 * REDRAW_PAUSE
    check(keys() != sliding, "the search should lock the feet")
    check(largest_slide() < 1e-4, "feet should stand still")
    locked = keys()
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("F9")
    yield 2 * REDRAW_PAUSE
    yield from window.screenshot("redo-panel")
    yield from window.press("ESC")
    yield from window.click_operator("motion_editing.lock_feet")
    yield 4 * REDRAW_PAUSE
    check_equal(keys(), locked, "keys after locking a second time")


def split_and_join(window: Window) -> Steps:
    """Buttons beside the list."""
    settings = contacts()
    number = max(range(len(settings.spans)), key=lambda each: settings.spans[each].end - settings.spans[each].start)
    longest, count = settings.spans[number], len(settings.spans)
    settings.active = number
    bpy.context.scene.frame_set(round((longest.start + longest.end) / 2))
    bpy.ops.ed.undo_push(message="In a contact")
    yield REDRAW_PAUSE
    yield from window.click_operator("motion_editing.split_contact")
    yield from wait_until(lambda: len(contacts().spans) == count + 1, "a contact should be split")
    yield from window.screenshot("split")
    yield from window.click_operator("motion_editing.join_contacts")
    yield from wait_until(lambda: len(contacts().spans) == count, "contacts should be joined again")
    yield from window.screenshot("joined")
