"""The walk-through of layers, word for word, with auto keying; then mute, weaken, retime, merge, undo everything.

The manual's pictures of layers come from here: after a change of the panel look at them, then copy
test_results/gui/tutorial_layers/layers*.png to docs/pictures/.
"""

from __future__ import annotations

from collections.abc import Generator

import bpy
import numpy as np
from curve_snapshot import snapshot
from harness import ScenarioError, Window, check, check_equal, wait_until
from manual_pictures import open_panel, panel_part, picture, prepare, show_figure, whole
from newcomer import go_to, press_button
from walkthrough import play as play_page
from window_input import REDRAW_PAUSE, Point, Steps

FRAME, LATER = 60, 68
BONE = "upper_arm.R"


def rows() -> bpy.types.bpy_prop_collection:
    """Rows of the list."""
    return bpy.context.object.animation_data.action.motion_editing_layers.layers


def rig_channels() -> np.ndarray:
    """Rotation of the posed bone as it is on the rig."""
    return np.array(bpy.context.object.pose.bones[BONE].rotation_quaternion)


def key_values(frame: int) -> np.ndarray:
    """Rotation of the posed bone in the keys at a frame."""
    path = f'pose.bones["{BONE}"].rotation_quaternion'
    action = bpy.context.object.animation_data.action
    curves = [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]
    own = sorted((c for c in curves if c.data_path == path), key=lambda curve: curve.array_index)
    return np.array([curve.evaluate(frame) for curve in own])


def check_pose(frame: int, wanted: np.ndarray, what: str) -> None:
    """The keys at a frame give the rotation that was posed."""
    away = 1.0 - abs(float(key_values(frame) @ wanted)) / float(np.linalg.norm(wanted))
    check(away < 1e-6, f"{what}: the keys should give the pose, they are {away:.2g} away")


def scenario(window: Window) -> Steps:
    """What an animator does with a layer."""
    yield from prepare(window)
    bpy.ops.motion_editing.load_sample_motion("EXEC_DEFAULT", True)
    yield REDRAW_PAUSE
    yield from open_panel(window, "Layers")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("TAB", ctrl=True)
    yield REDRAW_PAUSE
    pick_bone()
    bpy.ops.ed.undo_push(message="Bone chosen")
    original = snapshot()
    yield from play_page(window, "docs/layers.md", "In short", add, pose_by_mouse, key, apply)
    check(not original.is_same(snapshot()), "the layer should have changed keys")
    posed = snapshot()
    yield from mute_and_weaken(window, original, posed)
    yield from retime_by_mouse(window)
    yield from several(window)
    yield from merge(window)
    yield from undo_all(window, original)


def add(window: Window) -> Steps:
    """Go to the frame to change. Click **Add Layer**."""
    before = snapshot()
    yield from go_to(window, FRAME)
    show_figure(window, FRAME)
    yield from press_button(window, "Add Layer")
    check_equal([row.name for row in rows()], ["Layer"], "layers")
    check(before.is_same(snapshot()), "a new layer should change no key")


def pick_bone() -> None:
    """Select one bone."""
    armature = bpy.context.object
    bpy.ops.pose.select_all(action="DESELECT")
    armature.data.bones.active = armature.data.bones[BONE]
    armature.pose.bones[BONE].select = True


def rotate(window: Window, degrees: str) -> Steps:
    """Turn the bone with R."""
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("R")
    yield from window.type_text(degrees)
    yield from window.press("RET")
    yield REDRAW_PAUSE


def pose_by_mouse(window: Window) -> Steps:
    """Click **Edit Layer**. Pose the rig with Blender's own tools."""
    yield from press_button(window, "Edit Layer")
    check_equal(bpy.context.object.motion_editing_layer_edit.layer, "Layer", "layer that is edited")
    before = snapshot()
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.move(middle.x, middle.y)
    yield from window.press("R")
    for step in range(1, 9):
        yield from window.glide(middle.x + 5 * step, middle.y + 9 * step)
        yield 0.05
    yield from window.press("LEFTMOUSE")
    yield REDRAW_PAUSE
    check(before.is_same(snapshot()), "posing without auto keying should change no key")


def key(window: Window) -> Steps:
    """Click **Key Layer**. Go to other frames and key more poses if you like."""
    before, wanted = snapshot(), rig_channels()
    yield from press_button(window, "Key Layer")
    check_pose(FRAME, wanted, "Key Layer")
    bones, frames = before.changed(snapshot())
    check_equal(bones, {BONE}, "changed bones")
    check(min(frames) >= FRAME - 15 and max(frames) <= FRAME + 15, f"frames {min(frames)} to {max(frames)} changed")
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "layers", whole(window.region("VIEW_3D")))
    yield from pose_with_auto_key(window)


def apply(window: Window) -> Steps:
    """Click **Apply**."""
    before = snapshot()
    yield from press_button(window, "Apply")
    check_equal(bpy.context.object.motion_editing_layer_edit.layer, "", "layer that is edited after Apply")
    check(before.is_same(snapshot()), "Apply should change no key")


