"""A pose tree of the sample motion in the window: its poses, its cursor, and how that is dragged."""

from __future__ import annotations

from typing import Any

import bpy
from harness import Window
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

# Frames of the sample motion with poses that differ, their names, and where they go in the space.
POSES = {
    "Walk": (12, (-1.0, 0.0, -0.7)),
    "Crouch": (64, (1.0, 0.0, -0.7)),
    "Jump": (74, (0.9, 0.0, 0.9)),
    "Punch": (178, (-0.9, 0.0, 0.9)),
}


def owner() -> bpy.types.Object:
    """The sample's armature."""
    return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")


def tree() -> bpy.types.PropertyGroup:
    """Its tree."""
    return owner().motion_editing_tree


def node() -> bpy.types.PropertyGroup:
    """The first node."""
    return tree().nodes[0]


def make_active(thing: bpy.types.Object) -> None:
    """Select one object only."""
    bpy.ops.object.select_all(action="DESELECT")
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing


def look_at_the_character(window: Window) -> Steps:
    """From the front, a little from the side, with room for the space beside it."""
    from mathutils import Euler, Vector

    view = window.area("VIEW_3D").spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Euler((1.35, 0.0, 0.25)).to_quaternion()
    view.view_location, view.view_distance = Vector((0.9, 0.0, 0.95)), 5.4
    yield REDRAW_PAUSE


def pixel_of(window: Window, place: Any) -> Point:
    """Where a place of the scene is in the window."""
    from bpy_extras.view3d_utils import location_3d_to_region_2d

    region, space = window.region("VIEW_3D"), window.area("VIEW_3D").spaces.active
    across, up = location_3d_to_region_2d(region, space.region_3d, place)
    return Point(region.x + round(across), region.y + round(up))


def drag(window: Window, place: tuple[float, float, float]) -> Steps:
    """Select the cursor, press G, move to a place of the space with the mouse, and stay there."""
    matrix = node().space.matrix_world
    start, end = (pixel_of(window, matrix @ _vector(each)) for each in (node().cursor.location, place))
    make_active(node().cursor)
    yield from window.move(start.x, start.y)
    yield from window.press("G")
    for part in range(1, 6):
        yield from window.glide(start.x + (end.x - start.x) * part / 5, start.y + (end.y - start.y) * part / 5)
        yield EVENT_PAUSE
    yield REDRAW_PAUSE


def _vector(numbers: Any) -> Any:
    from mathutils import Vector

    return Vector(numbers)
