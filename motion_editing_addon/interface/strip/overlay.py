"""Draws the strip in the Dope Sheet and the Timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ...border.lazy_modules import is_loaded
from ...border.redraw import tag_redraw
from ...document import scope
from ..drawing import shapes, theme
from . import hover, layout, status, strip_painter
from .lanes import all_lanes
from .menu import open_popup

if TYPE_CHECKING:
    from bpy.types import Context, Region

    from ..drawing.theme import Palette
    from .layout import PlacedLane, Stack

_MODES = {"DOPESHEET", "ACTION", "TIMELINE"}
_handle: object | None = None


def register() -> None:
    """Start drawing; Blender without a window has nothing to draw on."""
    global _handle
    if not bpy.app.background:
        _handle = bpy.types.SpaceDopeSheetEditor.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL")


def unregister() -> None:
    """Stop drawing."""
    global _handle
    if _handle is not None:
        bpy.types.SpaceDopeSheetEditor.draw_handler_remove(_handle, "WINDOW")
        _handle = None
    hover.leave()
    open_popup.hide()
    status.clear()
    if is_loaded(strip_painter):
        strip_painter.forget()


def redraw() -> None:
    """Draw the strip anew wherever it is."""
    tag_redraw("DOPESHEET_EDITOR")


def stack_in(context: Context, colours: Palette | None = None) -> Stack | None:
    """The lanes laid out in the context's region; None if there is nothing to show."""
    settings = context.scene.motion_editing_strip
    if not settings.show or getattr(context.space_data, "mode", "") not in _MODES or not scope.armatures(context):
        return None

    colours = colours or theme.palette(context)
    wanted, notes = [], []
    for lane in filter(lambda lane: settings.is_shown(lane.name), all_lanes()):
        try:
            if lane.update(context, colours):
                wanted.append(lane)
            else:
                notes.append(lane.note(context))
        except MotionEditError as error:  # what the lane would show is damaged
            notes.append(str(error))
    note = next(filter(None, notes), "")
    if not wanted and not note:
        return None
    # The Timeline is there for time; in the other editors keys must stay within reach.
    kept = 0.0 if context.space_data.mode == "TIMELINE" else layout.KEY_ROWS
    pixel, markers = theme.ui_scale(context), _has_markers(context)
    return layout.stack(wanted, context.region.height, pixel, markers=markers, kept=kept, note=note)


def _has_markers(context: Context) -> bool:
    """Whether Blender shows markers at the bottom: the scene's, in the Action Editor the action's too."""
    space, action = context.space_data, scope.action_of(scope.edited_object(context))
    own = len(action.pose_markers) if space.mode == "ACTION" and space.show_pose_markers and action else 0
    return space.show_markers and bool(len(context.scene.timeline_markers) or own)


def placement_in(region: Region, placed: PlacedLane, pixel: float) -> shapes.Placement:
    """How a lane's frames and heights become pixels of a region."""
    first, last = (region.view2d.region_to_view(x, 0.0)[0] for x in (0.0, region.width))
    across = region.width / (last - first)
    return shapes.Placement((-first * across, placed.bottom), (across, placed.squeeze * pixel), pixel)


def _draw() -> None:
    context = bpy.context
    if not all_lanes():
        return

    colours = theme.palette(context)
    lanes = stack_in(context, colours)
    if lanes is not None:
        strip_painter.paint(context, lanes, colours)
