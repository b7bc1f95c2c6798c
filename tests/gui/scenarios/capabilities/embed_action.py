"""Embed Action from its dialog: it can be stopped with Esc, and embeds with one step to undo."""

from __future__ import annotations

import bpy
from harness import Window, check_equal, wait_until
from window_input import REDRAW_PAUSE, Steps


def paths() -> list[str]:
    """Names of the paths of the sample's tree."""
    tree = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE").motion_editing_tree
    return [path.name for node in tree.nodes for path in node.paths]


def running() -> bool:
    """Whether the operator goes on beside the window."""
    return any("embed_action" in operator.bl_idname.lower() for operator in bpy.context.window.modal_operators)


def end_at(action: bpy.types.Action, frame: float) -> None:
    """Move the last key of every curve."""
    for strip in action.layers[0].strips:
        for curve in strip.channelbags[0].fcurves:
            curve.keyframe_points[-1].co.x = frame
            curve.update()


def ask(window: Window) -> Steps:
    """Open the dialog over the 3D View and confirm it."""
    with bpy.context.temp_override(area=window.area("VIEW_3D"), region=window.region("VIEW_3D")):
        bpy.ops.motion_editing.embed_action("INVOKE_DEFAULT")
    yield REDRAW_PAUSE
    yield from window.press("RET")


def scenario(window: Window) -> Steps:
    """Stop one embedding, let the next one come to its end, undo it."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    yield from window.hover(window.region("VIEW_3D"))
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    armature.pose.bones["head"].constraints.new("LIMIT_SCALE")  # now its joints have to be sampled
    action = armature.animation_data.action
    end_at(action, 60_000)  # which takes so long that Esc comes in time, however busy the machine is
    bpy.ops.motion_editing.add_pose_tree(live=False)
    bpy.context.window_manager.operator_properties_last("motion_editing.embed_action").layout_of = "JOINT"
    bpy.context.window_manager.operator_properties_last("motion_editing.embed_action").bone = "hand.L"
    bpy.ops.ed.undo_push(message="Tree")
    frame = bpy.context.scene.frame_current

    yield from ask(window)
    yield from wait_until(running, "the work should go on beside the window")
    yield from window.press("ESC")
    yield from wait_until(lambda: not running(), "Esc should stop it")
    check_equal(paths(), [], "paths after Esc")
    check_equal(bpy.context.scene.frame_current, frame, "frame after Esc")
    check_equal(armature.animation_data.action, action, "action after Esc")

    end_at(action, 1000)
    bpy.ops.ed.undo_push(message="Short")
    yield from ask(window)
    yield from wait_until(lambda: paths() == [action.name], "the action should be embedded", timeout=120.0)
    yield REDRAW_PAUSE
    yield from window.screenshot("embedded")
    yield from window.undo()
    check_equal(paths(), [], "paths after undo")
    yield from window.redo()
    check_equal(paths(), [bpy.data.actions[0].name], "paths after redo")
