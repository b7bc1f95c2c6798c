"""The strip's own menu and the label that is dragged out of it, in pixels at a UI scale of 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...drawing.shapes import Label, Picture, boxes, outlined, polyline, rounded_outline
from ...drawing.theme import faded
from .popup import ENTRY, LEAST_WIDTH, PADDING, SIDE, TITLE, Popup

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...drawing.shapes import Shape
    from ...drawing.theme import Colour, Palette

TEXT_SIZE = 11.0
_BASELINE, _ROUND, _ENTRY_ROUND = 6.5, 4.0, 3.0
_SHADOW_STEPS, _SHADOW = 4, 0.07
# From the mouse to the dragged label.
_GHOST_OFFSET = (14.0, -8.0)


def fitting_popup(
    title: str,
    entries: tuple[tuple[str, str], ...],
    place: tuple[float, float],
    region: tuple[float, float],
    pixel: float,
    measure: Callable[[str, float], float],
) -> Popup:
    """A menu wide enough for its texts, its title under the mouse, inside the region.

    Args:
        place: Of the mouse, in pixels of the region.
        region: Width and height, in pixels.
        pixel: UI scale.
        measure: Pixels that a text takes at a size.
    """
    texts = [title, *(label for _identifier, label in entries)]
    widest = max(measure(text, TEXT_SIZE * pixel) for text in texts) / pixel
    width = max(LEAST_WIDTH, widest + 2.0 * SIDE)
    popup = Popup(title, entries, place[0] - SIDE * pixel, place[1] + 0.5 * TITLE * pixel, width, pixel, mouse=place)
    popup.kept_inside(*region)
    return popup


def menu_picture(popup: Popup, colours: Palette) -> Picture:
    """The menu, its upper left corner at (0, 0)."""
    size, menu = (popup.width, popup.height), colours.menu
    middle = (size[0] / 2.0, -size[1] / 2.0)
    line = -PADDING - TITLE + 1.0
    shapes = [*_shadow(middle, size), *_panel(middle, size, _ROUND, menu.back, menu.edge)]
    shapes.append(polyline([(SIDE - 2.0, line), (size[0] - SIDE + 2.0, line)], faded(menu.title, 0.35)))
    if popup.hovered is not None:
        bar = (popup.width - 2.0 * PADDING, ENTRY)
        shapes += _panel((middle[0], _entry_middle(popup.hovered)), bar, _ENTRY_ROUND, menu.chosen_back)
    title = Label((SIDE, -PADDING - TITLE + _BASELINE + 1.0), popup.title, menu.title, size=TEXT_SIZE)
    return Picture(tuple(shapes), (title, *_labels(popup, colours)))


def _labels(popup: Popup, colours: Palette) -> list[Label]:
    menu = colours.menu
    inks = [menu.chosen_text if number == popup.hovered else menu.text for number in range(len(popup.entries))]
    return [
        Label((SIDE, _entry_middle(number) - ENTRY / 2.0 + _BASELINE), label, inks[number], size=TEXT_SIZE)
        for number, (_identifier, label) in enumerate(popup.entries)
    ]


def _entry_middle(number: int) -> float:
    return -PADDING - TITLE - ENTRY * (number + 0.5)


def ghost_picture(text: str, wide: float, colours: Palette) -> Picture:
    """The dragged feature beside the mouse, which is at (0, 0)."""
    size, menu = (wide + 2.0 * SIDE, ENTRY), colours.menu
    middle = (_GHOST_OFFSET[0] + size[0] / 2.0, _GHOST_OFFSET[1])
    shapes = (*_shadow(middle, size), *_panel(middle, size, _ENTRY_ROUND, faded(menu.chosen_back, 0.9)))
    place = (_GHOST_OFFSET[0] + SIDE, middle[1] - ENTRY / 2.0 + _BASELINE)
    return Picture(shapes, (Label(place, text, menu.chosen_text, size=TEXT_SIZE),))


def _panel(
    middle: tuple[float, float], size: tuple[float, float], radius: float, ground: Colour, edge: Colour | None = None
) -> tuple[Shape, ...]:
    return outlined([middle], rounded_outline(size, radius), ground, edge=edge)


def _shadow(middle: tuple[float, float], size: tuple[float, float]) -> tuple[Shape, ...]:
    """Dark, softer outwards, as under Blender's own menus."""
    across, up = np.array(size) / 2.0
    spreads = [1.5 * step for step in range(1, _SHADOW_STEPS + 1)]
    corners = [
        (middle[0] - across - spread, middle[1] - up - spread, middle[0] + across + spread, middle[1] + up)
        for spread in spreads
    ]
    return (boxes(corners, (0.0, 0.0, 0.0, _SHADOW)),)
