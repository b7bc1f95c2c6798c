"""Smooth with the mouse: the rig follows, no key changes; Esc leaves nothing, Enter keeps it, one Ctrl+Z undoes it."""

from __future__ import annotations

import time
from collections.abc import Generator
from hashlib import blake2b

import bpy
from harness import Window, check, check_equal
from window_input import REDRAW_PAUSE, Steps

FRAME = 70  # in the sample motion's jump
ADDON = "bl_ext.user_default.motion_editing.motion_editing_addon"


def keys() -> str:
    """A digest of every key of the active armature's action."""
    import numpy as np

    action = bpy.context.object.animation_data.action
    curves = [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]
    digest = blake2b(digest_size=8)
    for curve in curves:
        for name in ("co", "handle_left", "handle_right"):
            values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
            curve.keyframe_points.foreach_get(name, values)
            digest.update(values)
    return digest.hexdigest()


def matrices() -> list[float]:
    """Where the bones are."""
    posed = bpy.context.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [value for bone in posed.pose.bones for row in bone.matrix for value in row]


def pose() -> str:
    """A digest of where the bones are."""
    return blake2b(repr(matrices()).encode(), digest_size=8).hexdigest()


def channels() -> str:
    """A digest of the bones' own properties."""
    bones = bpy.context.object.pose.bones
    values = [(*b.location, *b.rotation_quaternion, *b.rotation_euler, *b.scale) for b in bones]
    return blake2b(repr(values).encode(), digest_size=8).hexdigest()


def running(window: Window) -> list[str]:
    """The tools that have taken over mouse and keys."""
    return [operator.bl_idname for operator in window.blender.modal_operators]


def followers() -> list[object]:
    """What the add-on does on every change of frame."""
    return [each for each in bpy.app.handlers.frame_change_post if each.__module__.startswith(ADDON)]


def check_nothing_left(window: Window) -> None:
    """The tool has ended and taken its handler with it."""
    check_equal(running(window), [], "running tools")
    check_equal(followers(), [], "handlers")


def travel(window: Window, pixels: int) -> Steps:
    """Move the mouse sideways from the middle of the viewport."""
    middle = window.middle_of(window.region("VIEW_3D"))
    for part in range(1, 11):
        yield from window.glide(middle.x + pixels * part / 10, middle.y)
        yield 0.03
    yield REDRAW_PAUSE


def sample_at(window: Window, frame: int) -> Generator[float, None, tuple[str, str, str]]:
    """The sample motion at a frame, to which Ctrl+Z leads back; gives its keys, channels and pose."""
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    bpy.context.scene.frame_set(frame)
    bpy.ops.ed.undo_push(message="Frame chosen")
    yield REDRAW_PAUSE
    return keys(), channels(), pose()


def scenario(window: Window) -> Steps:
    """Try the slider, leave it, use it, undo it."""
    before = yield from sample_at(window, FRAME)

    yield from esc_restores(window, before)
    yield from another_frame_while_it_runs(window, before)
    yield from enter_keeps(window, before)
    yield from updates_per_second(window)
    yield from an_error_ends_it_cleanly(window)


def start(window: Window) -> Steps:
    """Call the tool by its name; its button is far down in the sidebar, where looking for it takes a minute."""
    yield from window.call("Smooth Motion")
    check_equal(running(window), ["MOTION_EDITING_OT_smooth"], "the search should start the slider")
    yield from window.hover(window.region("VIEW_3D"))


def esc_restores(window: Window, before: tuple) -> Steps:
    """While the mouse moves the rig changes and the keys do not."""
    yield from start(window)
    yield from travel(window, 150)
    first = pose()
    check(first != before[2], "the mouse should change the pose")
    check_equal(keys(), before[0], "keys while the mouse moves")
    yield from window.screenshot("radius-by-mouse")
    yield from travel(window, 400)
    check(pose() not in (first, before[2]), "a larger radius should change the pose further")
    yield from window.press("TAB")
    yield from travel(window, 250)
    yield from window.screenshot("strength-by-mouse")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal((keys(), channels(), pose()), before, "everything after Esc")
    check_nothing_left(window)
    yield from window.screenshot("after-esc")


