"""Two characters and music: see where punches hit, drag one so that it misses, let the walk follow the beats."""

from __future__ import annotations

import wave
from math import pi, radians
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from curve_snapshot import snapshot
from harness import Window, check, check_equal, wait_until
from lane_gestures import enlarge, header_at, let_go, module, point_of, press_and_move, view
from mathutils import Euler
from timeline_in_window import check_last_operator, check_same, shown, ticks, timeline
from window_input import REDRAW_PAUSE, Point, Steps

# Both stand here when they punch, this far apart: arms meet, but only if both strike at the same time.
STANCE, APART = -3.874, 1.4
HIT = 182.0  # frame of the first punch of the right hand
PUNCH = (175.0, 194.0)
SLIGHTLY, ENOUGH = 2.0, 6.5  # frames by which the punch is delayed: it still hits, it misses
BEAT, FIRST_BEAT, RATE, SECONDS = 0.5, 0.2, 8000, 13  # of the clicks, in seconds; samples a second


def scenario(window: Window) -> Steps:
    """Choose the second character, avoid its punches, then snap to the beats."""
    stage(window)
    bpy.ops.ed.undo_push(message="Two characters")
    yield from enlarge(window)
    yield from window.open_sidebar("Motion")
    yield from choose_second(window)
    yield from find_collisions(window)
    yield from select(window)
    yield from avoid(window)
    yield from snap(window)


def stage(window: Window) -> None:
    """The sample motion twice, face to face, and clicks to move to."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    bpy.ops.motion_editing.load_sample_motion()
    first = bpy.context.object
    second = first.copy()
    second.name = "Second"
    second.animation_data.action = first.animation_data.action.copy()
    second.animation_data.action_slot = second.animation_data.action.slots[0]
    second.rotation_euler = (0.0, 0.0, pi)
    second.location = (0.0, 2.0 * STANCE - APART, 0.0)
    bpy.context.scene.collection.objects.link(second)
    second.select_set(False)
    for armature in (first, second):
        armature.data.display_type = "OCTAHEDRAL"
    bpy.ops.motion_editing.find_contacts()
    add_clicks(window.results / "clicks.wav")
    look_at_both(window)


def add_clicks(path: Path) -> None:
    """A sound strip with a click on every beat."""
    samples = np.zeros(RATE * SECONDS)
    click = np.exp(-np.arange(800) / 160.0) * np.sin(np.arange(800))
    for beat in np.arange(FIRST_BEAT, SECONDS - 0.3, BEAT):
        samples[int(beat * RATE) :][:800] += click
    with wave.open(str(path), "w") as sound:
        sound.setparams((1, 2, RATE, 0, "NONE", ""))
        sound.writeframes((samples * 26000).astype("<i2").tobytes())
    bpy.context.scene.sequence_editor_create().strips.new_sound("Clicks", str(path), 1, 1)


def look_at_both(window: Window) -> None:
    """From the side, at the moment of the first hit."""
    bpy.context.scene.frame_set(int(HIT))
    camera = window.area("VIEW_3D").spaces.active.region_3d
    camera.view_rotation = Euler((radians(80), 0.0, radians(75))).to_quaternion()
    camera.view_location = (0.0, STANCE - 0.3 * APART, 0.85)
    camera.view_distance = 4.5


def hits(window: Window, row: int) -> list[float]:
    """Frames of the icons of a row on which something collides."""
    return [float(icon.frame) for icon in shown(window).icons if icon.row == row and np.any(icon.colliding)]


def choose_second(window: Window) -> Steps:
    """Choose the second character in the panel."""
    yield from window.screenshot("one-character")
    yield from window.click_property("motion_editing_timeline.second")
    yield REDRAW_PAUSE
    yield from window.type_text("Second")
    yield REDRAW_PAUSE
    yield from window.press("RET")
    yield REDRAW_PAUSE
    check(timeline().second is not None, "the second character should be chosen")
    check_equal(timeline().second.name, "Second", "second character")


def find_collisions(window: Window) -> Steps:
    """Both have a row of icons, every hit is marked in both, and the panel lists them."""
    yield from window.click_operator("motion_editing.find_collisions")
    yield from wait_until(lambda: len(timeline().collisions), "collisions should be found")
    check_equal([row.name for row in shown(window).rows], ["Second", "Sample"], "rows of icons")
    for item in timeline().collisions:
        for row in (0, 1):
            found = [frame for frame in hits(window, row) if item.start <= frame <= item.end]
            check(found, f"row {row} should show the hit from {item.start} to {item.end}: {hits(window, row)}")
    check(len(shown(window).waveform_frames) and len(shown(window).beats) > 20, "waveform and beats should be there")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.screenshot("two-characters")


def select(window: Window) -> Steps:
    """Choose the first punch of the right hand: the other punches of this hand are ticked."""
    yield from press_and_move(window, header_at(window, PUNCH[0]), header_at(window, PUNCH[1]))
    yield from let_go(window)
    yield from wait_until(lambda: timeline().has_window, "dragging across the strip should set the window")
    check_equal(sum(ticks()), 2, "ticked windows")


def avoid(window: Window) -> Steps:
    """Drag the pose of the hit: a little later it still hits, later it misses, and so do the other punches."""
    before, here = snapshot(), hits(window, 1)
    check(any(abs(frame - HIT) < 1.5 for frame in here), f"the punch at {HIT} should hit; hits are at {here}")
    start = hit_icon(window)
    yield from press_and_move(window, start, beside(window, start, SLIGHTLY))
    check(hits(window, 1), "a slightly later punch should still hit")
    yield from window.screenshot("still-hitting")
    end = beside(window, start, ENOUGH)
    for step in range(1, 9):
        yield from window.glide(start.x + (end.x - start.x) * step / 8, end.y)
        yield REDRAW_PAUSE / 4
    yield REDRAW_PAUSE
    check_same(before, "while a pose is dragged")
    check_equal((hits(window, 0), hits(window, 1)), ([], []), "hits on the strip while the punch is dragged away")
    yield from window.screenshot("avoiding")
    yield from let_go(window)
    yield from window.screenshot("avoided")
    check_last_operator("Move Pose")
    check_equal((hits(window, 0), hits(window, 1)), ([], []), "hits after the punch was dragged away")
    yield from window.undo()
    check_same(before, "after Ctrl+Z")
    check_equal(hits(window, 1), here, "hits after Ctrl+Z")


def hit_icon(window: Window) -> Point:
    """A place on the active character's icon of the first hit."""
    icons = shown(window).icons
    inside = [number for number, icon in enumerate(icons) if icon.row == 1 and abs(icon.frame - HIT) < 1.5]
    number = min(inside, key=lambda each: icons[each].rank)
    return point_of(window, number, "spine")


