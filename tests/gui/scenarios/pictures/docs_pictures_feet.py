"""Takes the manual's pictures of contacts and of Lock Feet.

After a change of the panel: `MOTION_EDITING_PICTURES=1 python3 scripts/test.py --gui -k docs_pictures_feet`, look at
them, then copy contacts.png to docs/pictures/, and sliding.png and locked.png one below the other as lock-feet.png.
"""

from __future__ import annotations

from math import radians

import bpy
from harness import Window, check
from manual_pictures import panel_part, picture, prepare_sample
from mathutils import Euler, Vector
from scenarios.capabilities.lock_feet import contacts, largest_slide, let_feet_slide
from window_input import REDRAW_PAUSE, Steps

FIRST, LAST = 12, 48  # steps of the walk
FEET = ("toe.L", "toe.R")


def scenario(window: Window) -> Steps:
    """The footfalls in the list; then the ways of the feet before and after they are locked."""
    yield from prepare_sample(window, "Contacts")
    yield from window.click_operator("motion_editing.find_contacts")
    check(len(contacts().spans) > 10, f"the sample has more than 10 contacts, not {len(contacts().spans)}")
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "contacts", panel_part(window, "Contacts", 212))
    let_feet_slide()
    tidy_view(window)
    yield from picture_of_ways(window, "sliding")
    bpy.ops.motion_editing.lock_feet()
    check(largest_slide() < 1e-4, "feet should stand still")
    yield from picture_of_ways(window, "locked")


def tidy_view(window: Window) -> None:
    """The steps from above, with nothing but the figure and its ways."""
    space = window.area("VIEW_3D").spaces.active
    space.show_gizmo = space.overlay.show_text = space.overlay.show_cursor = False
    space.show_region_ui = space.show_region_toolbar = False
    view = space.region_3d
    view.view_rotation = Euler((radians(35), 0.0, radians(90))).to_quaternion()
    places = [step_place(frame) for frame in (FIRST, LAST)]
    view.view_location = (places[0] + places[1]) / 2
    view.view_distance = 1.7
    bpy.context.scene.frame_set(LAST)


def step_place(frame: int) -> Vector:
    """The hips above the ground."""
    bpy.context.scene.frame_set(frame)
    place = bpy.context.object.matrix_world @ bpy.context.object.pose.bones["hips"].head
    return Vector((place.x, place.y, 0.0))


def picture_of_ways(window: Window, name: str) -> Steps:
    """The ways of the feet as Blender's own motion paths."""
    armature, region = bpy.context.object, window.region("VIEW_3D")
    with bpy.context.temp_override(window=window.blender, area=window.area("VIEW_3D"), region=region):
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="DESELECT")
        for bone in armature.pose.bones:
            bone.select = bone.name in FEET
        paths = armature.pose.animation_visualization.motion_path
        paths.frame_start, paths.frame_end = FIRST, LAST
        bpy.ops.pose.paths_clear()
        bpy.ops.pose.paths_calculate(range="MANUAL", bake_location="HEADS")
    yield 4 * REDRAW_PAUSE
    width, height = region.width - 300, 240
    yield from picture(window, name, (region.x + 150, region.y + (region.height - height) // 2, width, height))
