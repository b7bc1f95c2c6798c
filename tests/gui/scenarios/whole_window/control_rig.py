"""A control rig that only Blender can play is sampled with progress; Esc stops it and changes nothing."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal, wait_until
from window_input import REDRAW_PAUSE, Steps

# Long enough that no machine samples it before Esc is pressed; then cut to what every one finishes.
FRAMES, FEW_FRAMES = 6000, 120


def make_rig() -> None:
    """A generated Rigify human whose torso bobs up and down."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    metarig.hide_set(True)
    rig = bpy.data.objects["rig"]
    # Nobody but Blender works out a pivot: the rig has to be played.
    pivot = rig.pose.bones["head"].constraints.new("PIVOT")
    pivot.target, pivot.subtarget = rig, "torso"
    torso = rig.pose.bones["torso"]
    for frame in range(1, FRAMES + 1, 20):
        torso.location[2] = -0.1 * (frame // 20 % 2)
        torso.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    bpy.ops.ed.undo_push(message="set up")


def shorten(rig: bpy.types.Object) -> None:
    """Leave the first keys only."""
    for curve in rig.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        for key in reversed(curve.keyframe_points):
            if key.co[0] > FEW_FRAMES:
                curve.keyframe_points.remove(key)


def scenario(window: Window) -> Steps:
    """Set up the character of a control rig, once stopped by Esc, once to the end."""
    view = window.area("VIEW_3D")
    with bpy.context.temp_override(window=window.blender, area=view, region=window.region("VIEW_3D")):
        make_rig()
    yield REDRAW_PAUSE
    yield from window.open_sidebar("Motion")
    rig = bpy.data.objects["rig"]
    bpy.context.scene.frame_set(33)

    yield from window.call("find body parts")
    yield from wait_until(lambda: bpy.context.scene.frame_current != 33, "sampling should step through the frames")
    yield from window.screenshot("sampling")
    yield from window.press("ESC")
    yield from wait_until(lambda: bpy.context.scene.frame_current == 33, "Esc should bring the frame back")
    check_equal(rig.motion_editing.body, "", "body after Esc")

    shorten(rig)
    yield from window.call("find body parts")
    yield from wait_until(lambda: rig.motion_editing.body, "the body should be found in the end", timeout=90)
    check_equal(bpy.context.scene.frame_current, 33, "frame after sampling")
    check("hand_ik.L" in rig.motion_editing.body, "the hand's control should be found")
    yield from window.screenshot("found")
