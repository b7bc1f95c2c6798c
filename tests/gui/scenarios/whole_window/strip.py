"""The strip in the Dope Sheet and Timeline: seen, hovered over, dragged, given up, undone; trails in the 3D View."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from figure_in_view import pixel_of, place_on_bone
from harness import Window, check, check_equal
from lane_gestures import module, place_of, unchanged_redraws
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

LOW_AREA, HIGH_AREA = 60, 320


def poses() -> Any:
    """What the stagger lane shows now."""
    lane = next(lane for lane in module("motion_editing_addon.interface.strip").all_lanes() if lane.name == "stagger")
    return lane._provider.data(bpy.context)


def saved_frames() -> list[float]:
    """Frames of the poses that are saved with the action."""
    return [round(row.frame, 3) for row in bpy.context.object.animation_data.action.motion_editing_staggered.poses]


def keys() -> list[float]:
    """Values of all keys."""
    action, found = bpy.context.object.animation_data.action, []
    for curve in action.layers[0].strips[0].channelbags[0].fcurves:
        values = [0.0] * (2 * len(curve.keyframe_points))
        curve.keyframe_points.foreach_get("co", values)
        found += values
    return found


def scenario(window: Window) -> Steps:
    """Everything the strip does, in all editors and at two UI scales."""
    bpy.ops.motion_editing.load_sample_motion(character="MANNEQUIN")
    smile_and_blink()
    bpy.ops.motion_editing.extract_poses(share=0.7)
    for number in (3, 9):
        bpy.ops.motion_editing.pin_pose(pose=number)
    bpy.ops.ed.undo_push(message="Poses")
    yield from window.screenshot("timeline-too-low")
    yield from enlarge(window)
    yield from window.screenshot("timeline")
    yield from unchanged_redraws(window)
    yield from hovering(window)
    yield from drag_pose(window)
    yield from drag_knot(window)
    yield from give_up(window)
    yield from clicking(window)
    yield from keytimes(window)
    yield from trails(window)
    yield from editors(window)
    yield from face(window)


def mesh() -> Any:
    """The mannequin's skin."""
    return next(thing for thing in bpy.data.objects if thing.name.startswith("Mannequin") and thing.type == "MESH")


def smile_and_blink() -> None:
    """Keys for some shape keys of the face."""
    for number, name in enumerate(("smile", "blink.L", "blink.R")):
        block = mesh().data.shape_keys.key_blocks[name]
        for frame in range(1, 286, 15):
            block.value = 0.5 + 0.5 * np.sin(0.1 * frame + number)
            block.keyframe_insert("value", frame=frame)


