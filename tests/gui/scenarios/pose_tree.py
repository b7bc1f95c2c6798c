"""Four poses laid around a character; the cursor dragged with G, keyed twice, played, baked, and all of it undone."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import bpy
from harness import Window, check, check_equal, wait_until
from manual_pictures import HEADER, SCALE, shown_panels
from tree_in_window import POSES, drag, look_at_the_character, make_active, node, owner, tree
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Steps

ADDON = "bl_ext.user_default.motion_editing"


def module(path: str) -> Any:
    """A module of the installed extension."""
    return __import__(f"{ADDON}.{path}", fromlist=["_"])


def rotations() -> tuple[float, ...]:
    """How all bones are turned as they are drawn, to a thousandth."""
    posed = owner().evaluated_get(bpy.context.evaluated_depsgraph_get())
    return tuple(round(value, 3) for bone in posed.pose.bones for value in bone.matrix_basis.to_quaternion())


def keys() -> str:
    """A digest of all keys of the armature and whether they are muted."""
    action = owner().animation_data.action
    digest = blake2b(digest_size=8)
    for bag in (bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags):
        for curve in sorted(bag.fcurves, key=lambda curve: (curve.data_path, curve.array_index)):
            values = [0.0] * (2 * len(curve.keyframe_points))
            curve.keyframe_points.foreach_get("co", values)
            digest.update(repr((curve.data_path, curve.array_index, curve.mute, values)).encode())
    return digest.hexdigest()


def scenario(window: Window) -> Steps:
    """What an animator does with a first pose tree."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    yield from look_at_the_character(window)
    yield from open_panel(window, "Pose Tree")
    original, action, pose = keys(), owner().animation_data.action.name, rotations()
    yield from window.screenshot("sample")

    yield from make_the_tree(window)
    yield from lay_out_poses(window)
    yield from drag_the_cursor(window)
    yield from key_twice_and_play(window)
    yield from selection_and_overlays(window)
    yield from bake(window, original)
    yield from undo_everything(window, original, action)
    check_equal(rotations(), pose, "pose after undoing everything")
    yield from show_everything(window)
    yield from show_larger(window)


def open_panel(window: Window, label: str) -> Steps:
    """Close all panels but the first by Ctrl and a click, then that too, and open the wanted one."""
    region, header = window.region("VIEW_3D", "UI"), HEADER / SCALE
    left, top = region.x + 60, region.y + region.height
    yield from window.click(left, top - header / 2, ctrl=True)
    yield from window.click(left, top - header / 2)
    yield from window.click(left, top - header * (shown_panels().index(label) + 0.5))


def make_the_tree(window: Window) -> Steps:
    """Add the tree with its button; the rig is left to its keys while poses are collected."""
    yield from window.click_operator("motion_editing.add_pose_tree")
    check_equal(len(tree().nodes), 1, "nodes of the new tree")
    check(node().cursor is not None, "the node should have a cursor")
    yield from window.click_operator("motion_editing.live_pose_tree")
    check(not tree().live, "the button should leave the rig to its keys")
    yield from window.screenshot("empty-tree")


def lay_out_poses(window: Window) -> Steps:
    """Go to four frames and add the pose of each where the cursor is."""
    button = None
    for name, (frame, place) in POSES.items():
        bpy.context.scene.frame_set(frame)
        node().cursor.location = place
        bpy.ops.ed.undo_push(message=f"Frame and cursor for {name}")
        yield REDRAW_PAUSE
        # The first pose takes away the note that there is none, and the button moves up.
        if len(node().collection.objects) < 2:
            button = yield from window.find_operator_button("motion_editing.add_tree_pose")
        yield from window.click(button.x, button.y)
        added = node().collection.objects[-1]
        added.name = name  # a step of undo together with the next frame
    check_equal(len(node().collection.objects), 4, "targets")
    node().cursor.location = (0.0, 0.0, 0.0)
    bpy.ops.ed.undo_push(message="Cursor in the middle")
    yield from window.click_operator("motion_editing.live_pose_tree")
    check(tree().live, "the button should let the cursor pose the rig")
    yield from window.screenshot("four-poses")


def drag_the_cursor(window: Window) -> Steps:
    """The pose follows the mouse; Esc gives it back, a click keeps it, Ctrl+Z takes it back."""
    middle = rotations()
    yield from drag(window, (0.75, 0.0, 0.6))
    check(rotations() != middle, "the rig should follow the dragged cursor")
    yield from window.screenshot("dragging")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal(rotations(), middle, "pose after Esc")

    yield from drag(window, POSES["Jump"][1])
    yield from window.press("LEFTMOUSE")
    yield REDRAW_PAUSE
    moved = rotations()
    check(moved != middle, "the rig should keep the pose of the new place")
    yield from window.screenshot("dragged")
    yield from window.undo()
    check_equal(rotations(), middle, "pose after Ctrl+Z")
    yield from window.redo()
    check_equal(rotations(), moved, "pose after redo")


def key_twice_and_play(window: Window) -> Steps:
    """Two keys of the cursor, one with the button and one with I, then scrubbing and playing."""
    bpy.context.scene.frame_set(10)
    bpy.ops.ed.undo_push(message="Frame 10")
    yield from window.click_operator("motion_editing.key_tree_cursor")
    first = rotations()
    bpy.context.scene.frame_set(40)
    bpy.ops.ed.undo_push(message="Frame 40")
    yield from drag(window, (-0.8, 0.0, -0.5))
    yield from window.press("LEFTMOUSE")
    yield REDRAW_PAUSE
    second = rotations()
    yield from window.press("I")
    yield REDRAW_PAUSE
    action = node().cursor.animation_data.action
    curve = next(c for la in action.layers for s in la.strips for b in s.channelbags for c in b.fcurves)
    check_equal(len(curve.keyframe_points), 2, "keys of the cursor")
    yield from window.screenshot("keyed")
    yield from scrub(window, first, second)


