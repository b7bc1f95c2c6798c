"""Takes the pictures of the manual, in the order in which a newcomer meets what they show.

They are cropped to what the page speaks about and land beside the other screenshots. After a
change of the panels: `MOTION_EDITING_PICTURES=1 python3 scripts/test.py --gui`, look at them, then copy
test_results/gui/docs_pictures/*.png to docs/pictures/.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from harness import Window, check, check_equal
from manual_pictures import (
    around,
    glide_right,
    open_panel,
    panel_part,
    picture,
    prepare,
    set_timeline_height,
    show_figure,
    whole,
)
from window_input import REDRAW_PAUSE, Point, Steps

JUMP_FRAME = 104
ARM = "upper_arm.R"
LOOSE_ARM = ("upper_arm.R", "forearm.R", "hand.R", "fingers.R")
PUNCH_FRAME = 180
POSES_SHOWN = 0.5
LOW_TIMELINE, HIGH_TIMELINE = 60, 365
ADDON = "bl_ext.user_default.motion_editing.motion_editing_addon"


def scenario(window: Window) -> Steps:
    """Load the sample motion, set up its character, edit its poses, reduce its keys."""
    yield from prepare(window)
    yield from clip_pictures(window)
    yield from character_picture(window)
    yield from staggered_pictures(window)
    yield from keys_pictures(window)


def clip_pictures(window: Window) -> Steps:
    """The Clip panel before and after there is a motion."""
    yield from picture(window, "clip-start", panel_part(window, "Clip", 125))
    yield from window.click_operator("motion_editing.load_sample_motion")
    check(bpy.context.object.type == "ARMATURE", "the sample's armature should be active")
    show_figure(window, JUMP_FRAME)
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "clip", panel_part(window, "Clip", 198))
    view = window.region("VIEW_3D")
    yield from picture(window, "sample-motion", (view.x, view.y + 45, view.width, view.height - 45))


def character_picture(window: Window) -> Steps:
    """The Character panel with the parts that were found."""
    yield from open_panel(window, "Character")
    yield from window.click_operator("motion_editing.find_character")
    check(bpy.context.object.motion_editing.body, "Find Body Parts should save what it found")
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "character", panel_part(window, "Character", 308))


def staggered_pictures(window: Window) -> Steps:
    """The panel before and after extraction, the strip, a pose being edited, a slider; nothing is changed."""
    yield from open_panel(window, "Staggered Poses")
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "staggered-start", panel_part(window, "Staggered Poses", 184))
    yield from window.click_operator("motion_editing.extract_poses")
    check(staggered().poses, "Extract Poses should fill the list")
    staggered().share = POSES_SHOWN
    pick_pose(window, PUNCH_FRAME)
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "staggered-panel", panel_part(window, "Staggered Poses", 474))
    yield from strip_pictures(window)
    yield from posing_picture(window)
    yield from slider_picture(window)
    yield from set_timeline_height(window, LOW_TIMELINE)


def staggered() -> Any:
    """The staggered poses as the panel shows them."""
    return bpy.context.object.animation_data.action.motion_editing_staggered


def pick_pose(window: Window, frame: int) -> None:
    """Make the pose nearest to a frame active and look at it."""
    poses = staggered().poses
    staggered().active = min(range(len(poses)), key=lambda number: abs(poses[number].frame - frame))
    show_figure(window, bpy.context.scene.frame_current, angle=-65.0)


def strip_pictures(window: Window) -> Steps:
    """The strip without room, with room, beside the figure, and while a pose is dragged."""
    yield from picture(window, "strip-hint", whole(window.area("DOPESHEET_EDITOR")))
    yield from set_timeline_height(window, HIGH_TIMELINE)
    view, bottom = window.region("VIEW_3D"), window.area("DOPESHEET_EDITOR").y
    yield from picture(window, "staggered-poses", (view.x, bottom, view.width, view.y + view.height - bottom))
    # Elsewhere, so that the playhead does not lie over the pose.
    bpy.context.scene.frame_set(PUNCH_FRAME - 12)
    yield from picture(window, "staggered-strip", whole(window.area("DOPESHEET_EDITOR")))
    name = place_of_name(window, staggered().active)
    yield from window.move(name.x, name.y)
    window.send("LEFTMOUSE", "PRESS")
    yield from glide_right(window, name, 25)
    yield from picture(window, "strip-drag", around(window, name))
    yield from window.press("ESC")
    window.send("LEFTMOUSE", "RELEASE")
    yield from window.hover(view)
    bpy.context.scene.frame_set(PUNCH_FRAME)


def place_of_name(window: Window, pose: int) -> Point:
    """Where a pose's number on the strip is in the window."""
    overlay, data = (
        __import__(f"{ADDON}.{name}", fromlist=["_"])
        for name in ("interface.strip.overlay", "staggered.lane.stagger_data")
    )
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        placed = overlay.stack_in(bpy.context).lanes[0]
    placement = overlay.placement_in(region, placed, bpy.context.preferences.system.ui_scale)
    across = placement.across(placed.lane.frame_of(data.StaggerItem(pose)))
    up = placement.up(placed.lane._picture._geometry.names_bottom + 8.0)
    return Point(region.x + round(across), region.y + round(float(up)))


def posing_picture(window: Window) -> Steps:
    """An extreme pose on the rig with the arm turned, then given up."""
    select_only(bpy.context.object.name, (ARM,))
    yield from window.click_operator("motion_editing.edit_staggered_pose")
    check(bpy.context.object.motion_editing_posing.action, "Edit Extreme should start editing")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("R")
    yield from window.type_text("40")
    yield from window.press("RET")
    yield from picture(window, "staggered-editing", whole(window.region("VIEW_3D")))
    yield from window.click_operator("motion_editing.cancel_staggered_pose")


def slider_picture(window: Window) -> Steps:
    """Succession down an arm while the mouse sets it, then given up."""
    select_only(bpy.context.object.name, LOOSE_ARM)
    point = yield from window.find_operator_button("motion_editing.succession")
    yield from window.click(point.x, point.y)
    yield from glide_right(window, point, 150)
    yield from picture(window, "staggered-succession", whole(window.region("VIEW_3D")))
    yield from window.press("ESC")
    yield REDRAW_PAUSE


def keys_pictures(window: Window) -> Steps:
    """The Keys panel, and a bone's curves before and after their keys are reduced."""
    yield from open_panel(window, "Keys")
    point = yield from window.find_operator_button("motion_editing.convert_keys")
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "keys", panel_part(window, "Keys", 80))
    armature = bpy.context.object.name
    bpy.context.scene.frame_set(1)
    select_only(armature, (ARM,))
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


def select_only(armature: str, names: Sequence[str]) -> None:
    """Pose mode with these bones selected, the first one active."""
    bpy.ops.object.mode_set(mode="POSE")
    for bone in bpy.data.objects[armature].pose.bones:
        bone.select = bone.name in names
    bpy.data.objects[armature].data.bones.active = bpy.data.objects[armature].data.bones[names[0]]


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
    yield from picture(window, name, whole(region))
    area.type = "VIEW_3D"
    yield REDRAW_PAUSE
