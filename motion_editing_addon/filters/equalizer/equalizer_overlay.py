"""Draws the equalizer's board in the editor that it was opened in, or in the 3D View."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...interface.drawing import painter
from ...interface.drawing.shapes import Placement
from ...interface.drawing.theme import ui_scale

if TYPE_CHECKING:
    from bpy.types import Area, Context, Region

    from ...interface.drawing.shapes import Picture, Placement
    from .equalizer_board import Board

_SPACES = {
    "VIEW_3D": bpy.types.SpaceView3D,
    "DOPESHEET_EDITOR": bpy.types.SpaceDopeSheetEditor,
    "GRAPH_EDITOR": bpy.types.SpaceGraphEditor,
}
# Pixels at a UI scale of 1 between the board and the region's edges; below are scroll bars and markers.
_MARGIN, _BOTTOM = 14.0, 46.0
_NAME = "equalizer"


class BoardOverlay:
    """The board in one region. End it with `close`."""

    def __init__(self, context: Context, board: Board) -> None:
        """Find a region with room for the board and draw there from now on."""
        self._board = board
        self._area = self._find_area(context)
        self._region = None if self._area is None else _window_region(self._area)
        self._picture: Picture | None = None
        self._handle = None
        if self._area is not None:
            self._space = _SPACES[self._area.type]
            self._handle = self._space.draw_handler_add(self._draw, (), "WINDOW", "POST_PIXEL")

    def show(self, picture: Picture) -> None:
        """Draw another picture of the board."""
        self._picture = picture
        if self._area is not None:
            self._area.tag_redraw()

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A place in the window in pixels of the board; far away where there is no board."""
        if self._region is None:
            return -1.0, -1.0
        placement = self._placement()
        across, up = x - self._region.x - placement.shift[0], y - self._region.y - placement.shift[1]
        return across / placement.pixel, up / placement.pixel

    def close(self) -> None:
        """Draw no more; the second time there is nothing left to do."""
        if self._handle is None:
            return
        self._space.draw_handler_remove(self._handle, "WINDOW")
        self._handle = self._region = None
        self._area.tag_redraw()

        painter.kept.forget_all(_NAME)

    def _find_area(self, context: Context) -> Area | None:
        """The area that the tool was called in, else the largest 3D View; None if the board has no room."""
        views = [area for area in context.screen.areas if area.type == "VIEW_3D"]
        views.sort(key=lambda area: -area.width * area.height)
        for area in (context.area, *views):
            if area is not None and area.type in _SPACES and self._fits(context, area):
                return area
        return None

    def _fits(self, context: Context, area: Area) -> bool:
        pixel, region, (width, height) = _pixel(context), _window_region(area), self._board.size
        return region.width > (width + 2 * _MARGIN) * pixel and region.height > (height + _BOTTOM + _MARGIN) * pixel

    def _placement(self) -> Placement:
        pixel = _pixel(bpy.context)
        beside = [each for each in self._area.regions if each.type == "TOOLS" and each.alignment == "LEFT"]
        left = max((each.width for each in beside if each.width > 1), default=0) + _MARGIN * pixel
        return Placement((left, _BOTTOM * pixel), (pixel, pixel), pixel)

    def _draw(self) -> None:
        if self._picture is None or bpy.context.region != self._region:
            return

        painter.paint_flat(_NAME, self._picture, self._placement(), width=bpy.context.region.width)


def _window_region(area: Area) -> Region:
    return next(region for region in area.regions if region.type == "WINDOW")


def _pixel(context: Context) -> float:
    return ui_scale(context)
