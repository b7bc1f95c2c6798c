"""The walk-throughs of Time, word for word: a jump kept, all cycles alike, two figures in step, props that follow."""

from __future__ import annotations

import os
from pathlib import Path

import bpy
from figure_in_view import click_object
from harness import Window, check, check_equal, wait_until
from lane_gestures import let_go, press_and_move
from manual_pictures import open_panel
from newcomer import choose_item, drag_timeline_up, go_to, in_panel, messages, press_button, set_field
from time_lane_gestures import end_point, keytime_point, last_frame, settings
from walkthrough import play as play_page
from window_input import REDRAW_PAUSE, Point, Steps

PAGE = "docs/guided_warp.md"
SKINNED = "characters/human-male.glb"
CYCLE = (26, 52)  # a left and a right step of the sample
FRAMES_LATER = 13
kept: dict[str, float] = {}


def scenario(window: Window) -> Steps:
    """All four: the first with a skinned character, the others with a sample motion of their own."""
    yield from window.open_sidebar("Motion")
    yield from prepare_skinned(window)
    steps = (click_character, begin, type_length)
    yield from play_page(window, PAGE, "Example: 20 % shorter, keep the jump", *steps)
    yield from change_tomorrow(window)
    yield from prepare(window)
    steps = (slow_one_cycle, set_reference, warp_all_cycles)
    yield from play_page(window, PAGE, "Using a part that you retimed by hand", *steps)
    yield from prepare(window, second=True)
    yield from play_page(window, PAGE, "Match Events", select_both, match, warp_in_step)
    yield from prepare(window, prop=True)
    yield from play_page(window, PAGE, "Apply Time Map", select_props, apply_map)


def prepare_skinned(window: Window) -> Steps:
    """A mannequin with a mesh that jumps; where there is none, the sample itself. Nothing is selected."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    bpy.ops.motion_editing.load_sample_motion()
    sample, path = bpy.context.object, Path(os.environ.get("MOTION_EDITING_CLIPS", "")) / SKINNED
    if path.is_file():
        bpy.ops.import_scene.gltf(filepath=str(path))
        figure = next(each for each in bpy.data.objects if each.type == "ARMATURE" and each != sample)
        bpy.ops.object.select_all(action="DESELECT")
        figure.select_set(True)
        bpy.context.view_layer.objects.active = figure
        bpy.ops.motion_editing.retarget_motion(source=sample.name)
        bpy.data.objects.remove(sample)
        figure.show_in_front = True
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = None
    bpy.ops.ed.undo_push(message="Preparation")
    yield from drag_timeline_up(window, 260)


def click_character(window: Window) -> Steps:
    """Click on your character in the 3D View. Its motion has a jump."""
    figure = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    yield from click_object(window, figure)
    check_equal(last_frame(), 284.0, "last frame")


def begin(window: Window) -> Steps:
    """In the panel **Time** click **Warp Time** and move the mouse a little. The character plays, and the strip over
    the Timeline shows where time will run faster."""
    yield from in_panel(window, "Time", "Warp Time", follows_mouse=True)
    place = window.mouse
    yield from window.move(place.x - 12, place.y)
    yield 4 * REDRAW_PAUSE
    check(bpy.context.screen.is_animation_playing, "the motion should play while the mouse sets the length")
    yield from window.screenshot("while-the-mouse-sets-the-length")


def type_length(window: Window) -> Steps:
    """Type 80 and press Enter. The motion is 20 % shorter, and the message says that the jump kept its frames."""
    yield from window.type_text("80")
    yield from window.press("RET")
    yield from wait_until(lambda: last_frame() < 284.0, "the motion should be shorter")
    check_equal(last_frame(), 227.0, "last frame")
    check(not bpy.context.screen.is_animation_playing, "what was started stops again")
    check("1 jump kept its" in messages(window)[-1], messages(window)[-1])


def change_tomorrow(window: Window) -> Steps:
    """The warp is still on the strip: its end dragged back gives another length, and there is one edit."""
    view = window.region("DOPESHEET_EDITOR").view2d
    pixels = view.view_to_region(20.0, 0.0, clip=False)[0] - view.view_to_region(0.0, 0.0, clip=False)[0]
    start = end_point(window)
    yield from press_and_move(window, start, Point(start.x + pixels, start.y))
    yield from let_go(window)
    yield REDRAW_PAUSE
    check(abs(last_frame() - 247.0) < 2.5, f"the end was dragged to 247, the motion ends at {last_frame()}")
    action = bpy.context.object.animation_data.action
    warps = [entry for entry in action.motion_editing_stack.entries if entry.tool == "warp_time"]
    check_equal(len(warps), 1, "warps in the stack")
    yield from window.screenshot("changed-tomorrow")


def prepare(window: Window, *, second: bool = False, prop: bool = False) -> Steps:
    """A sample motion of its own for each walk-through, seen from above its way; a second character or a prop."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    bpy.ops.motion_editing.load_sample_motion()
    bpy.context.scene.frame_set(1)
    if second:
        bpy.ops.motion_editing.warp_time(length=0.9, influence=0.0, use_keytimes=False)
        bpy.context.object.location.x = 1.5
        bpy.ops.motion_editing.load_sample_motion()
        bpy.ops.object.select_all(action="DESELECT")
    if prop:
        bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, keep_as="Shorter")
        figure = bpy.context.object
        bpy.ops.mesh.primitive_cube_add(size=0.5, location=(1.5, 0.0, 0.5))
        for frame, height in ((1, 0.5), (142, 1.5), (284, 0.5)):
            bpy.context.object.location.z = height
            bpy.context.object.keyframe_insert("location", frame=frame)
        bpy.context.view_layer.objects.active = figure
    bpy.ops.ed.undo_push(message="Preparation")
    yield from open_panel(window, "Time")


