"""Pictures of parts of the window for the manual, and how to bring a panel into view. Runs inside Blender."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import bpy
from harness import Window, check
from window_input import REDRAW_PAUSE, Steps

SCALE = 1.25  # of the interface: text stays readable when a page shows the picture smaller
HEADER = 28 * SCALE  # height of a closed panel


def open_panel(window: Window, label: str) -> Steps:
    """Open one panel of the tab and close the others, as Ctrl and a click on its header do."""
    region = window.region("VIEW_3D", "UI")
    left, top = region.x + 60, region.y + region.height
    # With the first panel alone open, closing it leaves all headers one below the other.
    yield from window.click(left, top - HEADER / 2, ctrl=True)
    yield from window.click(left, top - HEADER / 2)
    yield from window.click(left, top - HEADER * (shown_panels().index(label) + 0.5), ctrl=True)


def shown_panels() -> list[str]:
    """Names of the tab's panels in the 3D View, from the top down; an armature is active and has all of them."""
    panels = [panel for panel in bpy.types.Panel.__subclasses__() if getattr(panel, "bl_category", "") == "Motion"]
    shown = [panel for panel in panels if panel.bl_space_type == "VIEW_3D"]
    return [panel.bl_label for panel in sorted(shown, key=lambda panel: panel.bl_order)]


def panel_part(window: Window, label: str, height: float) -> tuple[int, int, int, int]:
    """The upper part of an open panel below closed ones: left, bottom, width and height in pixels."""
    region = window.region("VIEW_3D", "UI")
    top = region.y + region.height - round(HEADER * shown_panels().index(label))
    tall = round(height * SCALE)
    return region.x, top - tall, region.width, tall


def view_of(window: Window) -> tuple[int, int, int, int]:
    """The 3D View with its sidebar: left, bottom, width and height in pixels."""
    view = window.region("VIEW_3D")
    return view.x, view.y, view.width, view.height


def area_of(window: Window, kind: str) -> tuple[int, int, int, int]:
    """A whole editor: left, bottom, width and height in pixels."""
    area = window.area(kind)
    return area.x, area.y, area.width, area.height


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
