"""The walk-through of pose trees, word for word; then selection, undoing all of it, and a larger tree to look at."""

from __future__ import annotations

from hashlib import blake2b

import bpy
from figure_in_view import click_bone, click_object, pixel_of, turn_up
from harness import Window, check, check_equal, wait_until
from lane_gestures import module
from manual_pictures import open_panel
from newcomer import go_to, play, press_button, switch_mode
from tree_in_window import look_at_the_character, make_active, node, owner, tree
from walkthrough import play as play_page
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Steps

UNDO_STEPS = 90  # every click and every change of mode is one
# Bones that are turned for each pose, and where the cursor is moved for it, in pixels.
POSES = (("upper_arm.R", (-70, 60)), ("upper_arm.L", (70, 60)), ("head", (70, -60)))


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
    bpy.context.preferences.edit.undo_steps = UNDO_STEPS
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    yield from window.open_sidebar("Motion")
    yield from press_button(window, "Load Sample Motion")
    yield from look_at_the_character(window)
    yield from open_panel(window, "Pose Tree")
    original, action, pose = keys(), owner().animation_data.action.name, rotations()
    steps = (add_tree, add_poses, move, key_and_play, bake)
    yield from play_page(window, "docs/pose_tree.md", "A first blend", *steps)
    yield from selection_and_overlays(window)
    yield from undo_everything(window, original, action)
    check_equal(rotations(), pose, "pose after undoing everything")
    yield from show_everything(window)
    yield from show_larger(window)


def add_tree(window: Window) -> Steps:
    """Select the armature and use **Add Pose Tree**. A space with a cursor appears beside the character."""
    yield from click_object(window, owner())
    yield from press_button(window, "Add Pose Tree")
    check(node().cursor is not None, "the space should have a cursor")


def add_poses(window: Window) -> Steps:
    """Move the cursor, pose the rig, use **Add Pose**. Do this for three poses or more, each at another place. The
    cursor goes first: as soon as there is a pose, the rig follows it, and what you posed before is gone."""
    posed = set()
    for bone, way in POSES:
        yield from move_cursor(window, way)
        yield from click_object(window, owner())
        yield from switch_mode(window, "POSE")
        yield from click_bone(window, bone)
        yield from turn_up(window, bone, 40.0)
        wanted = rotations()
        yield from press_button(window, "Add Pose")
        yield from switch_mode(window, "OBJECT")
        check_equal(rotations(), wanted, "pose of the rig after Add Pose")
        posed.add(wanted)
    check_equal((len(node().collection.objects), len(posed)), (3, 3), "targets, and poses that differ")


def move_cursor(window: Window, way: tuple[int, int], end: str = "LEFTMOUSE") -> Steps:
    """Click the cursor, press G, move the mouse and click, or give it up."""
    point = pixel_of(window, node().cursor.matrix_world.translation)
    yield from window.click(point.x, point.y)
    check_equal(bpy.context.object, node().cursor, "active object after a click on the cursor")
    yield from window.press("G")
    for part in range(1, 6):
        yield from window.glide(point.x + way[0] * part / 5, point.y + way[1] * part / 5)
        yield EVENT_PAUSE
    yield from window.press(end)
    yield REDRAW_PAUSE


def move(window: Window) -> Steps:
    """Move the cursor. The rig follows at once."""
    before = rotations()
    yield from move_cursor(window, (-70, 50), end="ESC")
    check_equal(rotations(), before, "pose after Esc")
    yield from move_cursor(window, (-70, 50))
    moved = rotations()
    check(moved != before, "the rig should keep the pose of the new place")
    yield from window.undo()
    check_equal(rotations(), before, "pose after Ctrl+Z")
    yield from window.redo()
    check_equal(rotations(), moved, "pose after redo")


def key_and_play(window: Window) -> Steps:
    """Use **Key Cursor** at a few frames and play. The keys are those of an ordinary Empty: change them in the Graph
    Editor, or give the cursor constraints."""
    poses = []
    for frame, way in ((12, (30, 20)), (40, (-60, -60))):
        yield from go_to(window, frame)
        yield from move_cursor(window, way)
        yield from press_button(window, "Key Cursor")
        poses.append(rotations())
    yield from go_to(window, 12)
    yield from play(window)
    yield from go_to(window, 26)
    check(rotations() not in poses, "between the keys the pose should be between them")


def bake(window: Window) -> Steps:
    """Click **Bake**. What you saw becomes keys of the bones, in a new action."""
    live, original, action = rotations(), keys(), owner().animation_data.action
    yield from press_button(window, "Bake")
    yield from wait_until(lambda: not tree().live, "Bake should leave the rig to its keys", 60.0)
    yield REDRAW_PAUSE
    check(owner().animation_data.action != action, "there should be a new action")
    check(keys() != original, "Bake should write keys")
    away = max(abs(one - other) for one, other in zip(rotations(), live, strict=True))
    check(away < 0.01, f"the baked pose should be the one that was seen, it is {away:.3f} away")


def selection_and_overlays(window: Window) -> Steps:
    """Selected targets have the selection's colour; Blender's overlay switch hides everything."""
    bpy.context.scene.frame_set(25)
    bpy.ops.object.select_all(action="DESELECT")
    for name in ("Pose", "Pose.001"):
        bpy.data.objects[name].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Pose"]
    yield REDRAW_PAUSE
    yield from window.screenshot("selected-targets")
    overlay = window.area("VIEW_3D").spaces.active.overlay
    overlay.show_overlays = False
    yield REDRAW_PAUSE
    yield from window.screenshot("overlays-off")
    overlay.show_overlays = True
    bpy.ops.ed.undo_push(message="Selection")


def undo_everything(window: Window, original: str, action: str) -> Steps:
    """Ctrl+Z until there is no tree."""
    yield from window.hover(window.region("VIEW_3D"))
    for _step in range(UNDO_STEPS):
        yield from window.press("Z", ctrl=True)
        yield 2 * EVENT_PAUSE
        if tree().version == 0:
            break
    check_equal(tree().version, 0, "a tree after undoing everything")
    check_equal(owner().animation_data.action.name, action, "the armature's action")
    check_equal(keys(), original, "keys after undoing everything")
    check(not [thing for thing in bpy.data.objects if thing.type == "EMPTY"], "no Empty should be left")
    overlay = module("motion_editing_addon.pose_tree.overlay.overlay")
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