def slow_one_cycle(window: Window) -> Steps:
    """Put keytimes at both ends of one whole cycle of the movement: of a walk, a left and a right step. Turn on
    **Ripple** and drag the second keytime: the cycle gets slower or faster. Click **Warp Time**."""
    for frame in CYCLE:
        yield from go_to(window, frame)
        yield from press_button(window, "Add Keytime")
    check_equal([round(item.new) for item in settings().keytimes], [1, *CYCLE, 284], "keytimes")
    yield from window.click_property("motion_editing_time.ripple")
    yield from drag_keytime(window, 2, FRAMES_LATER)
    kept["cycle end"] = settings().keytimes[2].new
    yield from press_button(window, "Warp Time")
    check(abs(last_frame() - 284 - (kept["cycle end"] - CYCLE[1])) < 1.5, f"last frame {last_frame()}")


def drag_keytime(window: Window, number: int, frames: int) -> Steps:
    """Drag a keytime; the rig follows, Esc gives it up, letting go keeps it, and no key changes."""
    before, shown = settings().keytimes[number].new, arm_pose()
    view = window.region("DOPESHEET_EDITOR").view2d
    pixels = view.view_to_region(frames, 0.0, clip=False)[0] - view.view_to_region(0.0, 0.0, clip=False)[0]
    for gives_up in (True, False):
        start = keytime_point(window, number)
        yield from press_and_move(window, start, Point(start.x + pixels, start.y))
        yield REDRAW_PAUSE
        check(arm_pose() != shown, "the rig should show the warp while a keytime is dragged")
        if gives_up:
            yield from window.press("ESC")
        yield from let_go(window)
        moved = settings().keytimes[number].new - before
        check(abs(moved - (0 if gives_up else frames)) < 1.5, f"keytime moved by {moved}, given up: {gives_up}")
        check_equal(arm_pose(), shown, "pose afterwards: no key may have changed")


def arm_pose() -> tuple[float, ...]:
    """How an arm is turned on the rig now."""
    return tuple(bpy.context.object.pose.bones["upper_arm.R"].rotation_quaternion)


def set_reference(window: Window) -> Steps:
    """Set **Reference** to Range of This Action, and the frames to those of this cycle."""
    yield from choose_item(window, "motion_editing_time.reference", number=1)
    check_equal(settings().reference, "RANGE", "reference")
    yield from set_field(window, "motion_editing_time.reference_start", str(CYCLE[0]))
    yield from set_field(window, "motion_editing_time.reference_end", str(round(kept["cycle end"])))
    check_equal((settings().reference_start, settings().reference_end), (CYCLE[0], round(kept["cycle end"])), "frames")


def warp_all_cycles(window: Window) -> Steps:
    """Turn on **Free Length** and click **Warp Time** again. All cycles become as slow, or as fast, as the one that you
    made."""
    before = last_frame()
    yield from window.click_property("motion_editing_time.free_length")
    yield from press_button(window, "Warp Time")
    check(last_frame() > before + 10, f"other steps should become slower; the motion had {before}, has {last_frame()}")


def select_both(window: Window) -> Steps:
    """Select the other armature, then your own with Shift, so that yours is active."""
    yield from click_object(window, bpy.data.objects["Sample"])
    yield from click_object(window, bpy.data.objects["Sample.001"], shift=True)
    check_equal(len(bpy.context.selected_objects), 2, "selected objects")


def match(window: Window) -> Steps:
    """Click **Match Events**, look at the keytimes on the strip, and drag what does not fit."""
    yield from press_button(window, "Match Events")
    check(len(settings().keytimes) > 4, messages(window)[-1])


def warp_in_step(window: Window) -> Steps:
    """Click **Warp Time**."""
    wanted = [item.new for item in settings().keytimes]
    yield from press_button(window, "Warp Time")
    check(abs(last_frame() - wanted[-1]) < 1.0, f"last frame {last_frame()}, keytimes {wanted}")


def select_props(window: Window) -> Steps:
    """Select the props, cameras or other characters, then the armature with Shift, so that it is active."""
    yield from click_object(window, bpy.data.objects["Cube"])
    yield from click_object(window, bpy.data.objects["Sample"], shift=True)


def apply_map(window: Window) -> Steps:
    """Click **Apply Time Map**."""
    yield from press_button(window, "Apply Time Map")
    check_equal(round(bpy.data.objects["Cube"].animation_data.action.frame_range[1]), 227, messages(window)[-1])
