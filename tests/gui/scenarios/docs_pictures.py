"""Takes the pictures of the manual, in the order in which a newcomer meets what they show.

They are cropped to what the page speaks about and land beside the other screenshots. After a
change of the panels: `python3 scripts/test.py --gui -k docs_pictures`, look at them, then copy
test_results/gui/docs_pictures/*.png to docs/pictures/.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from math import radians

import bpy
from harness import Window, check, check_equal
from mathutils import Euler
from window_input import REDRAW_PAUSE, Steps

SCALE = 1.25  # of the interface: text stays readable when a page shows the picture smaller
JUMP_FRAME = 104
HEADER = 28 * SCALE  # height of a closed panel
ARM = "upper_arm.R"


def scenario(window: Window) -> Steps:
    """Load the sample motion, set up its character, reduce its keys."""
    yield from prepare(window)
    yield from clip_pictures(window)
    yield from character_picture(window)
    yield from keys_pictures(window)


def prepare(window: Window) -> Steps:
    """A tidy scene, larger letters, the tab open."""
    bpy.context.preferences.view.ui_scale = SCALE
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    yield REDRAW_PAUSE
    yield from window.open_sidebar("Motion")


def clip_pictures(window: Window) -> Steps:
    """The Clip panel before and after there is a motion."""
    yield from picture(window, "clip-start", sidebar_part(window, 125))
    yield from window.click_operator("motion_editing.load_sample_motion")
    check(bpy.context.object.type == "ARMATURE", "the sample's armature should be active")
    show_figure(window)
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "clip", sidebar_part(window, 198))
    view = window.region("VIEW_3D")
    yield from picture(window, "sample-motion", (view.x, view.y + 45, view.width, view.height - 45))


def show_figure(window: Window) -> None:
    """Look at the jump from the side."""
    scene = bpy.context.scene
    scene.frame_set(JUMP_FRAME)
    armature = bpy.context.object
    armature.data.display_type = "OCTAHEDRAL"
    view = window.area("VIEW_3D").spaces.active.region_3d
    view.view_rotation = Euler((radians(80), 0.0, radians(50))).to_quaternion()
    hips = armature.matrix_world @ armature.pose.bones[0].head
    view.view_location = (hips.x, hips.y, hips.z)
    view.view_distance = 4.5


def character_picture(window: Window) -> Steps:
    """The Character panel with the parts that were found."""
    yield from open_panel(window, 1)
    yield from window.click_operator("motion_editing.find_character")
    check(bpy.context.object.motion_editing.body, "Find Body Parts should save what it found")
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "character", sidebar_part(window, 372))


def keys_pictures(window: Window) -> Steps:
    """The Keys panel, and a bone's curves before and after their keys are reduced."""
    yield from open_panel(window, 2)
    point = yield from window.find_operator_button("motion_editing.convert_keys")
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "keys", sidebar_part(window, 138))
    armature = bpy.context.object.name
    bpy.context.scene.frame_set(1)
    select_only(armature, ARM)
    yield from curve_picture(window, "curves-before")
    before = arm_keys(armature)
    yield from window.click(point.x, point.y)
    after = arm_keys(armature)
    check(after < before / 3, f"{before} keys of the arm should become few, not {after}")
    yield from options_picture(window)
    check_equal(arm_keys(armature), after, "keys after looking at the options")
    yield from curve_picture(window, "curves-after")


def options_picture(window: Window) -> Steps:
    """The properties of the tool just used, as F9 shows them."""
    view = window.region("VIEW_3D")
    middle = window.middle_of(view)
    yield from window.move(middle.x - 100, middle.y)
    yield from window.press("F9")
    yield REDRAW_PAUSE
    yield from picture(window, "convert-keys", (middle.x - 115, middle.y - 193, 405, 208))
    yield from window.press("ESC")
    yield REDRAW_PAUSE


def open_panel(window: Window, number: int) -> Steps:
    """Open one panel of the tab and close the others, as Ctrl and a click on its header do."""
    region = window.region("VIEW_3D", "UI")
    left, top = region.x + 60, region.y + region.height
    # With the first panel alone open, closing it leaves all headers one below the other.
    yield from window.click(left, top - HEADER / 2, ctrl=True)
    yield from window.click(left, top - HEADER / 2)
    yield from window.click(left, top - HEADER * (number + 0.5), ctrl=True)


def select_only(armature: str, bone_name: str) -> None:
    """Pose mode with one bone selected, so that the Graph Editor shows its curves."""
    bpy.ops.object.mode_set(mode="POSE")
    for bone in bpy.data.objects[armature].pose.bones:
        bone.select = bone.name == bone_name
    bpy.data.objects[armature].data.bones.active = bpy.data.objects[armature].data.bones[bone_name]


def arm_keys(armature: str) -> int:
    """Keys of the selected bone."""
    strip = bpy.data.objects[armature].animation_data.action.layers[0].strips[0]
    curves = [curve for bag in strip.channelbags for curve in bag.fcurves if f'"{ARM}"' in curve.data_path]
    return sum(len(curve.keyframe_points) for curve in curves)


def curve_picture(window: Window, name: str) -> Steps:
    """Show the selected bone's curves in the Graph Editor for a moment."""
    area = window.area("VIEW_3D")
    area.type = "GRAPH_EDITOR"
    yield REDRAW_PAUSE
    area.spaces.active.show_handles = False
    region = window.region("GRAPH_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        bpy.ops.graph.view_all()
    yield 2 * REDRAW_PAUSE
    check_equal(area.type, "GRAPH_EDITOR", "editor")
    yield from picture(window, name, (region.x, region.y, region.width, region.height))
    area.type = "VIEW_3D"
    yield REDRAW_PAUSE


def sidebar_part(window: Window, height: float) -> tuple[int, int, int, int]:
    """The upper part of the sidebar: left, bottom, width and height in pixels."""
    region = window.region("VIEW_3D", "UI")
    tall = round(height * SCALE)
    return region.x, region.y + region.height - tall, region.width, tall


def picture(window: Window, name: str, rectangle: Sequence[int]) -> Steps:
    """Save a part of the screen; the rectangle is left, bottom, width, height in window pixels."""
    yield REDRAW_PAUSE
    left, bottom, width, height = rectangle
    top = window.blender.height - bottom - height
    tool = shutil.which("import")
    check(tool, "screenshots need ImageMagick's import")
    crop = ["-crop", f"{width}x{height}+{left}+{top}", "+repage"]
    # A palette keeps the files small; patterns of dots in flat areas would make them large again.
    small = ["+dither", "-colors", "160", "-strip", "-define", "png:compression-level=9"]
    path = window.results / f"{name}.png"
    subprocess.run([tool, "-window", "root", *crop, *small, f"PNG8:{path}"], check=True, timeout=60)
    window.screenshots.append(path.name)
