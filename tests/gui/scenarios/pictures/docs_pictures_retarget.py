"""Takes the manual's pictures of retargeting.

After a change of the panel: `MOTION_EDITING_PICTURES=1 python3 scripts/test.py --gui -k retarget`, look at them,
then copy test_results/gui/docs_pictures_retarget/*.png to docs/pictures/, with few colours.
"""

from __future__ import annotations

from math import radians

import bpy
from harness import Window
from manual_pictures import picture, prepare_sample
from mathutils import Euler, Matrix, Vector
from window_input import REDRAW_PAUSE, Steps

FRAME = 66
ANKLE, HIP = 0.085, 0.915  # metres above the floor, of the sample's figure
NOTCHES = 6
SHORT = 0.45  # length of short legs, as a share


def scenario(window: Window) -> Steps:
    """A walk on two other bodies, and the panel that put it there."""
    yield from prepare_sample(window, "Retarget")
    walker = bpy.context.object
    for name, x, change in (("Short Legs", 1.3, short_legged), ("Small", 2.6, small)):
        add_figure(walker, name, x, change)
        bpy.ops.motion_editing.retarget_motion(source=walker.name)
    look(window)
    yield 2 * REDRAW_PAUSE
    view, panel = window.region("VIEW_3D"), window.region("VIEW_3D", "UI")
    yield from picture(window, "retarget", (view.x + 90, view.y + 110, view.width - panel.width - 130, 470))
    yield from show_whole_panel(window)
    yield from picture(window, "retarget-panel", (panel.x, panel.y + 4, panel.width - 34, panel.height - 8))


def show_whole_panel(window: Window) -> Steps:
    """Scroll the sidebar until source, list, button and report are in sight."""
    yield from window.hover(window.region("VIEW_3D", "UI"))
    for _notch in range(NOTCHES):
        yield from window.press("WHEELDOWNMOUSE")
    yield from window.hover(window.region("VIEW_3D"))
    yield 2 * REDRAW_PAUSE


def small(place: Vector) -> Vector:
    """A point of the sample's figure, in one of 60 % size."""
    return 0.6 * place


def short_legged(place: Vector) -> Vector:
    """A point of the sample's figure, in one with the same body and feet on short legs."""
    lower = (1.0 - SHORT) * (min(max(place.z, ANKLE), HIP) - ANKLE)
    return place - Vector((0.0, 0.0, lower))


def add_figure(walker: bpy.types.Object, name: str, x: float, change) -> None:
    """The sample's bones with other proportions, active."""
    figure = bpy.data.objects.new(name, walker.data.copy())
    figure.matrix_world = Matrix.Translation((x, 0.0, 0.0))
    bpy.context.collection.objects.link(figure)
    for other in bpy.context.selected_objects:
        other.select_set(False)
    figure.select_set(True)
    bpy.context.view_layer.objects.active = figure
    bpy.ops.object.mode_set(mode="EDIT")
    ends = [(bone, change(bone.head.copy()), change(bone.tail.copy())) for bone in figure.data.edit_bones]
    for bone, head, tail in ends:
        bone.head, bone.tail = head, tail
    bpy.ops.object.mode_set(mode="OBJECT")


def look(window: Window) -> None:
    """All three from the front and the side."""
    bpy.context.scene.frame_set(FRAME)
    for figure in bpy.data.objects:
        figure.data.display_type = "OCTAHEDRAL"
    space = window.area("VIEW_3D").spaces.active
    space.show_gizmo = space.overlay.show_text = space.overlay.show_cursor = False
    # Without the floor's many lines the picture is small.
    space.overlay.show_floor = False
    space.overlay.show_relationship_lines = space.overlay.show_object_origins = False
    view = space.region_3d
    view.view_rotation = Euler((radians(78), 0.0, radians(50))).to_quaternion()
    view.view_location = Vector((1.2, -1.5, 0.75)) - view.view_rotation @ Vector((-0.75, 0.0, 0.0))
    view.view_distance = 5.0
