"""Areas of the window drawn anew."""

import bpy


def tag_redraw(area_type: str = "") -> None:
    """Redraw all areas of a type, or of all types, in all windows."""
    for window in getattr(bpy.context.window_manager, "windows", ()):
        for area in window.screen.areas:
            if area.type == area_type or not area_type:
                area.tag_redraw()
