"""Extract poses, cull them to 30 %, edit an extreme pose, stagger one arm, undo all; a pose edit goes on later."""

from __future__ import annotations

from pathlib import Path

import bpy
from harness import Window, check, check_equal
from window_input import REDRAW_PAUSE, Steps


def poses() -> bpy.types.bpy_prop_collection:
    """Rows of the list."""
    return bpy.context.object.animation_data.action.motion_editing_staggered.poses


def keys() -> list[bytes]:
    """All keys of the active armature's action."""
    action = bpy.context.object.animation_data.action
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    found = []
    for bag in bags:
        for curve in sorted(bag.fcurves, key=lambda curve: (curve.data_path, curve.array_index)):
            values = [0.0] * (2 * len(curve.keyframe_points))
            curve.keyframe_points.foreach_get("co", values)
            found.append(repr(values).encode())
    return found


def scenario(window: Window) -> Steps:
    """The headline, as an animator would do it."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    original = keys()

    yield from window.click_operator("motion_editing.extract_poses")
    found = len(poses())
    check(found > 10, f"the sample should have more than 10 poses, {found} were found")
    yield from window.screenshot("extracted")

    bpy.context.object.animation_data.action.motion_editing_staggered.share = 0.3
    bpy.ops.ed.undo_push(message="Poses Shown")
    shown = len(poses())
    check(shown < 0.45 * found, f"30 % of {found} poses should be shown, not {shown}")
    yield REDRAW_PAUSE
    yield from window.screenshot("culled")

    yield from edit_extreme_pose(window)
    edited = keys()
    check(edited != original, "the edited pose should change keys")

    yield from succession_by_mouse(window)
    check(keys() != edited, "succession should change keys")
    yield from window.screenshot("succession")

    yield from window.hover(window.region("VIEW_3D"))
    for _step in range(12):
        yield from window.undo()
        if bpy.context.object.mode == "OBJECT" and keys() == original and len(poses()) == found:
            break
    check(keys() == original, "undoing everything should bring back every key")
    check_equal(len(poses()), found, "poses after undoing everything")
    yield from window.screenshot("undone")
    check_editing_goes_on()


def edit_extreme_pose(window: Window) -> Steps:
    """Pick a pose, turn the head with R, apply."""
    bpy.context.object.animation_data.action.motion_editing_staggered.active = 3
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("TAB", ctrl=True)
    yield REDRAW_PAUSE
    check_equal(bpy.context.object.mode, "POSE", "mode after Ctrl+Tab")
    yield from window.click_operator("motion_editing.edit_staggered_pose")
    armature = bpy.context.object
    check(armature.motion_editing_posing.action, "Edit Extreme should start editing")
    bpy.ops.pose.select_all(action="DESELECT")
    armature.data.bones.active = armature.data.bones["upper_arm.R"]
    armature.pose.bones["upper_arm.R"].select = True
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("R")
    yield from window.type_text("40")
    yield from window.press("RET")
    yield REDRAW_PAUSE
    yield from window.screenshot("editing-extreme-pose")
    posed = tuple(armature.pose.bones["upper_arm.R"].rotation_quaternion)
    bpy.ops.wm.save_as_mainfile(filepath=in_the_middle(), copy=True)
    yield REDRAW_PAUSE
    check(armature.motion_editing_posing.action, "saving should not end editing")
    check_equal(tuple(armature.pose.bones["upper_arm.R"].rotation_quaternion), posed, "the pose after saving")
    yield from window.click_operator("motion_editing.apply_staggered_pose")
    check(not bpy.context.object.motion_editing_posing.action, "Apply should end editing")


def in_the_middle() -> str:
    """The file that is saved while a pose is edited."""
    return str(Path(bpy.app.tempdir) / "in_the_middle.blend")


def check_editing_goes_on() -> None:
    """Open the file that was saved in the middle: the last step, since other files end all timers."""
    bpy.ops.wm.open_mainfile(filepath=in_the_middle())
    armature = bpy.data.objects["Sample"]
    check(armature.motion_editing_posing.action, "editing should go on when the file is opened")
    check(armature.animation_data.action != armature.motion_editing_posing.action, "the action should wait")


def succession_by_mouse(window: Window) -> Steps:
    """Select the left arm, start Succession from the panel, move the mouse, confirm."""
    armature = bpy.context.object
    bpy.ops.pose.select_all(action="DESELECT")
    for name in ("upper_arm.L", "forearm.L", "hand.L"):
        armature.pose.bones[name].select = True
    armature.data.bones.active = armature.data.bones["upper_arm.L"]
    before = keys()
    point = yield from window.find_operator_button("motion_editing.succession")
    yield from window.click(point.x, point.y)
    for step in range(8):
        yield from window.glide(point.x - 12 * step, point.y)
        yield 0.05
    check(keys() == before, "no key may change while the slider moves")
    yield from window.screenshot("slider")
    yield from window.press("LEFTMOUSE")
    yield REDRAW_PAUSE
