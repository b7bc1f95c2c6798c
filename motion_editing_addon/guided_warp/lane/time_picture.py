"""Pictures of keytimes: old and new times, what is stretched between them, the warp plot."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...interface.drawing.shapes import TRIANGLES, Label, Picture, Shape, boxes, diamonds, rounded_boxes, segments
from ...interface.drawing.theme import faded
from ...interface.strip.lane import Row
from .time_data import Part
from .time_events import event_shapes, highlighted_event
from .time_geometry import places_of
from .time_plot import plot_marks, plot_shapes
from .time_text import percent

if TYPE_CHECKING:
    from ...interface.drawing.shapes import Colour
    from ...interface.drawing.theme import Palette
    from ...interface.strip.lane import Mark
    from .time_data import TimeItem, TimeLaneData

# Pixels at a UI scale of 1.
_DIAMOND, _HANDLE, _RIM = 5.0, (5.0, 15.0), 2.0
_SHARE_SIZE, _SHARE_DROP, _NAME_SIZE, _NAME_OFFSET = 9.0, 3.0, 9.0, (4.0, -3.0)
_BAR_INSET = 2.0
# Part of the duration by which a span must change to be coloured.
_SEEN_CHANGE = 0.005
_ARRAYS = ("plot_frames", "plot_speed", "map_old_frames")
_PLAIN = ("keytimes", "selected", "speed_limit", "spans", "plot_height")


class TimePicture:
    """All pictures of one state of the keytimes."""

    def __init__(self, data: TimeLaneData, colours: Palette) -> None:
        """Take the keytimes apart."""
        self.data = data
        self._colours = colours
        self._places = places_of(data)
        self._old = np.array([keytime.old_frame for keytime in data.keytimes], dtype=np.float64)
        self._new = np.array([keytime.new_frame for keytime in data.keytimes], dtype=np.float64)
        self._highlights: dict[TimeItem, Picture | None] = {}

    def shows(self, data: TimeLaneData, colours: Palette) -> bool:
        """Whether this is the picture of the same keytimes in the same colours."""
        return colours == self._colours and (data is self.data or _same(data, self.data))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Old times, new times, what happens and the plot."""
        colours, places = self._colours, self._places
        return (
            Row("Before", faded(colours.text, 0.6), places.new[1], places.height - places.new[1]),
            Row("After", colours.key_selected, places.new[0], places.new[1] - places.new[0]),
            Row("Events", faded(colours.text, 0.6), places.events[0], places.events[1] - places.events[0]),
            Row("Speed", colours.key_extreme, places.plot_bottom, places.plot_top - places.plot_bottom),
        )

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The scale of the plot."""
        return plot_marks(self.data)

    @cached_property
    def content(self) -> Picture:
        """Everything but what follows the mouse."""
        spans = np.arange(len(self._new) - 1)
        events, names = event_shapes(self.data, self._colours)
        shapes = (
            self._locked_spans(),
            self._bands(spans, 0.16),
            self._bars(spans, 0.3),
            *plot_shapes(self.data, self._colours),
            *events,
            self._uprights(),
            self._links(np.arange(len(self._new)), faded(self._colours.text, 0.45)),
            self._ticks(np.arange(len(self._new)), faded(self._colours.text, 0.75), 1.5),
            *self._flags(np.arange(len(self._new)), 0.0, self._flag_colours()),
        )
        return Picture(shapes, (*self._shares(), *self._names(), *names))

    def _locked_spans(self) -> Shape:
        """A bar as Blender has it between equal keys, over the plot: nothing is stretched here."""
        locked = np.flatnonzero([keytime.locked for keytime in self.data.keytimes[:-1]])
        return self._boxes(locked, (self._places.plot_bottom, self._places.plot_top), self._colours.key_bar)

    def _boxes(self, spans: np.ndarray, edges: tuple[float, float], colours: object) -> Shape:
        low, high = (np.full(len(spans), edge) for edge in edges)
        return boxes(np.column_stack([self._new[spans], low, self._new[spans + 1], high]), colours)

    def _bands(self, spans: np.ndarray, alpha: float) -> Shape:
        """From a span's old frames to its new ones: narrow at the foot where it is compressed."""
        low, high = np.full(len(spans), self._places.new[1]), np.full(len(spans), self._places.old[0])
        feet = [np.column_stack([self._new[spans + each], low]) for each in (0, 1)]
        heads = [np.column_stack([self._old[spans + each], high]) for each in (0, 1)]
        corners = np.stack([feet[0], feet[1], heads[1], feet[0], heads[1], heads[0]], axis=1)
        return Shape(TRIANGLES, corners.reshape(-1, 2), np.repeat(self._span_colours(spans, alpha), 6, axis=0))

    def _bars(self, spans: np.ndarray, alpha: float) -> Shape:
        edges = (self._places.new[0] + _BAR_INSET, self._places.new[1] - _BAR_INSET)
        return self._boxes(spans, edges, self._span_colours(spans, alpha))

    def _span_colours(self, spans: np.ndarray, alpha: float) -> np.ndarray:
        """Warm where time runs faster, cold where it runs slower, brighter after the picked keytime."""
        inks = [self._span_colour(int(span), alpha) for span in spans]
        return np.array(inks, dtype=np.float64).reshape(-1, 4)

    def _span_colour(self, span: int, alpha: float) -> Colour:
        before, after = self.data.durations(span)
        alpha = alpha * (1.6 if span == self.data.selected else 1.0)
        if self.data.keytimes[span].locked or abs(after - before) <= _SEEN_CHANGE * abs(before):
            return faded(self._colours.text, 0.6 * alpha)
        return faded(self._colours.key_extreme if after < before else self._colours.key_breakdown, alpha)

    def _uprights(self) -> Shape:
        return self._columns(
            np.arange(len(self._new)),
            self._new,
            (self._places.plot_bottom, self._places.new[0]),
            faded(self._colours.text, 0.4),
        )

    def _ticks(self, keytimes: np.ndarray, colour: Colour, width: float) -> Shape:
        return self._columns(keytimes, self._old, self._places.old, colour, width)

    def _columns(
        self, keytimes: np.ndarray, frames: np.ndarray, edges: tuple[float, float], colour: Colour, width: float = 1.0
    ) -> Shape:
        low, high = (np.column_stack([frames[keytimes], np.full(len(keytimes), edge)]) for edge in edges)
        return segments(low, high, colour, width)

    def _links(self, keytimes: np.ndarray, colour: Colour, width: float = 1.0) -> Shape:
        """From when a moment was to when it shall be."""
        feet = np.column_stack([self._new[keytimes], np.full(len(keytimes), self._places.new_middle)])
        heads = np.column_stack([self._old[keytimes], np.full(len(keytimes), self._places.old[0])])
        return segments(feet, heads, colour, width)

    def _flags(self, keytimes: np.ndarray, larger: float, paints: np.ndarray) -> tuple[Shape, ...]:
        """Diamonds as of keys; the ends are handles, since they change the length."""
        is_end = np.array([self.data.keytimes[number].is_end for number in keytimes], dtype=bool)
        middle = np.column_stack([self._new[keytimes], np.full(len(keytimes), self._places.new_middle)])
        handle = (_HANDLE[0] + 2.0 * larger, _HANDLE[1] + 2.0 * larger)
        inner, ends = np.flatnonzero(~is_end), np.flatnonzero(is_end)
        between = diamonds(middle[inner], _DIAMOND + larger, paints[inner], edge=self._colours.back)
        return (*between, *rounded_boxes(middle[ends], handle, paints[ends], radius=2.0))

    def _flag_colours(self) -> np.ndarray:
        paints = np.tile(np.array(self._colours.key, dtype=np.float64), (len(self._new), 1))
        if self.data.selected is not None and self.data.selected < len(paints):
            paints[self.data.selected] = self._colours.key_selected
        return paints

    def _shares(self) -> tuple[Label, ...]:
        """How long every span is compared with before, where there is room."""
        return tuple(self._share(span) for span in range(len(self._new) - 1))

    def _share(self, span: int) -> Label:
        locked = self.data.keytimes[span].locked
        text = "locked" if locked else percent(*self.data.durations(span))
        first, last = self._new[span : span + 2]
        place = (float(first + last) / 2.0, self._places.new_middle)
        room = float(last - first)
        return Label(place, text, self._colours.text, (0.0, -_SHARE_DROP), _SHARE_SIZE, 0.5, room=room)

    def _names(self) -> tuple[Label, ...]:
        """Names of keytimes beside their old times; crowded ones give way."""
        height, ink = 0.5 * sum(self._places.old), faded(self._colours.text, 0.85)
        return tuple(
            Label((float(keytime.old_frame), height), keytime.label, ink, _NAME_OFFSET, _NAME_SIZE, 0.0, 0)
            for keytime in self.data.keytimes
            if keytime.label
        )

    def highlight(self, item: TimeItem) -> Picture | None:
        """The keytime with its link, or the span, stronger."""
        if item not in self._highlights:
            self._highlights[item] = self._highlighted(item) if self.data.has(item) else None
        return self._highlights[item]

    def _highlighted(self, item: TimeItem) -> Picture:
        number, ink = np.array([item.keytime]), self._colours.text_strong
        if item.part is Part.EVENT:
            return highlighted_event(self.data, item.keytime, self._colours)
        if item.part is Part.PLOT:
            edges = (self._places.plot_bottom, self._places.plot_top)
            return Picture((self._columns(np.array([0]), np.array([float(item.keytime)]), edges, faded(ink, 0.7)),))
        if item.part is Part.SPAN:
            edges = (self._places.plot_bottom, self._places.new[1])
            return Picture((self._bands(number, 0.3), self._boxes(number, edges, faded(ink, 0.09))))
        upright = self._columns(number, self._new, (self._places.plot_bottom, self._places.new[0]), faded(ink, 0.9))
        lines = (upright, self._links(number, ink, 1.5), self._ticks(number, ink, 2.5))
        rim = self._flags(number, _RIM, np.array([ink], dtype=np.float64))
        return Picture((*lines, *rim, *self._flags(number, 0.0, self._flag_colours()[number])))


def _same(one: TimeLaneData, other: TimeLaneData) -> bool:
    """Whether two states are equal; quicker than making the pictures anew."""
    plain = all(getattr(one, name) == getattr(other, name) for name in _PLAIN)
    return plain and all(
        np.array_equal(
            np.asarray(getattr(one, name), dtype=np.float64), np.asarray(getattr(other, name), dtype=np.float64), True
        )
        for name in _ARRAYS
    )
