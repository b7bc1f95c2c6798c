"""Tools that follow the mouse or work for long, while scripts take away what they work on.

A script, a timer or another window can undo, open a file, delete things and disable the extension at any moment. Every
tool must end by itself then and leave nothing behind: no timer, handler, text, cursor or drawing.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Generator
from tempfile import mkdtemp

import bpy
from harness import Window, check
from lane_gestures import ADDON, enlarge, header_at, module, point_of
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Steps

BONE = "forearm.R"
FILE = f"{mkdtemp()}/attacked.blend"
Start = Callable[[Window], Steps]


class Noted(io.TextIOBase):
    """Passes on what is printed as an error, and keeps it."""

    def __init__(self) -> None:
        self.text, self._screen = "", sys.stderr

    def write(self, text: str) -> int:
        """Keep it, too."""
        self.text += text
        return self._screen.write(text)


NOTED = Noted()


def scenario(window: Window) -> Steps:
    """Every tool while undo, another file and its share of the rest come in between."""
    sys.stderr = NOTED
    yield from prepare(window)
    found = []
    for number, (tool, start) in enumerate(TOOLS.items()):
        for attack in (undo, load, *OTHERS[number % 3 :: 3]):
            problem = yield from attacked(window, tool, start, attack)
            if problem:
                found.append(f"{tool}, {attack.__name__}: {problem}")
    check(not found, "every tool should end by itself and leave nothing behind:\n" + "\n".join(found))


def prepare(window: Window) -> Steps:
    """The sample motion in a file, in pose mode, with a window in the strip and a layer."""
    yield from enlarge(window)
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.find_similar(start=30.0, end=45.0)
    bpy.ops.motion_editing.add_layer()
    figure = bpy.context.object
    bpy.ops.object.mode_set(mode="POSE")
    figure.data.bones.active = figure.data.bones[BONE]
    bpy.ops.wm.save_as_mainfile(filepath=FILE)
    yield REDRAW_PAUSE


def attacked(window: Window, tool: str, start: Start, attack: Callable[[], None]) -> Generator[float, None, str]:
    """Start a tool, attack it and go on with the mouse; gives what is wrong afterwards."""
    bpy.ops.wm.open_mainfile(filepath=FILE)
    yield EVENT_PAUSE
    bpy.context.scene.frame_set(20)
    bpy.ops.ed.undo_push(message="Before")
    NOTED.text = ""
    yield from start(window)
    if not is_on(window, tool):
        return "it did not start"
    attack()
    yield EVENT_PAUSE
    yield from wiggle(window)
    # What is left of the tool must not take the click for a confirmation.
    for key in ("RET", "LEFTMOUSE", "ESC"):
        window.send(key, "RELEASE" if key == "LEFTMOUSE" else "PRESS")
    yield EVENT_PAUSE
    window.send("ESC", "RELEASE")
    enable()
    bpy.context.scene.frame_set(21)
    yield EVENT_PAUSE
    return problem_now(window)


def problem_now(window: Window) -> str:
    """What is still there, or was printed as an error."""
    viewport = module("motion_editing_addon.interface.drawing.viewport")
    followers = [each for each in bpy.app.handlers.frame_change_post if "preview" in each.__module__]
    left = {
        "tools": [operator.bl_idname for operator in window.blender.modal_operators],
        "held": module("motion_editing_addon.interface.operators.running_tools").running(),
        "drawn": [*viewport.shown()],
        "handlers": followers,
    }
    if any(left.values()):
        return f"left are {left}"
    return NOTED.text.strip().rpartition("\n")[2] if "Traceback" in NOTED.text else ""


def is_on(window: Window, tool: str) -> bool:
    """Whether a tool has taken over mouse and keys, or a layer is being edited."""
    running = [operator.bl_idname.lower() for operator in window.blender.modal_operators]
    return f"motion_editing_ot_{tool}" in running or bool(bpy.context.object.motion_editing_layer_edit.layer)


def wiggle(window: Window) -> Steps:
    """Some movements of the mouse around where it is."""
    x, y = window._mouse.x, window._mouse.y
    for across in (10, 25):
        yield from window.glide(x + across, y + 5)


# Tools


def called(name: str) -> Start:
    """A tool that is called over the 3D View and follows the mouse."""

    def start(window: Window) -> Steps:
        area, region = window.area("VIEW_3D"), window.region("VIEW_3D")
        yield from window.hover(region)
        with bpy.context.temp_override(window=window.blender, area=area, region=region):
            getattr(bpy.ops.motion_editing, name)("INVOKE_DEFAULT")
        yield from wiggle(window)

    return start


def strip_drag(window: Window) -> Steps:
    """An end of the window in the strip, held with the mouse."""
    point = header_at(window, 45.0)
    yield from window.move(point.x, point.y)
    window.send("LEFTMOUSE", "PRESS")
    yield EVENT_PAUSE
    yield from wiggle(window)


def strip_menu(window: Window) -> Steps:
    """The menu of the window in the strip."""
    point = header_at(window, 38.0)
    yield from window.move(point.x, point.y)
    yield from window.press("RIGHTMOUSE")
    yield from wiggle(window)


def strip_brush(window: Window) -> Steps:
    """A stroke over a pose icon, with the button down."""
    point = point_of(window, 0, BONE)
    yield from window.move(point.x, point.y)
    window.send("LEFTMOUSE", "PRESS", ctrl=True)
    yield EVENT_PAUSE
    yield from wiggle(window)


def long_work(window: Window) -> Steps:
    """Work on all bones that goes on in the background, as after a gesture in the strip."""
    bpy.ops.pose.select_all(action="DESELECT")
    with module("motion_editing_addon.interface.operators.long_work").deferred(lambda: None):
        bpy.ops.motion_editing.reduce_keys("INVOKE_DEFAULT", rotation_error=0.001)
    yield from wiggle(window)


def layer_edit(_window: Window) -> Steps:
    """A mode that goes on after the tool that began it: keys that Blender sets go into the layer."""
    bpy.ops.motion_editing.edit_layer()
    bpy.context.object.pose.bones[BONE].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    bpy.context.object.pose.bones[BONE].keyframe_insert("rotation_quaternion")
    yield EVENT_PAUSE / 5


TOOLS = {
    "smooth": called("smooth"),
    "low_pass": called("low_pass"),
    "drag_joint": called("drag_joint"),
    "equalize": called("equalize"),
    "strip_drag": strip_drag,
    "strip_menu": strip_menu,
    "strip_brush": strip_brush,
    "reduce_keys": long_work,
    "edit_layer": layer_edit,
}


# Attacks


def undo() -> None:
    """Somebody undoes the last step."""
    bpy.ops.ed.undo()


def load() -> None:
    """Somebody opens a file."""
    bpy.ops.wm.open_mainfile(filepath=FILE)


def delete_object() -> None:
    """The figure goes."""
    bpy.data.objects.remove(bpy.context.object)


def delete_action() -> None:
    """Its keys go."""
    bpy.data.actions.remove(bpy.context.object.animation_data.action)


def delete_bone() -> None:
    """A bone goes."""
    figure = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    figure.data.edit_bones.remove(figure.data.edit_bones[BONE])
    bpy.ops.object.mode_set(mode="POSE")


def leave_mode() -> None:
    """Pose mode goes."""
    bpy.ops.object.mode_set(mode="OBJECT")


def other_scene() -> None:
    """Another scene comes into the window, without the figure."""
    bpy.context.window.scene = bpy.data.scenes.new("Other")


def disable() -> None:
    """The extension itself goes."""
    bpy.ops.preferences.addon_disable(module=ADDON)


def enable() -> None:
    """On again for the next one."""
    if ADDON not in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_enable(module=ADDON)


OTHERS = (delete_object, delete_action, delete_bone, leave_mode, other_scene, disable)