def beside(window: Window, place: Point, frames: float) -> Point:
    """The place so many frames later."""
    return Point(place.x + header_at(window, frames).x - header_at(window, 0.0).x, place.y)


def snap(window: Window) -> Steps:
    """Snap to Beats in the panel: every step of the walk is on a beat."""
    check(max(off_beat(window)) > 1.0, f"some steps should be off the beat: {off_beat(window)}")
    yield from window.click_operator("motion_editing.snap_to_beats")
    yield from wait_until(lambda: not window.blender.modal_operators, "Snap to Beats should end")
    yield REDRAW_PAUSE
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.screenshot("on-the-beats")
    check(max(off_beat(window)) < 1.0, f"every step should be within a frame of a beat: {off_beat(window)}")
    check(max(landings_off_beat(window)) < 1.0, f"feet should land on beats: {landings_off_beat(window)}")
    for _step in range(6):
        yield from view(window, "zoom_in")
    yield from window.screenshot("on-the-beats-nearer")


def off_beat(window: Window) -> list[float]:
    """How far every footfall that the contacts tell is from a beat, in frames."""
    data = shown(window)
    steps = [frame for frame in data.contact_times if frame > bpy.context.scene.frame_start + 0.5]
    return nearest(np.array(steps), data.beats)


def landings_off_beat(window: Window) -> list[float]:
    """The same for the steps of the walk as they are seen in the motion itself, toes first or heel first."""
    scope, contacts = module("motion_editing_addon.document.scope"), module("core.analysis.contacts")
    clip = scope.read_clip(bpy.context, bpy.context.object)
    body = module("motion_editing_addon.document.character.saved_body").body_of(bpy.context.object)
    found: Any = contacts.detect_contacts(clip.motion, body)
    starts = sorted(start * clip.motion.rate for joint in found.joints for start, _end in found.of(joint))
    walk = [frame for frame in starts if 2.0 < frame < PUNCH[0] - 2.0]
    steps = np.split(walk, np.flatnonzero(np.diff(walk) > 4.0) + 1)
    return [min(nearest(step, shown(window).beats)) for step in steps]


def nearest(frames: np.ndarray, beats: np.ndarray) -> list[float]:
    """Distance of every frame to its beat."""
    return [round(float(np.abs(beats - frame).min()), 2) for frame in frames]
