"""The notice that a mode is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .shapes import Label, Picture, rounded_boxes

if TYPE_CHECKING:
    from .theme import Palette

_HEIGHT, _PADDING, _BASELINE = 22.0, 9.0, 6.5
# From one notice to the next below it.
ROW = _HEIGHT + 4.0


def mode_picture(text: str, width: float, colours: Palette) -> Picture:
    """A box with the text in it, its upper left corner at (0, 0), in pixels at a UI scale of 1."""
    size = (width + 2 * _PADDING, _HEIGHT)
    box = rounded_boxes([(size[0] / 2, -_HEIGHT / 2)], size, colours.accent, radius=4.0)
    return Picture(box, (Label((_PADDING, _BASELINE - _HEIGHT), text, colours.text_strong),))
