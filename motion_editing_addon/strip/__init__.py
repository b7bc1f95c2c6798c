"""The strip: lanes at the bottom of the Dope Sheet and the Timeline, drawn over the frames they are about.

A capability adds its lane when it is registered and removes it when it is unregistered:

    strip.add_lane(StaggerLane(provider))
    strip.remove_lane("stagger")

Lanes share the frame axis, the layout, hovering, dragging and redrawing; see `Lane` for what one
of them has to say.
"""

import bpy

from .. import menus
from . import keymap, operators, overlay, panel, settings
from .lane import Lane, Row
from .lanes import add_lane, all_lanes, remove_lane
from .overlay import redraw
from .stagger_lane import StaggerLane

__all__ = ["Lane", "Row", "StaggerLane", "StaggerLaneData", "add_lane", "all_lanes", "redraw", "remove_lane"]


def __getattr__(name: str) -> type:
    """StaggerLaneData when it is first asked for: making data classes would slow down enabling."""
    if name == "StaggerLaneData":
        from .stagger_data import StaggerLaneData

        return StaggerLaneData
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


classes = (*settings.classes, *operators.classes, *panel.classes)


def register() -> None:
    """Register the toggles and start drawing."""
    for cls in classes:
        bpy.utils.register_class(cls)
    settings.register()
    menus.add(panel.draw_menu)
    bpy.types.DOPESHEET_MT_view.append(panel.draw_view_menu)
    overlay.register()
    keymap.register()


def unregister() -> None:
    """Take back what register() did."""
    keymap.unregister()
    overlay.unregister()
    bpy.types.DOPESHEET_MT_view.remove(panel.draw_view_menu)
    menus.remove(panel.draw_menu)
    settings.unregister()
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
