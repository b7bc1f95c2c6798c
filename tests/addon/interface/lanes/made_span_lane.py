"""A lane with spans of three bones made in code, and what it is asked for."""

from __future__ import annotations

import bpy
from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.strip import SpanLane
from motion_editing.motion_editing_addon.interface.strip.spans.span_data import Span, SpanLaneData

GREEN, BLUE = (0.1, 0.8, 0.2, 1.0), (0.1, 0.2, 0.8, 1.0)


def three_bones() -> SpanLaneData:
    """Two spans of a foot one after the other, two of a hand that overlap, a single frame of the head."""
    spans = (
        Span(0, "foot", 10.0, 30.0, GREEN, "Keep"),
        Span(1, "foot", 50.0, 60.5, GREEN, "Keep"),
        Span(2, "hand", 20.0, 60.0, BLUE, "Position", "Position Ball", True, True),
        Span(3, "hand", 40.0, 80.0, BLUE, "Orientation", enabled=False),
        Span(7, "head", 45.0, 45.0, BLUE, "Position"),
    )
    return SpanLaneData(("head", "hand", "foot"), spans, active=2)


def view(pixel: float = 1.0) -> Placement:
    """A scrolled and zoomed region."""
    return Placement((-37.0, 12.0), (6.0, 0.8 * pixel), pixel)


class Recorder:
    """Keeps what the lane asks for."""

    def __init__(self, data: SpanLaneData | None, changed: bool = True) -> None:
        self.given, self.calls, self.changed = data, [], changed

    def data(self, _context):
        return self.given

    def drag(self, _context, number, span, *, final):
        self.calls.append(("drag", number, span, final))
        return self.changed

    def add(self, _context, row, frame):
        self.calls.append(("add", row, frame))

    def remove(self, _context, number):
        self.calls.append(("remove", number))

    def pick(self, _context, number):
        self.calls.append(("pick", number))

    def cancel(self, _context):
        self.calls.append(("cancel",))

    def menu(self, _context, number):
        return (("GO", f"Go to {number}"),)

    def choose(self, _context, identifier, number):
        self.calls.append((identifier, number))


def lane_of(provider: Recorder) -> SpanLane:
    lane = SpanLane("spans", "Spans", "Span", provider, order=1)
    assert lane.update(bpy.context, palette(bpy.context))
    return lane
