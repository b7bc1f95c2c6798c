"""A hand is dragged at one frame with the mouse: the whole motion follows, feet stay, Esc and undo restore."""

from __future__ import annotations

from hashlib import blake2b

import bpy
from harness import Window, check, check_equal
from window_input import REDRAW_PAUSE, Steps

FRAME = 70
HAND, FOOT = "hand.L", "foot.L"


def keys() -> str:
    """A digest of every key of the active armature's action."""
    import numpy as np

    action = bpy.context.object.animation_data.action
    curves = [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]
    digest = blake2b(digest_size=8)
    for curve in curves:
        values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", values)
        digest.update(values)
    return digest.hexdigest()


def place(bone: str) -> tuple[float, ...]:
    """Where the head of a bone is in the scene."""
    posed = bpy.context.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return tuple(posed.matrix_world @ posed.pose.bones[bone].head)


def places(bone: str, frames: tuple[int, ...]) -> list[tuple[float, ...]]:
    """The same at several frames; the current frame is restored."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append(place(bone))
    bpy.context.scene.frame_set(FRAME)
    return found


def away(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Distance between two places."""
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5


def scenario(window: Window) -> Steps:
    """Footplants, a drag that is given up, a drag that is kept, undo."""
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    yield from pose_hand(window)
    yield from window.call("Add Footplants")
    listed = bpy.context.object.animation_data.action.motion_editing_constraints.listed
    check(len(listed) > 4, f"footplants should be listed, there are {len(listed)}")
    yield from esc_restores(window)
    yield from a_click_keeps(window)
    yield from show_panel(window)


def pose_hand(window: Window) -> Steps:
    """Make the hand the active bone at the frame."""
    yield from window.hover(window.region("VIEW_3D"))
    bpy.context.scene.frame_set(FRAME)
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    bpy.ops.object.mode_set(mode="POSE")
    bones = bpy.context.object.pose.bones
    for bone in bones:
        bone.select = bone.name == HAND
    bpy.context.object.data.bones.active = bones[HAND].bone
    bpy.ops.ed.undo_push(message="Hand chosen")
    yield REDRAW_PAUSE


def start(window: Window) -> Steps:
    """Call the tool by its name, with the mouse in the view."""
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.call("Drag Joint")
    running = [operator.bl_idname for operator in window.blender.modal_operators]
    check_equal(running, ["MOTION_EDITING_OT_drag_joint"], "running tools")
    yield from window.hover(window.region("VIEW_3D"))


def travel(window: Window, right: int, up: int) -> Steps:
    """Move the mouse from the middle of the viewport."""
    middle = window.middle_of(window.region("VIEW_3D"))
    for part in range(1, 11):
        yield from window.glide(middle.x + right * part / 10, middle.y + up * part / 10)
        yield 0.05
    yield REDRAW_PAUSE


def settle(window: Window, right: int, up: int) -> Steps:
    """Tremble about a place: on a busy machine each move takes one step, the next ones close what it leaves open."""
    middle = window.middle_of(window.region("VIEW_3D"))
    for tremble in (1, 0, 1, 0, 1, 0):
        yield from window.glide(middle.x + right, middle.y + up + tremble)
        yield REDRAW_PAUSE


def esc_restores(window: Window) -> Steps:
    """While the mouse moves the rig follows and no key changes; Esc brings all back."""
    before = keys(), place(HAND)
    yield from start(window)
    yield from travel(window, 60, 90)
    check(away(place(HAND), before[1]) > 0.05, "the hand should follow the mouse")
    check_equal(keys(), before[0], "keys while the mouse moves")
    yield from window.screenshot("dragging")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal((keys(), place(HAND)), before, "keys and hand after Esc")
    yield from window.screenshot("after-esc")


def a_click_keeps(window: Window) -> Steps:
    """The hand at other frames follows too, standing feet stay; one Ctrl+Z takes it back."""
    contact = next(
        item for item in bpy.context.object.animation_data.action.motion_editing_constraints.listed if item.bone == FOOT
    )
    standing = (int(contact.start) + 2, int(contact.end) - 2)
    before = keys(), places(HAND, (FRAME, FRAME + 5)), places(FOOT, standing)
    bpy.ops.ed.undo_push(message="Looked at")
    yield from start(window)
    yield from travel(window, 60, 90)
    yield from settle(window, 60, 90)
    shown = place(HAND)
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.click(middle.x + 60, middle.y + 90)
    yield 1.0
    check(keys() != before[0], "a click should write keys")
    after = places(HAND, (FRAME, FRAME + 5))
    check(away(after[0], shown) < 0.02, f"the hand should be where it was shown, it is {away(after[0], shown)} away")
    check(away(after[1], before[1][1]) > 0.02, "the hand five frames later should follow")
    for now, then in zip(places(FOOT, standing), before[2], strict=True):
        check(away(now, then) < 2e-3, f"a standing foot should stay, it is {away(now, then)} away")
    yield from window.screenshot("kept")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal(keys(), before[0], "keys after one Ctrl+Z")


def show_panel(window: Window) -> Steps:
    """The panel by itself, for a person to look at; in the sidebar it is closed at first."""
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.move(middle.x - 200, middle.y + 250)
    with bpy.context.temp_override(window=window.blender, area=window.area("VIEW_3D"), region=window.region("VIEW_3D")):
        bpy.ops.wm.call_panel("INVOKE_DEFAULT", name="MOTIONEDIT_PT_constraints_view3d", keep_open=True)
    yield REDRAW_PAUSE
    yield from window.screenshot("panel")