def enlarge(window: Window) -> Steps:
    """Make the Timeline high enough."""
    area = window.area("DOPESHEET_EDITOR")
    edge = (area.x + area.width // 2, area.y + area.height)
    with bpy.context.temp_override(window=window.blender, screen=window.blender.screen):
        bpy.ops.screen.area_move(x=edge[0], y=edge[1], delta=HIGH_AREA - area.height)
    yield REDRAW_PAUSE
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        bpy.ops.action.view_all()
    yield REDRAW_PAUSE


def point_at(window: Window, placement: Any, frame: float, height: float) -> Point:
    """Where a frame and a height of a lane are in the window."""
    region = window.region("DOPESHEET_EDITOR")
    return Point(region.x + round(placement.across(frame)), region.y + round(placement.up(float(height))))


def point_of(window: Window, pose: int, joint: int | None = None) -> Point:
    """Where a pose's name or one of its knots is in the window."""
    lane, placement = place_of(window, "stagger")
    geometry = lane._picture._geometry
    item = module("motion_editing_addon.staggered.lane.stagger_data").StaggerItem(pose, joint)
    height = geometry.names_bottom + 8.0 if joint is None else geometry.joint_heights[joint]
    return point_at(window, placement, poses().frame_of(item), height)


def arm_joint() -> int:
    """A joint in the middle of an arm."""
    return poses().joint_names.index("forearm.R")


def hovering(window: Window) -> Steps:
    """The mouse over a knot, a line, and away again."""
    state, status = (
        module("motion_editing_addon.interface.strip.hover"),
        module("motion_editing_addon.interface.strip.status"),
    )
    point = point_of(window, 9, arm_joint())
    yield from window.move(point.x, point.y)
    yield from window.screenshot("hover-knot")
    check_equal(tuple(state.current().item), (9, arm_joint()), "item under the mouse")
    point = point_of(window, 12)
    yield from window.move(point.x, point.y)
    yield from window.screenshot("hover-pose")
    check_equal(tuple(state.current().item), (12, None), "item under the mouse")
    check("Move Pose" in status.shown(), f"the status bar should say what dragging does, not '{status.shown()}'")
    yield from window.hover(window.region("VIEW_3D"))
    yield EVENT_PAUSE
    check(state.current() is None, "nothing should be highlighted after the mouse has left the editor")
    check_equal(status.shown(), "", "hint in the status bar after the mouse has left the editor")


def press_and_move(window: Window, start: Point, distance: int) -> Steps:
    """Press the button and move it in small steps, without letting go."""
    yield from window.move(start.x, start.y)
    window.send("LEFTMOUSE", "PRESS")
    yield EVENT_PAUSE
    for step in range(1, 11):
        yield from window.glide(start.x + distance * step // 10, start.y)
        yield EVENT_PAUSE


def drag_pose(window: Window) -> Steps:
    """Drag a pose by its name, undo and redo."""
    frames, before = saved_frames(), keys()
    yield from press_and_move(window, point_of(window, 12), 30)
    yield from window.screenshot("dragging-pose")
    check(keys() == before, "no key may change while a pose is dragged")
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    moved = saved_frames()[12] - frames[12]
    check(moved > 1.0, f"the pose should have moved by some frames, not {moved}")
    check(keys() != before, "letting go should write the keys")
    yield from window.undo()
    check_equal(saved_frames(), frames, "frames of the poses after Ctrl+Z")
    check(keys() == before, "keys after Ctrl+Z should be those from before")
    yield from window.redo()
    check_equal(saved_frames()[12], round(frames[12] + moved, 3), "frame of the pose after Shift+Ctrl+Z")


def drag_knot(window: Window) -> Steps:
    """Drag one dot by the frames typed."""
    joint, frame = arm_joint(), float(poses().knot_frames[9][arm_joint()])
    yield from press_and_move(window, point_of(window, 9, joint), 20)
    yield from window.type_text("2.5")
    yield from window.screenshot("typing-frames")
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    check_equal(round(float(poses().knot_frames[9][joint]) - frame, 2), 2.5, "frames that the knot moved")


def give_up(window: Window) -> Steps:
    """Esc and the right button bring everything back."""
    before, frames = keys(), saved_frames()
    for button in ("ESC", "RIGHTMOUSE"):
        yield from press_and_move(window, point_of(window, 15), -25)
        check(poses().pose_frames[15] < frames[15] - 1.0, "the pose should follow the mouse")
        yield from window.press(button)
        window.send("LEFTMOUSE", "RELEASE")
        yield REDRAW_PAUSE
        check_equal(round(float(poses().pose_frames[15]), 3), frames[15], f"pose after {button}")
    check(keys() == before, "keys after drags that were given up")


def clicking(window: Window) -> Steps:
    """A click picks; a click beside it does what it always does."""
    point = point_of(window, 3)
    yield from window.click(point.x, point.y)
    settings = bpy.context.object.animation_data.action.motion_editing_staggered
    check_equal(settings.active, 3, "pose picked by a click")
    check_equal(bpy.context.scene.frame_current, round(settings.poses[3].frame), "frame after picking a pose")
    region = window.region("DOPESHEET_EDITOR")
    yield from window.click(region.x + region.width // 3, region.y + region.height - 10)
    check(bpy.context.scene.frame_current > 1, "a click on the ruler should still set the frame")


def keytimes(window: Window) -> Steps:
    """Keytimes are added and deleted where the mouse is; a near miss deletes no keys."""
    for frame in (100, 180):
        bpy.ops.motion_editing.add_keytime(frame=frame)
    bpy.ops.ed.undo_push(message="Keytimes")
    yield REDRAW_PAUSE
    found = bpy.context.object.animation_data.action.motion_editing_time.keytimes
    before = keys()
    yield from key_over_time_lane(window, "X", 140)
    check_equal((len(found), keys() == before), (4, True), "keytimes, and whether keys are left, after X on a span")
    yield from key_over_time_lane(window, "DEL", 100)
    check_equal([round(each.new) for each in found][1:-1], [180], "keytimes after Delete over one")
    yield from window.undo()
    found = bpy.context.object.animation_data.action.motion_editing_time.keytimes
    check_equal(len(found), 4, "keytimes after Ctrl+Z")
    # Simulated events are never double-clicks, so a key stands in for one.
    keymap = bpy.context.window_manager.keyconfigs.addon.keymaps["Dopesheet"]
    item = keymap.keymap_items.new("motion_editing.strip_add", "F5", "PRESS", head=True)
    yield from key_over_time_lane(window, "F5", 140)
    keymap.keymap_items.remove(item)
    check_equal([round(each.new) for each in found][1:-1], [100, 140, 180], "keytimes after adding one in the strip")
    yield from window.screenshot("keytimes")
    bpy.ops.motion_editing.clear_keytimes()


def key_over_time_lane(window: Window, key: str, frame: float) -> Steps:
    """Press a key with the mouse over the new times."""
    _lane, placement = place_of(window, "time")
    places = module("motion_editing_addon.guided_warp.lane.time_geometry")
    settings = bpy.context.object.animation_data.action.motion_editing_time
    height = places.Places(settings.plot_height).new_middle
    point = point_at(window, placement, frame, height)
    yield from window.move(point.x, point.y)
    yield from window.press(key)
    yield REDRAW_PAUSE


def trails(window: Window) -> Steps:
    """Trails before and after, ghosts and a mode's name in the 3D View."""
    viewport, drawn = (
        module("motion_editing_addon.interface.drawing.viewport"),
        module("motion_editing_addon.interface.drawing.trails"),
    )
    clip = module("motion_editing_addon.document.scope").read_clip(bpy.context, bpy.context.object)
    skeleton, positions = clip.motion.skeleton, clip.motion.poses.positions
    hand = skeleton.names.index("hand.R")
    after = positions[:, hand] + 0.15 * np.sin(np.linspace(0, 20, len(positions)))[:, None] * (0, 0, 1)
    ticks = np.searchsorted(clip.frames, poses().pose_frames)
    parents = np.where(skeleton.parents == 0, -1, skeleton.parents)
    viewport.show(
        "test",
        trails=[(positions[:, hand], (1, 1, 1, 0.35), 1.0), drawn.Trail(after, (1, 0.6, 0.1, 1), 2.0, ticks)],
        ghosts=[drawn.Ghost(positions[tick], parents, (0.5, 0.7, 1.0, 0.5), 1.5) for tick in ticks[::3]],
    )
    viewport.show_mode("test", "Editing extreme pose 4 · Enter applies · Esc cancels")
    area, region = window.area("VIEW_3D"), window.region("VIEW_3D")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        bpy.ops.view3d.view_all()
    yield from window.screenshot("trails")
    viewport.hide("test")
    viewport.hide_mode("test")
    check_equal(viewport.handled_stages(), set(), "draw handlers after hiding everything")


def editors(window: Window) -> Steps:
    """The same strip in the Dope Sheet, with markers, in large letters, and with the sidebar."""
    for frame in (30, 90):
        bpy.context.scene.timeline_markers.new(f"Step {frame}", frame=frame)
    window.area("DOPESHEET_EDITOR").ui_type = "DOPESHEET"
    yield REDRAW_PAUSE
    yield from window.screenshot("dope-sheet-markers")
    window.area("DOPESHEET_EDITOR").spaces.active.mode = "ACTION"
    yield from window.screenshot("action-editor")
    window.area("DOPESHEET_EDITOR").spaces.active.mode = "DOPESHEET"
    bpy.context.preferences.view.ui_scale = 1.5
    yield REDRAW_PAUSE
    yield from window.screenshot("dope-sheet-large")
    window.area("DOPESHEET_EDITOR").ui_type = "TIMELINE"
    yield REDRAW_PAUSE
    yield from window.screenshot("timeline-large")
    bpy.context.preferences.view.ui_scale = 1.0
    yield from window.open_sidebar("Motion")
    yield from window.screenshot("sidebar")
    bpy.context.scene.motion_editing_strip.show = False
    yield from window.screenshot("hidden")


def face(window: Window) -> Steps:
    """A click on the mesh: panels and strip are those of its armature, and a shape key of a pose is dragged."""
    bpy.context.scene.motion_editing_strip.show = True
    window.area("VIEW_3D").spaces.active.overlay.show_bones = False
    point = pixel_of(window, place_on_bone("chest", 0.5))
    yield from window.click(point.x, point.y)
    check_equal(bpy.context.object, mesh(), "what a click on the chest makes active")
    yield from window.screenshot("mesh-active")
    smile = poses().joint_names.index("smile")
    frame = float(poses().knot_frames[9][smile])
    bpy.context.scene.frame_set(round(frame) + 1)
    before = mesh().data.shape_keys.key_blocks["smile"].value
    yield from press_and_move(window, point_of(window, 9, smile), 20)
    yield from window.type_text("2")
    yield from window.screenshot("dragging-smile")
    check(mesh().data.shape_keys.key_blocks["smile"].value != before, "the face should follow the mouse")
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    check_equal(round(float(poses().knot_frames[9][smile]) - frame, 2), 2.0, "frames that the smile moved")
    yield from window.screenshot("smile-later")
