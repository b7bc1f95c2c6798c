"""A lane of spans: bars from a first to a last frame, a row for every bone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....border.translation import counted_text, report_text
from ..lane import PicturedLane
from . import span_data, span_geometry, span_picture
from .span_list import MIDDLE

if TYPE_CHECKING:
    from bpy.types import Context

    from ...drawing.shapes import Picture, Placement
    from ...drawing.theme import Palette
    from ..lane import Row
    from .span_data import SpanItem, SpanProvider


class SpanLane(PicturedLane["span_picture.SpanPicture"]):
    """Spans as bars in rows.

    Dragging an end changes the first or the last frame, dragging the bar moves it, a click makes it active, a
    double-click on it goes to its middle, one on a row's ground adds one, Delete removes the one under the mouse, a
    right click offers more.
    """

    deletes = True

    def __init__(self, name: str, label: str, noun: str, provider: SpanProvider, *, order: int) -> None:
        """Show what a provider lists.

        Args:
            name: Of the lane.
            label: What the user reads beside its toggle.
            noun: What a span is, such as "Contact".
            provider: Lists and edits the spans.
            order: Lanes with lower numbers lie further down.
        """
        self.name, self.label, self.order = name, label, order
        self.menu_title = self._noun = noun
        self._provider = provider

    def update(self, context: Context, colours: Palette) -> bool:
        """Ask the provider; pictures are made anew only if its data or the theme changed."""
        data = self._provider.data(context)
        if data is None or not data.spans:
            self._made = None
            return False

        if self._made is None or not self._made.shows(data, colours):
            self._made = span_picture.SpanPicture(data, colours)
        # As low as bars can be hit and rows be named.
        self.least_share = self._made.geometry.least_share
        return True

    @property
    def height(self) -> float:
        """All rows."""
        return self._picture.geometry.height

    def content(self) -> Picture:
        """Bars and names."""
        return self._picture.content

    def rows(self) -> tuple[Row, ...]:
        """One for each bone."""
        return self._picture.rows

    def highlight(self, item: SpanItem) -> Picture | None:
        """The bar and the end that would be dragged."""
        return self._picture.highlight(item)

    def hit(self, x: float, y: float, placement: Placement) -> SpanItem | None:
        """The span or its end under the mouse, else the ground of the row."""
        return span_geometry.item_at(self._picture.geometry, x, y, placement)

    def frame_of(self, item: SpanItem) -> float:
        """First frame of a span, or the last one if it is held by its end."""
        return self._picture.data.frame_of(item) if self._made else 0.0

    def tooltip(self, item: SpanItem) -> str:
        """Bone, frames, and what holds."""
        return self._picture.tooltip(item) if self._made else ""

    def progress(self, item: SpanItem, distance: float) -> str:
        """Whole frames: the tooltip has the result."""
        return report_text("moved by {frames}", frames=counted_text(distance, "frame", form="+.0f"))

    def hint(self, item: SpanItem) -> str:
        """Dragging, choosing, adding, removing."""
        if self.is_ground(item):
            return f"Double Click: Add {self._noun} of '{item.row}'" if self._picture.data.editable else ""
        ends = {
            span_data.SpanPart.START: "Change Start",
            span_data.SpanPart.END: "Change End",
            span_data.SpanPart.WHOLE: f"Move {self._noun}",
        }
        drag = f"Drag: {ends[item.part]}    " if self.can_drag(item) else ""
        clicks = "Click: Make Active    Double Click: Go There    Right Click: More"
        return f"{drag}{clicks}    X or Delete: Remove {self._noun}"

    def is_ground(self, item: SpanItem) -> bool:
        """Whether it is no span."""
        return item.number < 0

    def can_drag(self, item: SpanItem) -> bool:
        """Spans of data that can be changed."""
        return not self.is_ground(item) and self._picture.data.editable

    def clicked(self, context: Context, item: SpanItem) -> bool:
        """Make the span active in its list."""
        if self.is_ground(item):
            return False
        self._provider.pick(context, item.number)
        return True

    def double_clicked(self, context: Context, frame: float, ground: SpanItem | None = None) -> bool:
        """Add a span to the row, from the next whole frame on."""
        if ground is None or not self._picture.data.editable:
            return False
        self._provider.add(context, ground.row, float(round(frame)))
        return True

    def item_double_clicked(self, context: Context, item: SpanItem) -> bool:
        """Make the span active and go to its middle, where it can be seen to hold."""
        self._provider.pick(context, item.number)
        self._provider.choose(context, MIDDLE, item.number)
        return True

    def deleted(self, context: Context, item: SpanItem) -> None:
        """Remove the span."""
        self._provider.remove(context, item.number)

    def dragged(self, context: Context, item: SpanItem, frame: float) -> None:
        """Change the span for a preview."""
        self._provider.drag(context, item.number, self._picture.data.moved(item, frame), final=False)

    def dropped(self, context: Context, item: SpanItem, frame: float) -> bool:
        """Change the span for good; where it is as before there is nothing to undo."""
        return not self._provider.drag(context, item.number, self._picture.data.moved(item, frame), final=True)

    def cancelled(self, context: Context) -> None:
        """Everything as before the drag."""
        self._provider.cancel(context)

    def menu_source(self, item: SpanItem | None, _x: float, _placement: Placement) -> SpanItem | None:
        """The span under the mouse."""
        return None if item is None or self.is_ground(item) else item

    def menu(self, context: Context, source: SpanItem) -> tuple[tuple[str, str], ...]:
        """What can be done with a span."""
        return self._provider.menu(context, source.number)

    def chosen(self, context: Context, identifier: str, source: SpanItem, _target: object) -> None:
        """Do it."""
        self._provider.choose(context, identifier, source.number)
