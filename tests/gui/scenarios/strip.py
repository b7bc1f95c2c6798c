"""The strip in the Dope Sheet and Timeline: seen, hovered over, dragged, given up, undone; trails in the 3D View."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from harness import Window, check, check_equal
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

ADDON = "bl_ext.user_default.motion_editing"
LOW_AREA, HIGH_AREA = 60, 320


def module(path: str) -> Any:
    """A module of the installed extension."""
    return __import__(f"{ADDON}.{path}", fromlist=["_"])


class Poses:
    """Poses found in the armature's motion, kept as offsets of the scene's custom properties so that undo sees them."""

    def __init__(self) -> None:
        """Find the poses of the active armature."""
        scope, extraction = module("motion_editing_addon.scope"), module("core.staggered.extraction")
        saved, rows = module("motion_editing_addon.character.saved"), module("motion_editing_addon.strip.limb_rows")
        armature = bpy.context.object
        self.clip = scope.read_clip(bpy.context, armature)
        self.body = saved.body_of(armature, self.clip)
        found = extraction.extract_poses(self.clip.motion, self.body)
        chosen = extraction.cull(found, share=0.7)
        limbs, joint_rows = rows.limb_rows(bpy.context, self.body)
        frames, rate = self.clip.frames, self.clip.motion.rate
        self.found = module("motion_editing_addon.strip").StaggerLaneData(
            pose_frames=frames[found.frames[chosen]],
            knot_frames=frames[found.frames[chosen]][:, None] + found.refinements[chosen] * rate,
            joint_names=self.clip.motion.skeleton.names,
            rows=limbs,
            joint_rows=joint_rows,
            probability_frames=frames,
            probability=found.probability,
            selected_pose=5,
            pinned=np.arange(len(chosen)) % 6 == 3,
        )
        self.preview: dict[tuple[int, int], float] = {}
        self.calls: list[tuple] = []

    def data(self, _context: bpy.types.Context) -> Any:
        """The poses with what was dragged."""
        frames, knots = self.found.pose_frames.copy(), self.found.knot_frames.copy()
        for (pose, joint), moved in [*saved_moves().items(), *self.preview.items()]:
            if joint < 0:
                frames[pose] += moved
                knots[pose] += moved
            else:
                knots[pose, joint] += moved
        picked = bpy.context.scene.get("picked", self.found.selected_pose)
        return replace(self.found, pose_frames=frames, knot_frames=knots, selected_pose=picked)

    def drag_pose(self, context: bpy.types.Context, pose: int, frame: float, *, final: bool) -> None:
        """Move a pose."""
        self.preview.clear()
        self._move(context, (pose, -1), frame - self.data(context).pose_frames[pose], final)

    def drag_knot(self, context: bpy.types.Context, pose: int, joint: int, frame: float, *, final: bool) -> None:
        """Move a knot."""
        self.preview.clear()
        self._move(context, (pose, joint), frame - self.data(context).knot_frames[pose, joint], final)

    def _move(self, context: bpy.types.Context, what: tuple[int, int], distance: float, final: bool) -> None:
        self.calls.append((*what, distance, final))
        if final:
            name = f"move {what[0]} {what[1]}"
            context.scene[name] = context.scene.get(name, 0.0) + distance
        else:
            self.preview[what] = distance

    def cancel(self, _context: bpy.types.Context) -> None:
        """Forget the drag."""
        self.calls.append(("cancel",))
        self.preview.clear()

    def pick(self, context: bpy.types.Context, pose: int) -> None:
        """Remember the pose."""
        context.scene["picked"] = pose


def saved_moves() -> dict[tuple[int, int], float]:
    """Moves of poses and knots that were let go."""
    scene = bpy.context.scene
    names = [name for name in scene.keys() if name.startswith("move ")]  # noqa: SIM118
    return {(int(name.split()[1]), int(name.split()[2])): scene[name] for name in names}


def scenario(window: Window) -> Steps:
    """Everything the strip does, in all editors and at two UI scales."""
    bpy.ops.motion_editing.load_sample_motion()
    poses = Poses()
    strip = module("motion_editing_addon.strip")
    strip.add_lane(strip.StaggerLane(poses))
    bpy.ops.ed.undo_push(message="Poses")
    strip.redraw()
    yield from window.screenshot("timeline-too-low")
    yield from enlarge(window)
    yield from window.screenshot("timeline")
    yield from unchanged_redraw(window)
    yield from hovering(window, poses)
    yield from drag_pose(window, poses)
    yield from drag_knot(window, poses)
    yield from give_up(window, poses)
    yield from clicking(window, poses)
    yield from trails(window, poses)
    yield from editors(window)


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


def point_of(window: Window, poses: Poses, pose: int, joint: int | None = None) -> Point:
    """Where a pose's name or one of its knots is in the window."""
    overlay, theme = module("motion_editing_addon.strip.overlay"), module("motion_editing_addon.drawing.theme")
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        placed = overlay.stack_in(bpy.context).lanes[0]
    placement = overlay.placement_in(region, placed, theme.ui_scale(bpy.context))
    data, geometry = poses.data(bpy.context), placed.lane._picture._geometry
    item = module("motion_editing_addon.strip.stagger_data").StaggerItem(pose, joint)
    height = geometry.names_bottom + 8.0 if joint is None else geometry.joint_heights[joint]
    return Point(region.x + round(placement.across(data.frame_of(item))), region.y + round(placement.up(float(height))))


