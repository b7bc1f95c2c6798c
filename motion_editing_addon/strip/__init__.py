"""The strip: lanes at the bottom of the Dope Sheet and the Timeline, drawn over the frames they are about.

A capability adds its lane when it is registered and removes it when it is unregistered:

    strip.add_lane(StaggerLane(provider))
    strip.remove_lane("stagger")

Lanes share the frame axis, the layout, hovering, dragging and redrawing; see `Lane` for what one
of them has to say.
"""

import bpy

from .. import menus
from . import brush_operator, item_operators, keymap, menu_operator, operators, overlay, panel, settings
from .icon_lane import IconLane
from .lane import Lane, Mark, Row
from .lanes import add_lane, all_lanes, remove_lane
from .overlay import redraw
from .span_lane import SpanLane
from .span_list import ListedSpans
from .stagger_lane import StaggerLane
from .time_lane import TimeLane

__all__ = [
    "IconLane",
    "IconLaneData",
    "KeyTime",
    "Lane",
    "ListedSpans",
    "Mark",
    "Row",
    "SpanLane",
    "StaggerLane",
    "StaggerLaneData",
    "TimeLane",
    "TimeLaneData",
    "add_lane",
    "all_lanes",
    "redraw",
    "remove_lane",
]


def __getattr__(name: str) -> type:
    """Lanes' data when it is first asked for: making data classes would slow down enabling."""
    if name == "StaggerLaneData":
        from .stagger_data import StaggerLaneData

        return StaggerLaneData
    if name == "IconLaneData":
        from .icon_data import IconLaneData

        return IconLaneData
    if name in ("KeyTime", "TimeLaneData"):
        from . import time_data

        return getattr(time_data, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


classes = (
    *operators.classes,
    *item_operators.classes,
    *brush_operator.classes,
    *menu_operator.classes,
    *panel.classes,
)

_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register the toggles and start drawing."""
    _register()
    bpy.types.DOPESHEET_MT_view.append(panel.draw_view_menu)
    overlay.register()
    keymap.register()


def unregister() -> None:
    """Take back what register() did."""
    keymap.unregister()
    overlay.unregister()
    bpy.types.DOPESHEET_MT_view.remove(panel.draw_view_menu)
    _unregister()
