"""The strip's ground, names of rows, tooltip and hint, as plain shapes in pixels of the region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..drawing.shapes import Label, Picture, boxes, polyline, rounded_boxes, uncrowded
from ..drawing.theme import faded, mixed
from .layout import RULER

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..drawing.shapes import Shape
    from ..drawing.theme import Palette
    from .layout import PlacedLane, Stack

    TextWidth = Callable[[str, float], float]

NAME_SIZE = 10.0
# Pixels at a UI scale of 1: colour of a row at the left edge, then its name.
_SWATCH, _NAME_LEFT, _NAME_DROP = 3.0, 8.0, 3.5
# Words of a scale end here, right of the names.
_MARK_RIGHT, _MARK_SIZE, _MARK_DROP, _MARK_HEIGHT = 76.0, 9.0, 3.0, 10.0
# Behind a name that something lies under: half its height, what it reaches beyond the text, how much it hides.
_PLATE_HALF, _PLATE_MARGIN, _PLATE = 6.5, 4.0, 0.8
# A row lower than this has no room for its name, nor one with a plate.
_LEAST_NAMED, _LEAST_PLATED = 9.0, 11.5
_TIP_HEIGHT, _TIP_PADDING, _TIP_BASELINE, _TIP_GAP = 20.0, 8.0, 6.0, 5.0
_HINT_HEIGHT = 14.0
# The ground hides most of what Blender draws there, so that lines can be read.
_GROUND, _STRIPE = 0.94, 0.05
_HINT = "Enlarge this editor to see {what}: drag its upper edge up by {missing} pixels"
_SHORT_HINT = "Drag the upper edge up for the motion strip"


def ground(stack: Stack, width: float, pixel: float, colours: Palette) -> Picture:
    """The ground under all lanes: a plain box, every other row a little lighter, a line at the top."""
    lighter = faded(colours.text_strong, _STRIPE)
    stripes = [
        (0.0, bottom, width, top)
        for placed in stack.lanes
        for number, (bottom, top) in enumerate(_row_edges(placed, pixel))
        if number % 2 == 0
    ]
    edge = polyline([(0.0, stack.top), (width, stack.top)], colours.grid, 1.0)
    box = boxes([(0.0, stack.bottom, width, stack.top)], faded(colours.back, _GROUND))
    dividers = [polyline([(0.0, p.bottom), (width, p.bottom)], faded(colours.grid, 0.6), 1.0) for p in stack.lanes]
    return Picture((box, *((boxes(stripes, lighter),) if stripes else ()), *dividers, edge))


def _row_edges(placed: PlacedLane, pixel: float) -> list[tuple[float, float]]:
    scale = placed.squeeze * pixel
    return [
        (placed.bottom + row.bottom * scale, placed.bottom + (row.bottom + row.height) * scale)
        for row in placed.lane.rows()
    ]


def row_names(
    stack: Stack, _width: float, pixel: float, colours: Palette, *, text_width: TextWidth | None = None
) -> Picture:
    """The rows' names and colours at the left edge, and the marks of their scales.

    Args:
        pixel: UI scale.
        text_width: Gives the pixels that a text of a size takes; without it names have no plates.
    """
    swatches, paints, labels, plates = [], [], [], []
    for placed in stack.lanes:
        marks = _marks(placed, pixel, colours)
        labels += marks
        plates += _mark_plates(marks, pixel, colours, text_width)
        for row, (bottom, top) in zip(placed.lane.rows(), _row_edges(placed, pixel), strict=True):
            swatches.append((0.0, bottom + pixel, _SWATCH * pixel, top - pixel))
            paints.append(row.colour)
            if top - bottom > (_LEAST_PLATED if row.over_content else _LEAST_NAMED) * pixel:
                # In a low row the plate is as high as the row: it hides nothing of the next one.
                half = min(_PLATE_HALF * pixel, 0.5 * (top - bottom) - 0.5 * pixel)
                height = top - half - 0.5 * pixel if row.over_content else 0.5 * (bottom + top)
                labels.append(_row_name(row.name, height, colours))
                if row.over_content and text_width is not None:
                    plates += _plate(text_width(row.name, NAME_SIZE * pixel) / pixel, height, half, pixel, colours)
    return Picture((*plates, *((boxes(swatches, paints),) if swatches else ())), tuple(labels))


def _plate(wide: float, height: float, half: float, pixel: float, colours: Palette) -> tuple[Shape, ...]:
    """A translucent ground for a name, `wide` in pixels at a UI scale of 1, `half` its height in the region's."""
    size = (wide + 2.0 * _PLATE_MARGIN, 2.0 * half / pixel)
    return rounded_boxes([((_NAME_LEFT + 0.5 * wide) * pixel, height)], size, faded(colours.back, _PLATE))