def unchanged_redraw(window: Window) -> Steps:
    """Nothing is built anew when nothing changed."""
    painter = module("motion_editing_addon.drawing.painter")
    before = painter.kept.builds
    check(before > 0, "drawing the strip should build batches")
    for _redraw in range(3):
        window.area("DOPESHEET_EDITOR").tag_redraw()
        yield REDRAW_PAUSE
    check_equal(painter.kept.builds, before, "batches built after redraws of nothing new")
    yield from measure(window)


def measure(window: Window) -> Steps:
    """Say how long drawing takes; the number depends on the machine, above all without a graphics card."""
    overlay = module("motion_editing_addon.strip.overlay")
    spent: list[float] = []

    def timed() -> None:
        start = time.perf_counter()
        overlay._draw()
        spent.append(time.perf_counter() - start)

    handle = bpy.types.SpaceDopeSheetEditor.draw_handler_add(timed, (), "WINDOW", "POST_PIXEL")
    for _redraw in range(5):
        window.area("DOPESHEET_EDITOR").tag_redraw()
        yield REDRAW_PAUSE
    bpy.types.SpaceDopeSheetEditor.draw_handler_remove(handle, "WINDOW")
    print(f"drawing the strip takes {1000 * float(np.median(spent)):.2f} ms", flush=True)


def arm_joint(poses: Poses) -> int:
    """A joint in the middle of an arm."""
    return poses.clip.motion.skeleton.names.index("forearm.R")


def hovering(window: Window, poses: Poses) -> Steps:
    """The mouse over a knot, a line, and away again."""
    state = module("motion_editing_addon.strip.hovering")
    point = point_of(window, poses, 9, arm_joint(poses))
    yield from window.move(point.x, point.y)
    yield from window.screenshot("hover-knot")
    check_equal(tuple(state.current().item), (9, arm_joint(poses)), "item under the mouse")
    point = point_of(window, poses, 12)
    yield from window.move(point.x, point.y)
    yield from window.screenshot("hover-pose")
    check_equal(tuple(state.current().item), (12, None), "item under the mouse")
    yield from window.hover(window.region("VIEW_3D"))
    yield EVENT_PAUSE
    check(state.current() is None, "nothing should be highlighted after the mouse has left the editor")


