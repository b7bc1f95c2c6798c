"""Takes the manual's pictures of constraints.

After a change of the panel or the strip: `MOTION_EDITING_PICTURES=1 python3 scripts/test.py --gui`, look at them, then
copy test_results/gui/docs_pictures_constraints/*.png to docs/pictures/.
"""

from __future__ import annotations

import bpy
from harness import Window, check
from manual_pictures import panel_part, picture, prepare_sample, set_timeline_height, show_figure
from mathutils import Vector
from window_input import REDRAW_PAUSE, Steps

FRAME, HAND = 50, "hand.L"
TIMELINE = 275


def scenario(window: Window) -> Steps:
    """Hold feet and a hand, drag the hand. No key changes."""
    yield from prepare_sample(window, "Constraints")
    fill_lists()
    show_figure(window, FRAME, 20.0)
    yield from window.hover(window.region("VIEW_3D"))
    yield 4 * REDRAW_PAUSE  # until the panel has slid to its new height
    yield from picture(window, "constraints-panel", panel_part(window, "Constraints", 398))
    yield from set_timeline_height(window, TIMELINE)
    bpy.context.scene.frame_set(1)
    yield from picture(window, "constraints-strip", strip_part(window))
    yield from drag_picture(window)


def fill_lists() -> None:
    """Footplants of two steps, a cup that a hand reaches, a hand that points."""
    bpy.ops.motion_editing.find_contacts()
    cup = bpy.data.objects.new("Cup", None)
    bpy.context.scene.collection.objects.link(cup)
    cup.location, cup.empty_display_size = (0.45, -0.6, 1.1), 0.08
    for bone, kind, start, end, options in (
        (HAND, "POSITION", 46, 54, {"target_object": "Cup"}),
        (HAND, "ORIENTATION", 36, 78, {"softness": 0.25}),
        ("foot.L", "KEEP", 66, 92, {}),
        ("foot.R", "NO_SKID", 78, 92, {}),
    ):
        bpy.ops.motion_editing.add_constraint(kind=kind, bone=bone, start=start, end=end, **options)
    settings = bpy.context.object.animation_data.action.motion_editing_constraints
    settings.active = 0
    bpy.context.scene.motion_editing_strip.set_shown("icons", False)


def strip_part(window: Window) -> tuple[int, int, int, int]:
    """The Timeline's left part without its buttons: left, bottom, width and height in pixels."""
    area = window.area("DOPESHEET_EDITOR")
    return area.x, area.y, min(area.width, 1100), area.height - 33


def drag_picture(window: Window) -> Steps:
    """The hand while it is dragged: its way before and after, figures before and after it; then given up."""
    for item in bpy.context.object.animation_data.action.motion_editing_constraints.listed:
        item.enabled = False
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    bpy.ops.object.mode_set(mode="POSE")
    bones = bpy.context.object.pose.bones
    for bone in bones:
        bone.select = bone.name == HAND
    bpy.context.object.data.bones.active = bones[HAND].bone
    show_figure(window, FRAME, 35.0)
    view = window.area("VIEW_3D").spaces.active.region_3d
    view.view_location += view.view_rotation @ Vector((0.45, 0.05, 0.0))
    view.view_distance = 3.5
    yield REDRAW_PAUSE
    yield from window.call("Drag Bone")
    check(window.blender.modal_operators, "the tool should run")
    middle = window.middle_of(window.region("VIEW_3D"))
    for part in range(1, 11):
        yield from window.glide(middle.x + 4 * part, middle.y + 5 * part)
        yield 0.05
    for tremble in (1, 0, 1, 0):
        yield from window.glide(middle.x + 40, middle.y + 50 + tremble)
        yield REDRAW_PAUSE
    view = window.region("VIEW_3D")
    left, right = middle.x - 330, middle.x + 170
    yield from picture(window, "constraints-drag", (left, view.y, right - left, view.height - 70))
    yield from window.press("ESC")
    yield REDRAW_PAUSE