def scrub(window: Window, first: tuple[float, ...], second: tuple[float, ...]) -> Steps:
    """The pose follows the keyed cursor at any frame, and while Blender plays."""
    scene = bpy.context.scene
    for frame, expected in ((10, first), (40, second)):
        scene.frame_set(frame)
        yield REDRAW_PAUSE
        away = max(abs(one - other) for one, other in zip(rotations(), expected, strict=True))
        check(away < 0.01, f"frame {frame} should have the pose that was keyed, it is {away:.3f} away")
    scene.frame_set(25)
    yield REDRAW_PAUSE
    check(rotations() not in (first, second), "between the keys the pose should be between them")
    yield from window.screenshot("scrubbed")
    scene.frame_set(10)
    seen = set()
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("SPACE")
    for _look in range(12):
        yield 0.1
        seen.add(rotations())
    yield from window.press("SPACE")
    yield from wait_until(lambda: not window.blender.screen.is_animation_playing, "playback should stop")
    check(len(seen) > 3, f"the pose should change while Blender plays, {len(seen)} were seen")


def selection_and_overlays(window: Window) -> Steps:
    """Selected targets have the selection's colour; Blender's overlay switch hides everything."""
    bpy.context.scene.frame_set(25)
    bpy.ops.object.select_all(action="DESELECT")
    for name in ("Punch", "Walk"):
        bpy.data.objects[name].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Punch"]
    yield REDRAW_PAUSE
    yield from window.screenshot("selected-targets")
    overlay = window.area("VIEW_3D").spaces.active.overlay
    overlay.show_overlays = False
    yield REDRAW_PAUSE
    yield from window.screenshot("overlays-off")
    overlay.show_overlays = True
    bpy.ops.ed.undo_push(message="Selection")


def bake(window: Window, original: str) -> Steps:
    """The button writes keys, and the keys give the same poses."""
    bpy.context.scene.frame_set(25)
    yield REDRAW_PAUSE
    before = rotations()
    make_active(owner())
    yield from window.click_operator("motion_editing.bake_pose_tree")
    yield from wait_until(lambda: not tree().live, "Bake should leave the rig to its keys", 60.0)
    yield REDRAW_PAUSE
    check(keys() != original, "Bake should write keys")
    bpy.context.scene.frame_set(26)
    bpy.context.scene.frame_set(25)
    away = max(abs(one - other) for one, other in zip(rotations(), before, strict=True))
    check(away < 0.01, f"the baked pose should be the live one, it is {away:.3f} away")
    yield from window.screenshot("baked")


def undo_everything(window: Window, original: str, action: str) -> Steps:
    """Ctrl+Z until there is no tree."""
    yield from window.hover(window.region("VIEW_3D"))
    for _step in range(40):
        yield from window.press("Z", ctrl=True)
        yield 2 * EVENT_PAUSE
        if tree().version == 0:
            break
    check_equal(tree().version, 0, "a tree after undoing everything")
    check_equal(owner().animation_data.action.name, action, "the armature's action")
    check_equal(keys(), original, "keys after undoing everything")
    check(not [thing for thing in bpy.data.objects if thing.type == "EMPTY"], "no Empty should be left")
    overlay = module("motion_editing_addon.pose_tree.overlay")
    check_equal(overlay.handled_stages(), set(), "draw handlers without a tree")
    yield from window.screenshot("undone")


def show_everything(window: Window) -> Steps:
    """A tree with a child, an embedded motion, an edited pose, its branch, and a suggestion: to be looked at."""
    armature, scene, tools = owner(), bpy.context.scene, bpy.ops.motion_editing
    make_active(armature)
    action = armature.animation_data.action.name
    tools.add_pose_tree(live=False)
    node().cursor.location = (-0.2, 0.0, 1.1)
    tools.embed_action(action=action, layout_of="VARIANCE_3D", use_range=True, first=55, last=130, count=10)
    tools.pick_path_pose(frame=30)
    picked = node().collection.objects[-1]
    picked.location.z += 0.8
    bpy.context.view_layer.update()
    tools.make_tree_branch(margin=18)
    tools.add_tree_node(name="Right Arm", parent=node().name)
    tools.limit_tree_node(what="NAMED", names="upper_arm.R, forearm.R, hand.R")
    for frame, place in ((60, (-0.6, 0.0, -0.4)), (178, (0.6, 0.0, -0.4)), (74, (0.0, 0.0, 0.6))):
        scene.frame_set(frame)
        tree().nodes[1].cursor.location = place
        bpy.context.view_layer.update()
        tools.add_tree_pose(name=f"Arm {frame}")
    tree().nodes[1].cursor.location = (0.1, 0.0, 0.0)
    tree().active = 0
    node().cursor.location = (0.4, 0.0, 0.5)
    bpy.context.view_layer.update()
    scene.frame_set(86)
    tools.suggest_tree_place(follow=False)
    tools.live_pose_tree(state="ON")
    bpy.ops.object.select_all(action="DESELECT")
    yield from look_at_the_character(window)
    view = window.area("VIEW_3D").spaces.active.region_3d
    view.view_location, view.view_distance = (2.5, 0.0, 0.85), 3.9
    yield REDRAW_PAUSE
    yield from window.screenshot("path-branch-child-suggestion")


def show_larger(window: Window) -> Steps:
    """The same with a larger interface: words, lines and figures grow with it."""
    bpy.context.preferences.view.ui_scale = 1.5
    yield REDRAW_PAUSE
    yield from window.screenshot("larger-interface")
    bpy.context.preferences.view.ui_scale = 1.0
