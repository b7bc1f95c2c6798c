"""Filter with the mouse, equalize on the board, find and repair a flaw, look at the original: every way back works."""

from __future__ import annotations

from importlib import import_module

import bpy
from harness import Window, check, check_equal, wait_until
from manual_pictures import open_panel
from scenarios.whole_window.smooth_slider import ADDON, channels, keys, matrices, pose, running, sample_at, travel
from window_input import REDRAW_PAUSE, Point, Steps

FRAME = 70  # in the sample motion's jump


def module(name: str) -> object:
    """A module of the package under test."""
    return import_module(f"{ADDON}.filters.{name}")


def scenario(window: Window) -> Steps:
    """All of the panel, from the top."""
    before = yield from sample_at(window, FRAME)
    yield from low_pass_and_back(window, before)
    yield from low_pass_kept(window, before)
    yield from equalizer_and_back(window, before)
    yield from equalizer_applied(window, before)
    yield from flaws(window)
    yield from original(window)
    yield from in_the_graph_editor(window)


def low_pass_and_back(window: Window, before: tuple) -> Steps:
    """The search finds the slider; keys switch options; Esc restores."""
    yield from open_panel(window, "Clean & Filter")
    yield 4 * REDRAW_PAUSE  # until the panel has slid to its height
    yield from window.screenshot("panel")
    yield from window.call("Low Pass")
    check_equal(running(window), ["MOTION_EDITING_OT_low_pass"], "the search should start the slider")
    yield from travel(window, -380)
    first = pose()
    check(first != before[2], "the mouse should change the pose")
    check_equal(keys(), before[0], "keys while the mouse moves")
    check("original of Sample" in shown(), "the original should be shown as a ghost")
    yield from window.screenshot("low-pass-by-mouse")
    window.send("O", "PRESS")
    yield REDRAW_PAUSE
    check_equal(pose(), before[2], "the original while O is held")
    yield from window.screenshot("original-held")
    window.send("O", "RELEASE")
    yield REDRAW_PAUSE
    check_equal(pose(), first, "the edit after O was let go")
    yield from window.press("C")
    yield from window.press("F")
    yield REDRAW_PAUSE
    check(pose() != first, "another filter should give another pose")
    yield from window.screenshot("gaussian-with-contacts-kept")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal((keys(), channels(), pose()), before, "everything after Esc")
    check_nothing_left(window)


def low_pass_kept(window: Window, before: tuple) -> Steps:
    """A typed cutoff, Enter, one Ctrl+Z."""
    yield from invoke(window, "low_pass", kind="BUTTERWORTH")
    yield from window.type_text("1.5")
    yield REDRAW_PAUSE
    previewed = matrices()
    yield from window.press("RET")
    yield REDRAW_PAUSE
    check(keys() != before[0], "Enter should change the keys")
    away = max(abs(now - then) for now, then in zip(matrices(), previewed, strict=True))
    check(away < 1e-5, f"the result should be what was shown, it is {away} away")
    check_nothing_left(window)
    yield from window.screenshot("low-pass-kept")
    yield from window.undo()
    check_equal((keys(), pose()), (before[0], before[2]), "keys and pose after one Ctrl+Z")


def equalizer_and_back(window: Window, before: tuple) -> Steps:
    """Sliders on the board and in the panel show their result at once; Esc restores."""
    yield from invoke(window, "equalize")
    check(settings().is_open, "the equalizer should be open")
    yield from window.screenshot("equalizer")
    yield from window.drag(on_board(window, 2, 1.0), on_board(window, 2, 1.9), moves=4)
    check(abs(settings().gains[2] - 1.9) < 0.05, f"the slider should follow the mouse, it is {settings().gains[2]}")
    yield from window.drag(on_board(window, 4, 1.0), on_board(window, 4, 0.3), moves=4)
    check(pose() != before[2], "a slider should change the pose")
    check_equal(keys(), before[0], "keys while the equalizer is open")
    yield from window.screenshot("equalizer-dragged")
    settings().gains[0] = 0.5
    yield REDRAW_PAUSE
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal((keys(), channels(), pose()), before, "everything after Esc")
    check(not settings().is_open, "Esc should close the equalizer")
    check_nothing_left(window)


def equalizer_applied(window: Window, before: tuple) -> Steps:
    """The panel's Apply is one step to undo."""
    yield from invoke(window, "equalize")
    yield from window.drag(on_board(window, 1, 1.0), on_board(window, 1, 1.6), moves=4)
    previewed = matrices()
    bpy.ops.motion_editing.close_equalizer(apply=True)
    yield from wait_until(lambda: not settings().is_open, "Apply should close the equalizer")
    check(keys() != before[0], "Apply should change the keys")
    away = max(abs(now - then) for now, then in zip(matrices(), previewed, strict=True))
    check(away < 1e-5, f"the result should be what was shown, it is {away} away")
    check_nothing_left(window)
    yield from window.screenshot("equalizer-applied")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal((keys(), pose()), (before[0], before[2]), "keys and pose after one Ctrl+Z")


