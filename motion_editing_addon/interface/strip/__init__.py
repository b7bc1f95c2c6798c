"""The strip: lanes at the bottom of the Dope Sheet and the Timeline, drawn over the frames they are about.

A capability adds its lane when it is registered and removes it when it is unregistered:

    strip.add_lane(StaggerLane(provider))
    strip.remove_lane("stagger")

Lanes share the frame axis, the layout, hovering, dragging and redrawing; see `Lane` for what one
of them has to say.
"""

import bpy

from ...border.lazy_modules import lazy_submodules
from ...border.registration import classes_of

__getattr__ = lazy_submodules(__name__)

from .. import menus
from . import overlay, panel, settings
from .gestures import box_operator, brush_operator, item_operators, keymap, operators
from .lane import Lane, Mark, Row
from .lanes import add_lane, all_lanes, remove_lane
from .menu import menu_operator
from .overlay import redraw
from .spans.span_lane import SpanLane
from .spans.span_list import ListedSpans

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "Lane",
    "ListedSpans",
    "Mark",
    "Row",
    "SpanLane",
    "add_lane",
    "all_lanes",
    "frame_text",
    "lane",
    "limb_rows",
    "redraw",
    "remove_lane",
]


classes = classes_of(operators, item_operators, brush_operator, box_operator, menu_operator, panel)

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
