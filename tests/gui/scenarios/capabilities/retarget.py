"""A walk goes to a small figure: a source, options, the button, the figure walks, another size in F9, undo."""

from __future__ import annotations

from math import radians

import bpy
from harness import Window, check, check_equal
from manual_pictures import HEADER, SCALE, open_panel, prepare
from mathutils import Euler, Matrix, Vector
from window_input import REDRAW_PAUSE, Point, Steps

FRAME = 70
# Where F9's panel has the size, in pixels below the mouse; the choices above it end earlier.
SIZE_BELOW = range(238, 262, 6)


def small() -> bpy.types.Object:
    """The figure that gets the walk; names survive an undo."""
    return bpy.data.objects["Small"]


def scenario(window: Window) -> Steps:
    """Two figures, a source, a mapping, the walk, and back."""
    yield from prepare(window)
    yield from window.click_operator("motion_editing.load_sample_motion")
    # As long as the figure with an action is active, all panels are there.
    yield from open_panel(window, "Retarget")
    add_small_figure()
    look_at_both(window)
    yield REDRAW_PAUSE
    yield from window.screenshot("without-source")
    yield from pick_source(window)
    yield from propose(window)
    yield from open_options(window)
    yield from retarget(window)
    yield from grow_in_redo_panel(window)
    yield from undo(window)
    yield from ask_for_source(window)
    yield from show_panel(window)


def add_small_figure() -> None:
    """The same bones at 60 %, beside the first figure, at rest."""
    walker = bpy.context.object
    data = walker.data.copy()
    data.transform(Matrix.Scale(0.6, 4))
    figure = bpy.data.objects.new("Small", data)
    figure.location.x = 1.0
    bpy.context.collection.objects.link(figure)
    walker.select_set(False)
    figure.select_set(True)
    bpy.context.view_layer.objects.active = figure
    bpy.context.scene.frame_set(FRAME)
    bpy.ops.ed.undo_push(message="Two figures")


def look_at_both(window: Window) -> None:
    """The walk from its side."""
    view = window.area("VIEW_3D").spaces.active.region_3d
    view.view_rotation = Euler((radians(80), 0.0, radians(60))).to_quaternion()
    view.view_location = Vector((0.5, -1.2, 0.8)) - view.view_rotation @ Vector((-0.8, 0.0, 0.0))
    view.view_distance = 6.0


def pick_source(window: Window) -> Steps:
    """Choose the source in the field, as people do: click, type, Enter."""
    yield from window.click_property("motion_editing_retarget.source")
    yield REDRAW_PAUSE
    yield from window.screenshot("source-list")
    yield from window.type_text("sample")
    yield REDRAW_PAUSE
    yield from window.press("RET")
    yield REDRAW_PAUSE
    found = small().motion_editing_retarget.source
    check_equal(found and found.name, "Sample", "the picked source")
    yield from window.screenshot("with-source")


def propose(window: Window) -> Steps:
    """The list fills with a click."""
    yield from window.click_operator("motion_editing.propose_mapping")
    yield 1.0
    pairs = small().motion_editing_retarget.pairs
    check_equal(sum(1 for pair in pairs if pair.source), 24, "paired bones")
    yield from window.screenshot("mapping")


def open_options(window: Window) -> Steps:
    """Their header is right above the button."""
    button = yield from window.find_operator_button("motion_editing.retarget_motion")
    header = Point(window.region("VIEW_3D", "UI").x + round(60 * SCALE), button.y + round(HEADER))
    yield from window.click(header.x, header.y)
    yield from window.screenshot("options")
    yield from window.find_property_button("motion_editing_retarget.partner")


def retarget(window: Window) -> Steps:
    """The small figure walks beside the large one, in smaller steps."""
    yield from window.click_operator("motion_editing.retarget_motion")
    yield 2.0
    action = small().animation_data.action
    check_equal(action and action.name, "Sample Small", "the new action")
    travelled = [hips(name)[1] for name in ("Sample", "Small")]
    check(abs(travelled[1] - 0.6 * travelled[0]) < 0.02, f"ways of both should fit their legs: {travelled}")
    report = small().motion_editing_retarget.report
    check(report.slide < 0.01 * report.leg_length, f"feet should not slide, they do by {report.slide}")
    yield from window.hover(window.region("VIEW_3D"))
    yield REDRAW_PAUSE
    yield from window.screenshot("walking")


def grow_in_redo_panel(window: Window) -> Steps:
    """F9, the wheel over Size: the walk is made anew from the source, as the same single action."""
    actions, before = len(bpy.data.actions), hips("Small").z
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.press("F9")
    yield REDRAW_PAUSE
    yield from window.screenshot("redo")
    size = 1.0
    for below in SIZE_BELOW:
        yield from window.move(middle.x + 250, middle.y - below)
        yield from window.press("WHEELUPMOUSE", ctrl=True)
        yield 2 * REDRAW_PAUSE
        size = bpy.context.window_manager.operators[-1].properties.size
        if size > 1.0:
            break
    check(size > 1.0, f"the wheel should raise the size in the redo panel, it is {size}")
    found = hips("Small").z
    check(abs(found - size * before) < 0.02, f"hips at {before} should be {size} times as high, they are at {found}")
    check_equal(len(bpy.data.actions), actions, "actions after a redo")
    yield from window.screenshot("grown")
    yield from window.press("ESC")
    yield REDRAW_PAUSE


def hips(name: str) -> Vector:
    """Where the root of a figure is in the scene."""
    posed = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
    return posed.matrix_world @ posed.pose.bones["hips"].head


def undo(window: Window) -> Steps:
    """One Ctrl+Z takes the action away, and leaves the list; redo brings it back."""
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    data = small().animation_data
    check(data is None or data.action is None, "Ctrl+Z should take the action away")
    check_equal(len(small().motion_editing_retarget.pairs), 24, "listed bones after Ctrl+Z")
    yield from window.screenshot("undone")
    yield from window.redo()
    check_equal(small().animation_data.action.name, "Sample Small", "the action after redo")


def ask_for_source(window: Window) -> Steps:
    """Called by name without a source, the tool asks for it, with everything that can be chosen."""
    settings = small().motion_editing_retarget
    source, settings.source = settings.source, None
    before = len(bpy.data.actions)
    yield from window.call("Retarget Motion")
    yield from window.screenshot("dialog")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal(len(bpy.data.actions), before, "actions after Esc in the dialog")
    small().motion_editing_retarget.source = source


def show_panel(window: Window) -> Steps:
    """The whole panel by itself, for a person to look at."""
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.move(middle.x - 300, middle.y + 320)
    with bpy.context.temp_override(window=window.blender, area=window.area("VIEW_3D"), region=window.region("VIEW_3D")):
        bpy.ops.wm.call_panel("INVOKE_DEFAULT", name="MOTIONEDIT_PT_retarget_view3d", keep_open=True)
    yield REDRAW_PAUSE
    yield from window.screenshot("panel")
