"""What a lane of spans shows: plain numbers from whoever lists the spans."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from bpy.types import Context

    from ...drawing.theme import Colour


class Span(NamedTuple):
    """Something that holds from one frame to another, in frames of the scene with fractions.

    Attributes:
        number: By which its owner knows it.
        row: Name of its row, such as a bone.
        start: First frame.
        end: Last frame; the same for a single frame.
        colour: Of its bar.
        label: What stands on the bar where there is room.
        tip: What is said about it under the mouse, after its frames.
        enabled: It counts; others are pale.
        missed: It does not hold.
    """

    number: int
    row: str
    start: float
    end: float
    colour: Colour
    label: str = ""
    tip: str = ""
    enabled: bool = True
    missed: bool = False


class SpanPart(Enum):
    """What of a span is under the mouse."""

    START = "start"
    WHOLE = "whole"
    END = "end"
    GROUND = "ground"


class SpanItem(NamedTuple):
    """A span or one of its ends, by the span's number; or the ground of a row."""

    part: SpanPart
    number: int = -1
    row: str = ""


@dataclass(frozen=True)
class SpanLaneData:
    """Spans in rows.

    Attributes:
        rows: Names from the top down; rows without a span are left out.
        spans: In any order.
        active: Number of the span that is chosen in its list, or None.
        editable: Spans can be changed.
        least: Frames that a span has at least from its start to its end.
    """

    rows: tuple[str, ...]
    spans: tuple[Span, ...]
    active: int | None = None
    editable: bool = True
    least: float = 0.0

    @cached_property
    def by_number(self) -> dict[int, Span]:
        """Spans by their numbers."""
        return {span.number: span for span in self.spans}

    def frame_of(self, item: SpanItem) -> float:
        """Where an item is grabbed: a span as a whole by its start."""
        span = self.by_number.get(item.number)
        if span is None:
            return 0.0
        return span.end if item.part is SpanPart.END else span.start

    def moved(self, item: SpanItem, frame: float) -> tuple[float, float]:
        """First and last frame of a span when what was grabbed is at another frame: always a whole one.

        An end does not pass the other one.
        """
        span, whole = self.by_number[item.number], float(round(frame))
        if item.part is SpanPart.START:
            return min(whole, span.end - self.least), span.end
        if item.part is SpanPart.END:
            return span.start, max(whole, span.start + self.least)
        return whole, whole + span.end - span.start


class SpanProvider(Protocol):
    """Who lists the spans and edits them."""

    def data(self, context: Context) -> SpanLaneData | None:
        """What to show for the active armature; None for nothing. Asked at every redraw: must be quick."""

    def drag(self, context: Context, number: int, span: tuple[float, float], *, final: bool) -> bool:
        """A span is dragged to other frames, `final` when it is let go; True if they are others than at first."""

    def cancel(self, context: Context) -> None:
        """The drag was given up: everything as before it."""

    def pick(self, context: Context, number: int) -> None:
        """A span was clicked."""

    def add(self, context: Context, row: str, frame: float) -> None:
        """A span is wanted in a row from this frame on."""

    def remove(self, context: Context, number: int) -> None:
        """A span shall go."""

    def menu(self, context: Context, number: int) -> tuple[tuple[str, str], ...]:
        """Identifiers and labels of what a right click on a span offers."""

    def choose(self, context: Context, identifier: str, number: int) -> None:
        """One of these was chosen."""
