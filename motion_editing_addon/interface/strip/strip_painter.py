"""Paints the lanes that `overlay` has laid out: ground, content, names of rows, highlight, tooltip."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..drawing import painter, theme
from ..drawing.batches import Kept
from ..drawing.shapes import Picture, Placement
from . import chrome, hover
from .menu import open_popup, popup_picture
from .overlay import placement_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpy.types import Context, Region

    from ..drawing.theme import Palette
    from .layout import PlacedLane, Stack
    from .menu.popup import Popup

_TIP_SIZE = 11.0
_pictures: Kept[Picture] = Kept()


def paint(context: Context, stack: Stack, colours: Palette) -> None:
    """Paint the whole strip into the context's region."""
    region, pixel = context.region, theme.ui_scale(context)
    if stack.lanes:
        _paint_kept("ground", chrome.ground, region, stack, pixel, colours)
        for placed in stack.lanes:
            _paint_lane(region, placed, pixel)
        _paint_kept("names", partial(chrome.row_names, text_width=painter.text_width), region, stack, pixel, colours)
    _paint_hint(region, stack, pixel, colours)
    popup = open_popup.in_region(region.as_pointer())
    if popup is None:
        _paint_tooltip(region, stack, pixel, colours)
    else:
        _paint_popup(region, popup, colours)


def _paint_kept(
    what: str, build: Callable[..., Picture], region: Region, stack: Stack, pixel: float, colours: Palette
) -> None:
    """Paint what spans the region, made anew only when lanes, region or theme have changed."""
    name = f"{what} {region.as_pointer()}"
    rows = tuple((placed.lane.rows(), placed.lane.marks()) for placed in stack.lanes)
    key = (stack, rows, region.width, pixel, colours)
    picture = _pictures.get(name, key, lambda: build(stack, region.width, pixel, colours))
    painter.paint_flat(name, picture, Placement((0.0, 0.0), (1.0, 1.0), pixel), width=region.width)


def _paint_lane(region: Region, placed: PlacedLane, pixel: float) -> None:
    placement = placement_in(region, placed, pixel)
    for number, picture in enumerate(placed.lane.pictures(placement)):
        name = f"{placed.lane.name} {number} {region.as_pointer()}"
        painter.paint_flat(name, picture, placement, width=region.width)
    hovered = hover.current()
    if hovered is None or hovered.lane != placed.lane.name:
        return
    highlight = placed.lane.highlight(hovered.item)
    if highlight is not None:
        painter.paint_flat(f"highlight {region.as_pointer()}", highlight, placement, width=region.width)


def _paint_tooltip(region: Region, stack: Stack, pixel: float, colours: Palette) -> None:
    """The hovered item's line of text above its lane, in the region that the mouse is in."""
    hovered = hover.current()
    if hovered is None or hovered.region != region.as_pointer():
        return
    placed = next((each for each in stack.lanes if each.lane.name == hovered.lane), None)
    text = placed.lane.tooltip(hovered.item) if placed else ""
    if placed is None or not text:
        return
    wide = painter.text_width(text, _TIP_SIZE * pixel) / pixel
    picture = _pictures.get("tooltip", (text, pixel, colours), lambda: chrome.tooltip(text, wide, colours))
    across = placement_in(region, placed, pixel).across(placed.lane.frame_of(hovered.item))
    middle = chrome.tooltip_left(across, wide, pixel, region.width)
    above = Placement((middle, placed.bottom + placed.height(pixel)), (pixel, pixel), pixel)
    painter.paint_flat("tooltip", picture, above, width=region.width)


def _paint_popup(region: Region, popup: Popup, colours: Palette) -> None:
    """The menu, or the label that was dragged out of it."""
    if popup.dragging:
        wide = painter.text_width(popup.label, popup_picture.TEXT_SIZE * popup.pixel) / popup.pixel
        ghost, corner = (popup.label, popup.pixel, colours), popup.mouse
        picture = _pictures.get("popup", ghost, lambda: popup_picture.ghost_picture(popup.label, wide, colours))
    else:
        menu, corner = (popup.title, popup.entries, popup.hovered, popup.pixel, colours), (popup.left, popup.top)
        picture = _pictures.get("popup", menu, lambda: popup_picture.menu_picture(popup, colours))
    painter.paint_flat("popup", picture, Placement(corner, (popup.pixel, popup.pixel), popup.pixel), width=region.width)


def _paint_hint(region: Region, stack: Stack, pixel: float, colours: Palette) -> None:
    text = chrome.hint_text(stack, region.width, pixel)
    if text:
        wide = painter.text_width(text, chrome.NAME_SIZE * pixel) / pixel
        picture = _pictures.get("hint", (text, pixel, colours), lambda: chrome.hint(text, wide, colours))
        place = Placement((region.width / 2.0, chrome.hint_bottom(stack, region.height, pixel)), (pixel, pixel), pixel)
        painter.paint_flat("hint", picture, place, width=region.width)


def forget() -> None:
    """Let go of all pictures and batches."""
    _pictures.clear()
    painter.kept.clear()
    painter.figure_batches.clear()