def flaws(window: Window) -> Steps:
    """A spike is listed, a click goes to it, Repair All takes it away."""
    add_spike("forearm.L", 40)
    bpy.ops.ed.undo_push(message="Spike")
    yield from do(window, "find_flaws")
    found = bpy.context.object.animation_data.action.motion_editing_flaws
    check(any(item.first == 40 for item in found.found), "the spike should be listed")
    check_equal(bpy.context.scene.frame_current, FRAME, "frame after the search")
    yield from window.screenshot("flaws-listed")
    found.active = next(number for number, item in enumerate(found.found) if item.first == 40)
    yield REDRAW_PAUSE
    check_equal(bpy.context.scene.frame_current, 40, "frame after a click on the entry")
    yield from window.screenshot("flaw-shown")
    yield from do(window, "repair_flaws")
    check_equal(len(bpy.context.object.animation_data.action.motion_editing_flaws.found), 0, "flaws after the repair")
    yield from window.screenshot("flaws-repaired")


def original(window: Window) -> Steps:
    """Ghost and original come and go; undo in between does no harm."""
    bpy.context.scene.frame_set(FRAME)
    yield from invoke(window, "exaggerate_motion")
    yield from window.type_text("160")
    yield from window.press("RET")
    yield REDRAW_PAUSE
    edited, kept = pose(), keys()
    bpy.ops.motion_editing.compare_original(mode="GHOST")
    yield from window.screenshot("ghost-of-the-original")
    bpy.ops.motion_editing.compare_original(mode="ORIGINAL")
    yield REDRAW_PAUSE
    check(pose() != edited, "the original should be shown")
    check_equal(keys(), kept, "keys while the original is shown")
    yield from window.screenshot("original-shown")
    bpy.ops.motion_editing.compare_original(mode="ORIGINAL")
    yield REDRAW_PAUSE
    check_equal((pose(), keys()), (edited, kept), "the edit once more")
    bpy.ops.motion_editing.compare_original(mode="GHOST")
    yield REDRAW_PAUSE
    yield from window.undo()
    check("original of Sample" in shown(), "the ghost should go on after an undo")
    bpy.ops.motion_editing.compare_original(mode="OFF")
    check_nothing_left(window)


def in_the_graph_editor(window: Window) -> Steps:
    """The same slider from the Graph Editor, on the range of the selected keys."""
    window.area("DOPESHEET_EDITOR").type = "GRAPH_EDITOR"
    yield REDRAW_PAUSE
    before = keys()
    yield from invoke(window, "low_pass", area_kind="GRAPH_EDITOR", range="ACTION")
    middle = window.middle_of(window.region("GRAPH_EDITOR"))
    for step in range(20):
        yield from window.glide(middle.x - 15 * step, middle.y)
    yield from window.screenshot("from-the-graph-editor")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal(keys(), before, "keys after Esc")
    check_nothing_left(window)


# What the steps need


def invoke(window: Window, name: str, area_kind: str = "VIEW_3D", **values: object) -> Steps:
    """Call a tool as a menu does, with the mouse in the editor."""
    yield from window.hover(window.region(area_kind))
    context = {"window": window.blender, "area": window.area(area_kind), "region": window.region(area_kind)}
    with bpy.context.temp_override(**context):
        getattr(bpy.ops.motion_editing, name)("INVOKE_DEFAULT", **values)
    yield REDRAW_PAUSE
    check_equal(running(window), [f"MOTION_EDITING_OT_{name}"], "the tool should run")


def do(window: Window, name: str) -> Steps:
    """Call a tool that needs no mouse; it is a step to undo."""
    context = {"window": window.blender, "area": window.area("VIEW_3D"), "region": window.region("VIEW_3D")}
    with bpy.context.temp_override(**context):
        getattr(bpy.ops.motion_editing, name)("EXEC_DEFAULT", True)
    yield REDRAW_PAUSE


def settings() -> object:
    """The sliders of the open equalizer."""
    return bpy.context.window_manager.motion_editing_equalizer


def on_board(window: Window, band: int, gain: float) -> Point:
    """Where a slider of the board is at a gain, in the window."""
    overlay = module("equalizer.equalizer_gesture").opened()._overlay
    placement, region, board = overlay._placement(), window.region("VIEW_3D"), overlay._board
    x, y = placement.across(board.middle_of(band)), placement.up(board.height_of(gain))
    return Point(round(region.x + x), round(region.y + y))


def shown() -> dict[str, object]:
    """What tools show in the viewport."""
    return import_module(f"{ADDON}.interface.drawing.viewport").shown()


def add_spike(bone: str, frame: int) -> None:
    """Turn a bone far away for one frame."""
    action = bpy.context.object.animation_data.action
    curves = [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]
    for curve in curves:
        if f'"{bone}"' in curve.data_path and "rotation" in curve.data_path:
            next(key for key in curve.keyframe_points if key.co.x == frame).co.y += 0.6
            curve.update()


def check_nothing_left(window: Window) -> None:
    """No tool runs, nothing is drawn, nothing follows the frame."""
    check_equal(running(window), [], "running tools")
    check_equal(shown(), {}, "what is shown in the viewport")
    check_equal(import_module(f"{ADDON}.interface.drawing.viewport").shown_modes(), {}, "the mode that is shown")
    left = [each for each in bpy.app.handlers.frame_change_post if each.__module__.startswith(ADDON)]
    check_equal(left, [], "handlers")
