"""The time lane: keytimes between old and new time, and the warp plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...interface.strip.lane import PicturedLane
from . import time_data, time_geometry, time_picture, time_text

if TYPE_CHECKING:
    from bpy.types import Context

    from ...interface.drawing.shapes import Picture, Placement
    from ...interface.drawing.theme import Palette
    from ...interface.strip.lane import Mark, Row
    from .time_data import TimeItem, TimeProvider


class TimeLane(PicturedLane["time_picture.TimePicture"]):
    """Keytimes as flags at their new frame, linked to their old one, over the plot of the time map.

    Dragging a keytime retimes it, dragging an end changes the length, dragging the plot moves the moment under the
    mouse, a double-click adds a keytime, Delete removes the one under the mouse, a click picks it or the span after
    it, and a click on what happens protects it or lets it go.
    """

    name = "time"
    label = "Time"
    order = 5  # at the bottom: the last lane to go where there is little room
    least_share = 0.7
    deletes = True

    def __init__(self, provider: TimeProvider) -> None:
        """Show what the provider retimes."""
        self._provider = provider

    def update(self, context: Context, colours: Palette) -> bool:
        """Ask the provider; pictures are made anew only if its data or the theme changed."""
        data = self._provider.data(context)
        if data is None or len(data.keytimes) < 2:
            self._made = None
            return False

        if self._made is None or not self._made.shows(data, colours):
            self._made = time_picture.TimePicture(data, colours)
        return True

    @property
    def height(self) -> float:
        """Old times, new times and the plot."""
        return time_geometry.places_of(self._picture.data).height

    def content(self) -> Picture:
        """Keytimes, spans and plot."""
        return self._picture.content

    def rows(self) -> tuple[Row, ...]:
        """Before, after, speed."""
        return self._picture.rows

    def marks(self) -> tuple[Mark, ...]:
        """Speeds beside the plot."""
        return self._picture.marks

    def highlight(self, item: TimeItem) -> Picture | None:
        """The keytime or the span, stronger."""
        return self._picture.highlight(item)

    def hit(self, x: float, y: float, placement: Placement) -> TimeItem | None:
        """The keytime under the mouse, else the span."""
        return time_geometry.item_at(self._picture.data, x, y, placement)

    def frame_of(self, item: TimeItem) -> float:
        """Where a keytime is, or the middle of a span."""
        return self._picture.data.frame_of(item)

    def tooltip(self, item: TimeItem) -> str:
        """What becomes of a frame or a duration."""
        return time_text.tooltip(self._picture.data, item) if self._made else ""

    def hint(self, item: TimeItem) -> str:
        """Dragging, picking, adding, removing."""
        return time_text.hint(self._picture.data, item) if self._made else ""

    def is_ground(self, item: TimeItem) -> bool:
        """Spans and the plot lie under everything: a double-click adds a keytime in them."""
        return item.part in (time_data.Part.SPAN, time_data.Part.PLOT)

    def can_drag(self, item: TimeItem) -> bool:
        """New times and moments of the plot move: the old ones are the motion as it is."""
        return item.part in (time_data.Part.NEW, time_data.Part.PLOT)

    def clicked(self, context: Context, item: TimeItem) -> bool:
        """Pick the keytime, of a span the one that it begins with.

        On a span this may be the first half of a double-click, which shall be one step to undo.
        """
        if item.part is time_data.Part.EVENT:
            self._provider.toggle(context, item.keytime)
            return True
        number = self._picture.data.span_at(item.keytime) if item.part is time_data.Part.PLOT else item.keytime
        self._provider.pick(context, number)
        return not self.is_ground(item)

    def double_clicked(self, context: Context, frame: float, _ground: TimeItem | None = None) -> bool:
        """Add a keytime."""
        self._provider.add(context, frame)
        return True

    def deleted(self, context: Context, item: TimeItem) -> None:
        """Remove the keytime; the provider says why an end stays."""
        if item.part in (time_data.Part.NEW, time_data.Part.OLD):
            self._provider.remove(context, item.keytime)

    def dragged(self, context: Context, item: TimeItem, frame: float) -> None:
        """Move the keytime, or the moment, for a preview."""
        self._move(context, item, frame, final=False)

    def dropped(self, context: Context, item: TimeItem, frame: float) -> None:
        """Move the keytime, or the moment, for good."""
        self._move(context, item, frame, final=True)

    def _move(self, context: Context, item: TimeItem, frame: float, *, final: bool) -> None:
        move = self._provider.grab if item.part is time_data.Part.PLOT else self._provider.drag
        move(context, item.keytime, frame, final=final)

    def cancelled(self, context: Context) -> None:
        """Everything as before the drag."""
        self._provider.cancel(context)