def press_and_move(window: Window, start: Point, distance: int) -> Steps:
    """Press the button and move it in small steps, without letting go."""
    yield from window.move(start.x, start.y)
    window.send("LEFTMOUSE", "PRESS")
    yield EVENT_PAUSE
    for step in range(1, 11):
        yield from window.glide(start.x + distance * step // 10, start.y)
        yield EVENT_PAUSE


def drag_pose(window: Window, poses: Poses) -> Steps:
    """Drag a pose by its name, undo and redo."""
    yield from press_and_move(window, point_of(window, poses, 12), 30)
    yield from window.screenshot("dragging-pose")
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    moved = saved_moves().get((12, -1), 0.0)
    check(moved > 1.0, f"the pose should have moved by some frames, not {moved}")
    finals = [call for call in poses.calls if call[-1] is True]
    check_equal(len(finals), 1, "final moves in one drag")
    yield from window.undo()
    check_equal(saved_moves(), {}, "moves after Ctrl+Z")
    yield from window.redo()
    check_equal(saved_moves(), {(12, -1): moved}, "moves after Shift+Ctrl+Z")


def drag_knot(window: Window, poses: Poses) -> Steps:
    """Drag one dot by the frames typed."""
    joint = arm_joint(poses)
    yield from press_and_move(window, point_of(window, poses, 9, joint), 20)
    yield from window.type_text("2.5")
    yield from window.screenshot("typing-frames")
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    check_equal(saved_moves()[9, joint], 2.5, "frames typed")


def give_up(window: Window, poses: Poses) -> Steps:
    """Esc and the right button bring everything back."""
    before = saved_moves()
    for button in ("ESC", "RIGHTMOUSE"):
        yield from press_and_move(window, point_of(window, poses, 15), -25)
        check(poses.preview, "the pose should follow the mouse")
        yield from window.press(button)
        window.send("LEFTMOUSE", "RELEASE")
        yield REDRAW_PAUSE
        check_equal(poses.preview, {}, f"preview after {button}")
        check_equal(poses.calls[-1], ("cancel",), f"last call after {button}")
    check_equal(saved_moves(), before, "moves after drags that were given up")


def clicking(window: Window, poses: Poses) -> Steps:
    """A click picks; a click beside it does what it always does."""
    point = point_of(window, poses, 3)
    yield from window.click(point.x, point.y)
    check_equal(bpy.context.scene.get("picked"), 3, "pose picked by a click")
    region = window.region("DOPESHEET_EDITOR")
    yield from window.click(region.x + region.width // 3, region.y + region.height - 10)
    check(bpy.context.scene.frame_current > 1, "a click on the ruler should still set the frame")


def trails(window: Window, poses: Poses) -> Steps:
    """Trails before and after, ghosts and a mode's name in the 3D View."""
    viewport, drawn = module("motion_editing_addon.drawing.viewport"), module("motion_editing_addon.drawing.trails")
    skeleton, positions = poses.clip.motion.skeleton, poses.clip.motion.poses.positions
    hand = skeleton.names.index("hand.R")
    after = positions[:, hand] + 0.15 * np.sin(np.linspace(0, 20, len(positions)))[:, None] * (0, 0, 1)
    ticks = np.searchsorted(poses.clip.frames, poses.found.pose_frames)
    parents = np.where(skeleton.parents == 0, -1, skeleton.parents)
    viewport.show(
        "test",
        trails=[(positions[:, hand], (1, 1, 1, 0.35), 1.0), drawn.Trail(after, (1, 0.6, 0.1, 1), 2.0, ticks)],
        ghosts=drawn.strobe(positions, parents, ticks[::3], (0.5, 0.7, 1.0, 0.5)),
    )
    viewport.show_mode("Editing extreme pose 4 · Enter applies · Esc cancels")
    area, region = window.area("VIEW_3D"), window.region("VIEW_3D")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        bpy.ops.view3d.view_all()
    yield from window.screenshot("trails")
    viewport.hide("test")
    viewport.hide_mode()
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
