"""Blend with the mouse, make a loop, mirror, turn: the rig shows the result, and every way back works."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal
from manual_pictures import open_panel
from scenarios.capabilities.clean_filter import check_nothing_left, do, invoke, shown
from scenarios.whole_window.smooth_slider import channels, keys, matrices, pose, running, travel
from window_input import REDRAW_PAUSE, Steps

FRAME = 180  # a punch: left and right differ


def scenario(window: Window) -> Steps:
    """All of the panel."""
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    yield from open_panel(window, "Blend & Loop")
    show_only_our_panel()
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    bpy.context.scene.frame_set(FRAME)
    choose_mirrored_action()
    bpy.ops.ed.undo_push(message="Other action chosen")
    yield REDRAW_PAUSE
    before = keys(), channels(), pose()
    yield from blend_and_back(window, before)
    yield from blend_kept(window, before)
    yield from heading(window, before)
    yield from by_button(window, "make_loop", before)
    yield from by_button(window, "mirror_motion", before)
    for name in ("in_place", "append_transition"):
        yield from undone(window, name, before, do(window, name))


def blend_and_back(window: Window, before: tuple) -> Steps:
    """The panel's button starts the slider at 50 %; the mouse sets the weight; Esc restores."""
    yield from window.click_operator("motion_editing.blend_action")
    check_equal(running(window), ["MOTION_EDITING_OT_blend_action"], "the button should start the slider")
    yield 2 * REDRAW_PAUSE
    yield from picture(window, "panel-and-blend-at-half")
    half = pose()
    check(half != before[2], "half of the other motion should change the pose")
    yield from travel(window, 300)
    check(pose() != half, "the mouse should change the weight")
    check_equal(keys(), before[0], "keys while the mouse moves")
    check("original of Sample" in shown(), "the original should be shown as a ghost")
    yield from picture(window, "blend-by-mouse")
    yield from window.type_text("0")
    yield REDRAW_PAUSE
    away = max(abs(now - then) for now, then in zip(matrices(), STILL["matrices"], strict=True))
    check(away < 1e-5, f"a weight of 0 should show the motion itself, it is {away} away")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal((keys(), channels(), pose()), before, "everything after Esc")
    check_nothing_left(window)


def blend_kept(window: Window, before: tuple) -> Steps:
    """A typed weight, Enter, one Ctrl+Z."""
    yield from invoke(window, "blend_action")
    yield from window.type_text("80")
    yield from window.press("C")
    yield REDRAW_PAUSE
    previewed = matrices()
    yield from picture(window, "blend-with-contacts-kept")
    yield from window.press("RET")
    yield REDRAW_PAUSE
    check(keys() != before[0], "Enter should change the keys")
    away = max(abs(now - then) for now, then in zip(matrices(), previewed, strict=True))
    check(away < 1e-5, f"the result should be what was shown, it is {away} away")
    check_nothing_left(window)
    yield from window.undo()
    check_equal((keys(), pose()), (before[0], before[2]), "keys and pose after one Ctrl+Z")


def heading(window: Window, before: tuple) -> Steps:
    """The angle by mouse, kept with a click, undone."""
    yield from invoke(window, "change_heading")
    yield from travel(window, 320)
    check(pose() != before[2], "the mouse should turn the figure")
    yield from picture(window, "heading-by-mouse")
    yield from window.press("RET")
    yield REDRAW_PAUSE
    check(keys() != before[0], "Enter should change the keys")
    yield from window.undo()
    check_equal((keys(), pose()), (before[0], before[2]), "keys and pose after one Ctrl+Z")


def by_button(window: Window, name: str, before: tuple) -> Steps:
    """A click on the panel's button. Looking for one takes long: not all are looked for."""
    yield from undone(window, name, before, window.click_operator(f"motion_editing.{name}"))


def undone(window: Window, name: str, before: tuple, start: Steps) -> Steps:
    """A tool changes the keys; one Ctrl+Z brings them back."""
    yield from start
    yield 4 * REDRAW_PAUSE
    check_equal(running(window), [], "running tools")
    check(keys() != before[0], f"{name} should change the keys")
    yield from picture(window, name.replace("_", "-"))
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal((keys(), pose()), (before[0], before[2]), f"keys and pose after {name} and one Ctrl+Z")


# What the steps need


def picture(window: Window, name: str) -> Steps:
    """A screenshot of the whole figure: the search for buttons turns the mouse wheel, which zooms."""
    view = window.area("VIEW_3D").spaces.active.region_3d
    root = bpy.context.object.pose.bones["hips"].head
    view.view_location, view.view_distance = (root.x, root.y, 0.9), 5.0
    yield REDRAW_PAUSE
    yield from window.screenshot(name)


STILL: dict[str, list[float]] = {}


def choose_mirrored_action() -> None:
    """Choose the mirror image of the sample motion as the other motion."""
    armature = bpy.context.object
    data = armature.animation_data
    own, slot = data.action, data.action_slot.identifier
    other = own.copy()
    other.name = "Mirrored"
    data.action = other
    data.action_slot = other.slots[slot]
    bpy.ops.motion_editing.mirror_motion()
    data.action = own
    data.action_slot = own.slots[slot]
    bpy.context.scene.motion_editing_blend_loop.action = other
    bpy.context.view_layer.update()
    STILL["matrices"] = matrices()


def show_only_our_panel() -> None:
    """Take the other panels out of the tab: looking for buttons among all of them takes minutes."""
    for panel in bpy.types.Panel.__subclasses__():
        name = getattr(panel, "bl_idname", "")
        if name.startswith("MOTIONEDIT_PT_") and name.endswith("_view3d") and "blendloop" not in name:
            bpy.utils.unregister_class(panel)