def pose_with_auto_key(window: Window) -> Steps:
    """At a later frame, with auto keying on: the pose goes into the layer by itself; undo and redo follow."""
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    bpy.context.scene.frame_set(LATER)
    bpy.ops.ed.undo_push(message="Later frame")
    before = snapshot()
    yield from rotate(window, "35")
    wanted = rig_channels()
    yield from wait_until(lambda: rows()[0].key_frames == f"{FRAME}, {LATER}", "auto keying should key the layer")
    check_pose(LATER, wanted, "auto keying")
    after = snapshot()
    yield from window.screenshot("auto-keyed")
    yield from window.undo()
    check(before.is_same(snapshot()), "one undo should take the auto key back")
    yield from window.redo()
    yield from wait_until(lambda: rows()[0].key_frames == f"{FRAME}, {LATER}", "redo should key the layer again")
    check(after.is_same(snapshot()), "redo should bring the same keys")
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = False


def mute_and_weaken(window: Window, original: object, posed: object) -> Steps:
    """The eye twice, then a drag along the influence."""
    slider = yield from window.find_property_button("layers[0].influence")
    eye = yield from eye_right_of(window, slider)
    yield from window.click(eye.x, eye.y)
    check(original.is_same(snapshot()), "a muted layer should leave the keys as they were")
    yield from window.screenshot("muted")
    yield from window.click(eye.x, eye.y)
    check(posed.is_same(snapshot()), "the layer should be back")
    yield from window.drag(Point(slider.x, slider.y), Point(slider.x - 40, slider.y), moves=6)
    share = rows()[0].influence
    check(0.0 <= share < 0.9, f"the drag should lower the influence, it is {share}")
    check(not posed.is_same(snapshot()), "less influence should change keys")
    yield from window.screenshot("weakened")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check(posed.is_same(snapshot()), "one undo should take the drag back")
    check_equal(rows()[0].influence, 1.0, "influence after undo")
    yield from window.redo()
    check_equal(rows()[0].influence, share, "influence after redo")


def eye_right_of(window: Window, place: Point) -> Generator[float, None, Point]:
    """The switch that mutes the layer, in the same row: looking through the whole tab takes a minute."""
    region = window.region("VIEW_3D", "UI")
    for x in range(place.x, region.x + region.width, 6):
        yield from window.glide(x, place.y)
        with bpy.context.temp_override(window=window.blender, area=window.area("VIEW_3D"), region=region):
            if bpy.ops.ui.copy_data_path_button.poll():
                bpy.ops.ui.copy_data_path_button(full_path=True)
        if bpy.context.window_manager.clipboard.endswith("layers[0].muted"):
            return Point(x + 6, place.y)
    raise ScenarioError("no eye in the layer's row")


def retime_by_mouse(window: Window) -> Steps:
    """Move the layer with the mouse; keys change at the click only."""
    before = snapshot()
    point = yield from window.find_operator_button("motion_editing.retime_layer")
    yield from window.click(point.x, point.y)
    for step in range(1, 8):
        yield from window.glide(point.x + 8 * step, point.y)
        yield 0.05
    check(before.is_same(snapshot()), "no key may change while the mouse moves")
    yield from window.screenshot("retiming")
    yield from window.press("LEFTMOUSE")
    yield REDRAW_PAUSE
    check(not before.is_same(snapshot()), "the click should retime the layer")


def several(window: Window) -> Steps:
    """A mirrored copy, a copy whose influence is keyed, one of them muted: how the list looks."""
    bpy.ops.motion_editing.mirror_layer("EXEC_DEFAULT", True, copy=True)
    bpy.ops.motion_editing.duplicate_layer("EXEC_DEFAULT", True, layer="Layer")
    bpy.ops.motion_editing.key_layer_influence("EXEC_DEFAULT", True, frame=LATER, value=0.25)
    rows()[0].muted = True
    bpy.ops.ed.undo_push(message="Mute")
    check_equal([row.name for row in rows()], ["Layer mirrored", "Layer.001", "Layer"], "layers")
    yield from picture(window, "layers-panel", panel_part(window, "Layers", 520))
    rows()[0].muted = False
    bpy.ops.ed.undo_push(message="Unmute")


def merge(window: Window) -> Steps:
    """Merge all layers: plain keys and nothing else."""
    before = snapshot()
    yield from window.click_operator("motion_editing.merge_all_layers")
    check(before.is_same(snapshot()), "merging should change no key")
    check_equal(len(rows()), 0, "layers after merging")
    yield from window.screenshot("merged")


def undo_all(window: Window, original: object) -> Steps:
    """Ctrl+Z until there is nothing left."""
    yield from window.hover(window.region("VIEW_3D"))
    for _step in range(30):
        yield from window.undo()
        if not rows() and original.is_same(snapshot()):
            break
    check(original.is_same(snapshot()), "undoing everything should bring back every key")
    check_equal(bpy.context.object.motion_editing_layer_edit.layer, "", "mode after undoing everything")
    yield from window.screenshot("undone")