def _row_name(name: str, middle: float, colours: Palette) -> Label:
    """Over whatever is scrolled under it, so with a shadow."""
    return Label((0.0, middle), name, colours.text, (_NAME_LEFT, -_NAME_DROP), NAME_SIZE, shadow=colours.back)


def _marks(placed: PlacedLane, pixel: float, colours: Palette) -> list[Label]:
    """Words of a lane's scale, as many as fit above each other."""
    marks, half = placed.lane.marks(), 0.5 * _MARK_HEIGHT * pixel
    heights = [placed.bottom + mark.height * placed.squeeze * pixel for mark in marks]
    spans = [(height - half, height + half, mark.rank) for height, mark in zip(heights, marks, strict=True)]
    offset, ink = (_MARK_RIGHT, -_MARK_DROP), faded(colours.text, 0.8)
    return [
        Label((0.0, heights[number]), marks[number].text, ink, offset, _MARK_SIZE, 1.0, shadow=colours.back)
        for number in uncrowded(spans, 0.0)
    ]


def _mark_plates(marks: list[Label], pixel: float, colours: Palette, text_width: TextWidth | None) -> list[Shape]:
    """A translucent ground for every word of a scale: a curve may begin right under it."""
    if text_width is None:
        return []
    plates: list[Shape] = []
    for mark in marks:
        wide = text_width(mark.text, _MARK_SIZE * pixel) / pixel
        place = [((_MARK_RIGHT - 0.5 * wide) * pixel, mark.place[1])]
        plates += rounded_boxes(place, (wide + _PLATE_MARGIN, _MARK_HEIGHT), faded(colours.back, _PLATE))
    return plates


def tooltip(text: str, wide: float, colours: Palette) -> Picture:
    """A box with one line, the middle of its lower edge at (0, 0); all in pixels at a UI scale of 1."""
    size = (wide + 2.0 * _TIP_PADDING, _TIP_HEIGHT)
    middle = [(0.0, _TIP_GAP + _TIP_HEIGHT / 2)]
    rim = rounded_boxes(
        middle, (size[0] + 2.0, size[1] + 2.0), faded(mixed(colours.tip_back, colours.tip_text, 0.25), 0.9)
    )
    inside = rounded_boxes(middle, size, colours.tip_back)
    place = (-wide / 2.0, _TIP_GAP + _TIP_BASELINE)
    return Picture((*rim, *inside), (Label(place, text, colours.tip_text),))


def tooltip_left(x: float, wide: float, pixel: float, region_width: float) -> float:
    """Pixel of the tooltip's middle: above the item, but inside the region."""
    half = (wide / 2.0 + _TIP_PADDING + 2.0) * pixel
    return max(half, min(x, region_width - half))


def hint_text(stack: Stack, width: float, pixel: float) -> str:
    """Why lanes are empty, else how to get those that have no room; empty if there is nothing to say."""
    if stack.note:
        text, short = stack.note, stack.note.partition(":")[0]
    elif stack.missing:
        what = "all of the motion strip" if stack.lanes else "the motion strip"
        text, short = _HINT.format(what=what, missing=stack.missing), _SHORT_HINT
    else:
        return ""
    # About six pixels for a letter: a long text would be cut off in a narrow editor.
    return text if width > 6.0 * len(text) * pixel else short


def hint_bottom(stack: Stack, region_height: float, pixel: float) -> float:
    """Lower edge of the hint in pixels of the region: on the lanes, or without any above the scroll bar if it fits."""
    fits = stack.top + (_HINT_HEIGHT + RULER) * pixel <= region_height
    return stack.top if stack.lanes or fits else 0.0


def hint(text: str, wide: float, colours: Palette) -> Picture:
    """The hint in a box, the middle of its lower edge at (0, 0); all in pixels at a UI scale of 1."""
    box = rounded_boxes([(0.0, _HINT_HEIGHT / 2.0)], (wide + 2.0 * _TIP_PADDING, _HINT_HEIGHT), colours.tip_back)
    return Picture(box, (Label((-wide / 2.0, 3.0), text, faded(colours.tip_text, 0.85), size=NAME_SIZE),))
