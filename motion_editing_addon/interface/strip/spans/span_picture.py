"""Pictures of spans: bars from their first to their last frame."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.shapes import Label, Picture, Shape, boxes, outlined, rounded_boxes, rounded_outline, segments
from ...drawing.theme import faded
from ..frame_text import short
from ..lane import Row
from .span_data import SpanPart
from .span_geometry import LEAST_WIDTH, geometry_of

if TYPE_CHECKING:
    from ...drawing.theme import Colour, Palette
    from .span_data import Span, SpanItem, SpanLaneData

# Pixels at a UI scale of 1.
_CAP, _RIM, _SIGN = 3.0, 1.5, 3.6
_LABEL_SIZE, _LABEL_DROP, _LEAST_LABELLED = 9.0, 3.0, 11.0
_BAR, _PALE, _PALE_CAP = 0.5, 0.14, 0.35


class SpanPicture:
    """All pictures of one state of the spans."""

    def __init__(self, data: SpanLaneData, colours: Palette) -> None:
        """Lay the spans out."""
        self.data = data
        self._colours = colours
        self.geometry = geometry_of(data)
        self._places: dict[int | None, int] = {span.number: place for place, span in enumerate(data.spans)}
        self._highlights: dict[SpanItem, Picture | None] = {}

    def shows(self, data: SpanLaneData, colours: Palette) -> bool:
        """Whether this is the picture of the same spans in the same colours."""
        return colours == self._colours and (data is self.data or data == self.data)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows with their places, each in the colour of its first span."""
        paints = {span.row: span.colour for span in reversed(self.data.spans)}
        return tuple(
            Row(name, paints.get(name, self._colours.text), float(low), float(high - low), over_content=True)
            for name, (low, high) in zip(self.data.rows, self.geometry.row_edges, strict=True)
        )

    @cached_property
    def content(self) -> Picture:
        """Bars and their ends, the active one and those that are missed marked, names."""
        every = np.arange(len(self.data.spans))
        missed = np.array([place for place in every if self._is_missed(int(place))], dtype=np.intp)
        active = self._places.get(self.data.active)
        rim = () if active is None else self._rim(active, self._colours.text_strong)
        shapes = (self._bars(every), *self._caps(every), *rim, *self._signs(missed))
        return Picture(shapes, self._labels())

    def highlight(self, item: SpanItem) -> Picture | None:
        """The span brighter, and the end that would be dragged."""
        if item not in self._highlights:
            place = self._places.get(item.number)
            self._highlights[item] = None if place is None else self._highlighted(item.part, place)
        return self._highlights[item]

    def tooltip(self, item: SpanItem) -> str:
        """Frames, what it is, how it is."""
        span = self.data.by_number.get(item.number)
        if span is None:
            return ""
        frames = short(span.start) if span.start == span.end else f"{short(span.start)} to {short(span.end)}"
        state = ("off",) if not span.enabled else ("missed",) if span.missed else ()
        return "   ".join(filter(None, (span.row, f"frame {frames}", span.tip or span.label, *state)))

    def _is_missed(self, place: int) -> bool:
        return self.data.spans[place].missed and self.data.spans[place].enabled

    def _corners(self, chosen: np.ndarray) -> np.ndarray:
        """(N, 4) left, bottom, right, top of bars."""
        frames, heights = self.geometry.frames[chosen], self.geometry.heights[chosen]
        return np.column_stack([frames[:, 0], heights[:, 0], frames[:, 1], heights[:, 1]])

    def _paints(self, chosen: np.ndarray, alpha: float, pale: float) -> np.ndarray:
        spans = [self.data.spans[place] for place in chosen]
        paints = [faded(span.colour, alpha if span.enabled else pale) for span in spans]
        return np.array(paints, dtype=np.float64).reshape(-1, 4)

    def _bars(self, chosen: np.ndarray) -> Shape:
        return boxes(self._corners(chosen), self._paints(chosen, _BAR, _PALE))

    def _caps(self, chosen: np.ndarray) -> tuple[Shape, ...]:
        """An upright at each end; a single frame is one wide upright."""
        frames, middles = self.geometry.frames[chosen], self.geometry.heights[chosen].mean(axis=1)
        paints, tall = self._paints(chosen, 1.0, _PALE_CAP), self._bar_height()
        single = frames[:, 0] == frames[:, 1]
        ends = np.column_stack([frames[~single].T.reshape(-1), np.tile(middles[~single], 2)])
        places = np.column_stack([frames[single, 0], middles[single]])
        return (
            *rounded_boxes(ends, (_CAP, tall), np.tile(paints[~single], (2, 1)), radius=1.0),
            *rounded_boxes(places, (LEAST_WIDTH, tall), paints[single], radius=2.0),
        )

    def _bar_height(self) -> float:
        low, high = self.geometry.heights[0]
        return float(high - low)

    def _rim(self, place: int, ink: Colour) -> tuple[Shape, ...]:
        """A line around a bar."""
        left, low, right, high = self._corners(np.array([place]))[0]
        if left == right:
            size = (LEAST_WIDTH + 2.0 * _RIM, self._bar_height())
            return _outline(left, 0.5 * (low + high), size, ink)
        corners = np.array([(left, low), (right, low), (right, high), (left, high)])
        return (segments(corners, np.roll(corners, -1, axis=0), ink, _RIM),)

    def _signs(self, chosen: np.ndarray) -> tuple[Shape, ...]:
        """A triangle in the colour of warnings at the first frame of what is missed."""
        triangle = _SIGN * np.array([(1.0, -0.8), (0.0, 1.0), (-1.0, -0.8)])
        middles = self.geometry.heights[chosen].mean(axis=1)
        places = np.column_stack([self.geometry.frames[chosen, 0], middles])
        return outlined(places, triangle, self._colours.warning, edge=self._colours.back)

    def _labels(self) -> tuple[Label, ...]:
        if self.geometry.level < _LEAST_LABELLED:
            return ()
        return tuple(self._label(place, span) for place, span in enumerate(self.data.spans) if span.end > span.start)

    def _label(self, place: int, span: Span) -> Label:
        middle = (0.5 * (span.start + span.end), float(self.geometry.heights[place].mean()))
        ink = self._colours.text_strong if span.enabled else faded(self._colours.text, 0.6)
        return Label(middle, span.label, ink, (0.0, -_LABEL_DROP), _LABEL_SIZE, 0.5, room=span.end - span.start)

    def _highlighted(self, part: SpanPart, place: int) -> Picture:
        ink, chosen = self._colours.text_strong, np.array([place])
        lit = boxes(self._corners(chosen), faded(ink, 0.18))
        return Picture((lit, *self._rim(place, faded(ink, 0.8)), *self._lit_end(part, place)))

    def _lit_end(self, part: SpanPart, place: int) -> tuple[Shape, ...]:
        if part is SpanPart.WHOLE:
            return ()
        frame = self.geometry.frames[place, int(part is SpanPart.END)]
        middle = self.geometry.heights[place].mean()
        return rounded_boxes([(frame, middle)], (_CAP + 2.0, self._bar_height()), self._colours.text_strong, radius=1.5)


def _outline(across: float, up: float, size: tuple[float, float], ink: Colour) -> tuple[Shape, ...]:
    """The edge of a box of so many pixels around a place."""
    return outlined([(across, up)], rounded_outline(size, 2.0), ink)[1:]
