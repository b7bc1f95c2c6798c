"""What scenarios share that take pictures for the manual: a tidy window, panels, crops. Runs inside Blender."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from math import radians

import bpy
from harness import Window, check
from mathutils import Euler, Vector
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

SCALE = 1.25  # of the interface: text stays readable when a page shows the picture smaller
HEADER = 26.4 * SCALE  # from a closed panel to the next
HEADERS = {1.0: 28.0, SCALE: HEADER}  # by the scale: Blender rounds to whole pixels


def prepare(window: Window) -> Steps:
    """A tidy scene, larger letters, the tab open."""
    bpy.context.preferences.view.ui_scale = SCALE
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    yield REDRAW_PAUSE
    yield from window.open_sidebar("Motion")


def prepare_sample(window: Window, panel: str, *, timeline: int | None = None) -> Steps:
    """The sample motion with one panel open, and a Timeline of some height in pixels if one is given."""
    yield from prepare(window)
    yield from window.click_operator("motion_editing.load_sample_motion")
    if timeline is not None:
        yield from set_timeline_height(window, timeline)
    yield from open_panel(window, panel)


def show_figure(window: Window, frame: int, angle: float = 50.0) -> None:
    """Look at the figure from the side, at an angle in degrees; it stands right of the middle."""
    bpy.context.scene.frame_set(frame)
    armature = bpy.context.object
    armature.data.display_type = "OCTAHEDRAL"
    view = window.area("VIEW_3D").spaces.active.region_3d
    view.view_rotation = Euler((radians(80), 0.0, radians(angle))).to_quaternion()
    hips = armature.matrix_world @ armature.pose.bones[0].head
    view.view_location = hips - view.view_rotation @ Vector((0.3, 0.0, 0.0))
    view.view_distance = 4.5


def set_timeline_height(window: Window, height: int) -> Steps:
    """Drag the Timeline's upper edge and show the whole motion in it."""
    area = window.area("DOPESHEET_EDITOR")
    edge = Point(area.x + area.width // 2, area.y + area.height)
    yield from window.drag(edge, Point(edge.x, area.y + height))
    found = window.area("DOPESHEET_EDITOR").height
    check(abs(found - height) < 20, f"the Timeline should be {height} pixels high, not {found}")
    context = {"area": window.area("DOPESHEET_EDITOR"), "region": window.region("DOPESHEET_EDITOR")}
    with bpy.context.temp_override(window=window.blender, **context):
        bpy.ops.action.view_all()
    yield REDRAW_PAUSE


def glide_right(window: Window, start: Point, distance: int) -> Steps:
    """Move the mouse in small steps, as a hand does."""
    for step in range(11):
        yield EVENT_PAUSE
        yield from window.glide(start.x + distance * step // 10, start.y)


def around(window: Window, place: Point) -> tuple[int, int, int, int]:
    """The Timeline around a place: left, bottom, width and height in pixels."""
    area = window.area("DOPESHEET_EDITOR")
    left = min(max(area.x, place.x - 300), area.x + area.width - 600)
    return left, area.y, 600, area.height


def open_panel(window: Window, label: str) -> Steps:
    """Open one panel of the tab and close the others, as Ctrl and a click on its header do."""
    region, header = window.region("VIEW_3D", "UI"), HEADERS[bpy.context.preferences.view.ui_scale]
    left, top = region.x + 60, region.y + region.height
    yield from window.hover(region)
    yield from window.press("HOME")  # back to the top, where a long panel was looked through
    # With the first panel alone open, closing it leaves all headers one below the other.
    yield from window.click(left, top - header / 2, ctrl=True)
    yield from window.click(left, top - header / 2)
    yield from window.click(left, top - header * (shown_panels().index(label) + 0.5), ctrl=True)


def shown_panels() -> list[str]:
    """Names of the tab's panels in the 3D View, from the top down, as an active armature has them."""
    panels = [panel for panel in bpy.types.Panel.__subclasses__() if getattr(panel, "bl_category", "") == "Motion"]
    here = [panel for panel in panels if panel.bl_space_type == "VIEW_3D"]
    shown = [panel for panel in here if not hasattr(panel, "poll") or panel.poll(bpy.context)]
    return [panel.bl_label for panel in sorted(shown, key=lambda panel: panel.bl_order)]


def panel_part(window: Window, label: str, height: float) -> tuple[int, int, int, int]:
    """The upper part of an open panel below closed ones: left, bottom, width and height in pixels."""
    region = window.region("VIEW_3D", "UI")
    top = region.y + region.height - round(HEADER * shown_panels().index(label))
    tall = round(height * SCALE)
    return region.x, top - tall, region.width, tall


def whole(place: bpy.types.Area | bpy.types.Region) -> tuple[int, int, int, int]:
    """An editor or a part of it: left, bottom, width and height in pixels."""
    return place.x, place.y, place.width, place.height


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
