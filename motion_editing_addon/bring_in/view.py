"""The view of what has arrived."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from bpy.types import Context


def frame_selected(context: Context) -> None:
    """Let all 3D views of the window show what is selected."""
    window = context.window
    if window is None or bpy.app.background:
        return
    for area in window.screen.areas:
        region = next((each for each in area.regions if each.type == "WINDOW"), None)
        if area.type == "VIEW_3D" and region is not None:
            with context.temp_override(window=window, area=area, region=region):
                bpy.ops.view3d.view_selected()