def another_frame_while_it_runs(window: Window, before: tuple) -> Steps:
    """The arrow keys go on to Blender, and the preview follows."""
    yield from start(window)
    yield from travel(window, 300)
    previewed = pose()
    yield from window.press("RIGHT_ARROW")
    yield REDRAW_PAUSE
    check_equal(bpy.context.scene.frame_current, FRAME + 1, "frame after the right arrow")
    following = pose()
    yield from window.press("LEFT_ARROW")
    yield REDRAW_PAUSE
    check_equal(pose(), previewed, "the preview back at its frame")
    yield from window.press("RIGHT_ARROW")
    yield from window.press("RIGHTMOUSE")
    yield REDRAW_PAUSE
    check(pose() != following, "a right click should take the preview away")
    bpy.context.scene.frame_set(FRAME)
    check_equal((keys(), channels(), pose()), before, "everything after a right click")
    # The arrow keys were steps of their own.
    bpy.ops.ed.undo_push(message="Back at the frame")
    check_nothing_left(window)


def enter_keeps(window: Window, before: tuple) -> Steps:
    """A typed number, Enter, and one Ctrl+Z."""
    yield from start(window)
    yield from window.type_text("0.25")
    previewed = matrices()
    check(pose() != before[2], "a typed number should change the pose")
    yield from window.screenshot("typed")
    yield from window.press("RET")
    yield REDRAW_PAUSE
    check(keys() != before[0], "Enter should change the keys")
    away = max(abs(now - then) for now, then in zip(matrices(), previewed, strict=True))
    check(away < 1e-5, f"the result should be what was shown, it is {away} away")
    check_nothing_left(window)
    yield from window.screenshot("after-enter")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("F9")
    yield REDRAW_PAUSE
    yield from window.screenshot("redo-panel")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    yield from window.undo()
    check_equal((keys(), pose()), (before[0], before[2]), "keys and pose after one Ctrl+Z")
    check_equal(len(bpy.data.actions), 1, "actions after Ctrl+Z")


def an_error_ends_it_cleanly(window: Window) -> Steps:
    """A tool that fails in the middle of a movement leaves no text, cursor, pose or handler behind."""
    bpy.utils.register_class(failing_tool())
    before = keys(), channels()
    yield from window.hover(window.region("VIEW_3D"))
    with bpy.context.temp_override(window=window.blender, area=window.area("VIEW_3D"), region=window.region("VIEW_3D")):
        bpy.ops.motion_editing.failing("INVOKE_DEFAULT")
    check_equal(running(window), ["MOTION_EDITING_OT_failing"], "the tool should run")
    yield from travel(window, 50)
    check(channels() != before[1], "the tool should show something before it fails")
    yield from travel(window, 400)
    yield from travel(window, 0)
    check_equal((keys(), channels()), before, "everything after an error")
    check_nothing_left(window)
    yield from window.screenshot("after-an-error")


def failing_tool() -> type:
    """A tool that has a mistake for large values."""
    from importlib import import_module

    base = import_module(f"{ADDON}.interface.operators.operator").MotionEditOperator
    smooth = import_module("bl_ext.user_default.motion_editing.core.filters").Smooth

    class Failing(smooth):
        """A mistake in a tool"""

        def apply(self, take: object) -> object:
            if self.radius > 0.5:
                raise RuntimeError("a mistake in a tool, as this scenario wants it")
            return super().apply(take)

    content = {
        "bl_idname": "motion_editing.failing",
        "bl_label": "Failing",
        "tool": Failing,
        "__annotations__": import_module(f"{ADDON}.border.tool_properties").properties_of(Failing),
    }
    return type("MOTIONEDIT_OT_failing", (base, bpy.types.Operator), content)


def updates_per_second(window: Window) -> Steps:
    """How often the rig follows; printed, since software drawing takes most of the time here."""
    poses, seconds = set(), time.monotonic()
    yield from start(window)
    middle = window.middle_of(window.region("VIEW_3D"))
    for step in range(60):
        yield from window.glide(middle.x + 3 * step, middle.y)
        if step == 10:
            poses, seconds = set(), time.monotonic()
        poses.add(channels())
    seconds = time.monotonic() - seconds
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    print(f"{len(poses) / seconds:.1f} different poses a second while the mouse moves")
    check(len(poses) > 10, "the rig should follow the mouse")
