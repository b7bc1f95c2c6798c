"""Pictures of what happens in the motion: protected, elastic and rhythmic spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...border.translation import label_text
from ...interface.drawing.shapes import Label, Picture, Shape, boxes, segments
from ...interface.drawing.theme import faded
from .time_geometry import places_of

if TYPE_CHECKING:
    from ...interface.drawing.theme import Colour, Palette
    from .time_data import LaneSpan, TimeLaneData

_NAME_SIZE, _NAME_DROP = 9.0, 3.0
# Pixels by which rhythms are lower than what happens in them.
_INSET = 2.0


def event_shapes(data: TimeLaneData, colours: Palette) -> tuple[tuple[Shape, ...], tuple[Label, ...]]:
    """Boxes where spans will be, with beats, and their names where there is room."""
    if not data.spans:
        return (), ()
    order = sorted(data.spans, key=lambda span: -span.new_frames)
    low, high = places_of(data).events
    corners = np.array([[span.new_start, low, span.new_end, high] for span in order])
    corners[:, 1] += [_INSET if span.kind == "PROTECTED" else 0.0 for span in order]
    fills = np.array([_colour(span, colours) for span in order])
    beats = np.array([beat for span in order if span.kind == "RHYTHMIC" for beat in span.beats])
    feet, heads = (np.column_stack([beats, np.full(len(beats), edge)]) for edge in (low, high))
    ticks = segments(feet, heads, faded(colours.text, 0.5), 1.0)
    return (boxes(corners, fills), ticks), tuple(_name(span, data, colours) for span in order)


def _colour(span: LaneSpan, colours: Palette) -> Colour:
    """Protected spans stand out, elastic ones are faint."""
    if span.kind == "PROTECTED":
        return faded(colours.key_selected, 0.75)
    return faded(colours.key_breakdown, 0.4) if span.kind == "RHYTHMIC" else faded(colours.text, 0.18)


def _name(span: LaneSpan, data: TimeLaneData, colours: Palette) -> Label:
    middle = 0.5 * (span.new_start + span.new_end), 0.5 * sum(places_of(data).events)
    ink = colours.back if span.kind == "PROTECTED" else colours.text
    return Label(middle, label_text(span.name), ink, (0.0, -_NAME_DROP), _NAME_SIZE, 0.5, room=span.new_frames)


def highlighted_event(data: TimeLaneData, number: int, colours: Palette) -> Picture:
    """The span under the mouse, and where it is in the plot."""
    span, places = data.spans[number], places_of(data)
    box = [[span.new_start, places.plot_bottom, span.new_end, places.events[1]]]
    return Picture((boxes(np.array(box), faded(colours.text_strong, 0.16)),))
