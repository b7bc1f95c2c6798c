"""Scenes in which operators can be called: with some figures, a second action, a sound and whatever else they need."""

from __future__ import annotations

import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from tempfile import mkdtemp

import bpy
import numpy as np
from control_rigs import key_steps, traveller_rig

RATE = 15


def other_action() -> None:
    bpy.context.object.animation_data.action.copy().name = "Other"


def second_figure() -> None:
    open_scene(figures=2)


def second_character() -> None:
    second_figure()
    figure = bpy.context.object
    figure.animation_data.action.motion_editing_timeline.second = bpy.data.objects["Sample.001"]


def preview_range() -> None:
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 20, 32


def selected_bones() -> None:
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="SELECT")


def curve() -> None:
    figure = bpy.context.object
    bpy.ops.curve.primitive_nurbs_path_add(radius=4.0)
    bpy.context.object.name = "Path"
    bpy.context.view_layer.objects.active = figure


def spike() -> None:
    """A hand that is somewhere else for one frame."""
    from motion_editing.motion_editing_addon.border import action_io

    figure = bpy.context.object
    bag = action_io.channelbag(figure)
    for each in bag.fcurves:
        if each.data_path == 'pose.bones["hand.L"].rotation_quaternion':
            points = each.keyframe_points if len(each.keyframe_points) else each.sampled_points
            points[len(points) // 3].co[1] = 0.5
            each.update()


def sound() -> None:
    """Clicks twice a second."""
    path = f"{bpy.app.tempdir}clicks.wav"
    samples = np.zeros(8000 * 12, dtype=np.int16)
    for start in range(0, len(samples), 4000):
        samples[start : start + 200] = 20000
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(samples.tobytes())
    editor = bpy.context.scene.sequence_editor_create()
    strips = editor.strips if hasattr(editor, "strips") else editor.sequences
    strips.new_sound("Clicks", path, channel=1, frame_start=1)


def linked_action() -> None:
    """The figure plays an action of another file."""
    data, path = bpy.context.object.animation_data, f"{mkdtemp()}/library.blend"
    own = data.action
    bpy.data.libraries.write(path, {own})
    with bpy.data.libraries.load(path, link=True) as (_there, wanted):
        wanted.actions = [own.name]
    data.action = wanted.actions[0]
    data.action_slot = wanted.actions[0].slots[0]
    bpy.data.actions.remove(own)


def control_rig() -> None:
    """A rig with a switch between IK and FK takes some steps, and is active."""
    for thing in bpy.context.selected_objects:
        thing.select_set(False)
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l", "c_foot_ik.r"), carrier="c_traj")
    rig.select_set(True)
    bpy.context.view_layer.objects.active = rig


BY_HAND = {
    function.__name__.replace("_", " "): function
    for function in (
        other_action,
        second_figure,
        second_character,
        preview_range,
        selected_bones,
        curve,
        spike,
        sound,
        linked_action,
        control_rig,
    )
}


@cache
def scene_file(figures: int) -> str:
    """A scene with some figures, the first one active; opening it takes a twentieth of the time of making it."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.render.fps = RATE
    for _ in range(figures):
        bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    bpy.data.objects["Sample"].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Sample"]
    bpy.context.scene.frame_set(30)
    # Blender clears its own temporary folder when it starts anew.
    path = f"{mkdtemp()}/{figures}.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def open_scene(*, figures: int = 1) -> None:
    bpy.ops.wm.open_mainfile(filepath=scene_file(figures), load_ui=False)
    for change in _changes:
        change()


# What is done to every scene that is opened.
_changes: list[Callable[[], None]] = []


@contextmanager
def scenes_changed(change: Callable[[], None]) -> Iterator[None]:
    """Let every scene be changed as soon as it is opened."""
    _changes.append(change)
    try:
        yield
    finally:
        _changes.remove(change)
