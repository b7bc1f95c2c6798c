"""Bones of the active armature and places of the scene, as they are seen and clicked in the 3D View."""

from __future__ import annotations

from math import atan2, cos, radians, sin

import bpy
from harness import ScenarioError, Window, check
from mathutils import Vector
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps


def pixel_of(window: Window, place: Vector) -> Point:
    """Where a place of the scene is seen."""
    from bpy_extras.view3d_utils import location_3d_to_region_2d

    region, space = window.region("VIEW_3D"), window.area("VIEW_3D").spaces.active
    found = location_3d_to_region_2d(region, space.region_3d, place)
    check(found is not None, "the place should be in front of the view")
    return Point(region.x + round(found[0]), region.y + round(found[1]))


def place_on_bone(name: str, share: float) -> Vector:
    """A place of the scene on a bone as it is posed now: 0 is its head, 1 its tail."""
    armature = bpy.context.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bone = armature.pose.bones[name]
    return armature.matrix_world @ bone.head.lerp(bone.tail, share)


def click_bone(window: Window, name: str, **modifiers: bool) -> Steps:
    """Click a bone where it is in the open."""
    for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.8):
        point = pixel_of(window, place_on_bone(name, share))
        yield from window.click(point.x, point.y, **modifiers)
        active = bpy.context.active_pose_bone
        if active is not None and active.name == name:
            return
    raise ScenarioError(f"a click should select {name}")


def turn_up(window: Window, name: str, degrees: float) -> Steps:
    """Press R at the end of a bone, move the mouse upwards around its head, and click."""
    head, tail = (pixel_of(window, place_on_bone(name, share)) for share in (0.0, 1.0))
    angle = atan2(tail.y - head.y, tail.x - head.x)
    # Counter-clockwise lifts what points to the right.
    way = 1.0 if cos(angle) > 0 else -1.0
    yield from window.move(tail.x, tail.y)
    yield from window.press("R")
    reach = max(40.0, Vector((tail.x - head.x, tail.y - head.y)).length)
    for step in range(1, 9):
        turned = angle + way * radians(degrees) * step / 8
        yield from window.glide(head.x + reach * cos(turned), head.y + reach * sin(turned))
        yield EVENT_PAUSE
    yield from window.press("LEFTMOUSE")
    yield REDRAW_PAUSE


def click_object(window: Window, thing: bpy.types.Object, **modifiers: bool) -> Steps:
    """Click an object where one of its bones or its origin is seen."""
    bones = [bone.center for bone in thing.pose.bones] if thing.pose else [Vector()]
    for place in bones:
        point = pixel_of(window, thing.matrix_world @ place)
        yield from window.click(point.x, point.y, **modifiers)
        if bpy.context.object == thing and thing.select_get():
            return
    raise ScenarioError(f"a click should select {thing.name}")


def places_over(name: str, frames: range, steps: int = 1) -> list[Vector]:
    """Where the end of a bone is at some frames and parts of them; the scene is at its frame again afterwards."""
    scene = bpy.context.scene
    shown, places = scene.frame_current, []
    for frame in frames:
        for part in range(steps):
            scene.frame_set(frame, subframe=part / steps)
            places.append(place_on_bone(name, 1.0))
    scene.frame_set(shown)
    return places


def highest(name: str, frames: range) -> float:
    """How high the end of a bone gets in some frames."""
    return max(place.z for place in places_over(name, frames))
