"""A dancer's lane of pose icons made in code, and what it is asked for."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.timeline.lane.icon_data import (
    IconLaneData,
    IconRow,
    IconWindow,
    PoseIcon,
    WindowKind,
)
from motion_editing.motion_editing_addon.timeline.lane.icon_lane import IconLane

# Hip, chest, head, two hands, two feet; the chest's bones go to the hands and the head.
ROW = IconRow(
    "Dancer",
    ("hip", "chest", "head", "hand.L", "hand.R", "foot.L", "foot.R"),
    ((0, 1), (1, 2), (1, 3), (1, 4), (0, 5), (0, 6)),
    head=2,
)
POINTS = np.array([(0.0, 0.5), (0.0, 0.75), (0.0, 0.92), (-0.25, 0.6), (0.25, 0.6), (-0.12, 0.0), (0.12, 0.0)])
HIP, CHEST, HEAD, LEFT_HAND = 0, 1, 2, 3


def icon(identifier: int, frame: float, rank: int = 0, **changes: object) -> PoseIcon:
    return replace(PoseIcon(identifier, frame, POINTS.copy(), rank), **changes)


def windows() -> tuple[IconWindow, ...]:
    return (
        IconWindow(20.0, 40.0, WindowKind.OPERATION, label="Step"),
        IconWindow(60.0, 82.0, similarity=0.93),
        IconWindow(100.0, 119.0, ticked=False, similarity=0.71),
    )


def lane_data(**changes: object) -> IconLaneData:
    icons = tuple(icon(100 + number, 10.0 + 15.0 * number, number % 3) for number in range(8))
    return replace(IconLaneData(icons, (ROW,), windows()), **changes)


def view(across: float = 6.0, pixel: float = 1.0, squeeze: float = 1.0) -> Placement:
    """A scrolled and zoomed region."""
    return Placement((-37.0, 12.0), (across, squeeze * pixel), pixel)


class Recorder:
    """Keeps what the lane asks for."""

    def __init__(self, data: IconLaneData | None) -> None:
        self.given, self.calls = data, []

    def data(self, _context):
        return self.given

    def menu(self, _context, window):
        return (("TIMING", f"Timing of {window}"),)

    def set_window(self, _context, start, end):
        self.calls.append(("set_window", start, end))

    def drag_window_end(self, _context, window, frame, *, final):
        self.calls.append(("drag_window_end", window, frame, final))

    def drag_icon(self, _context, icon, frame, *, final):
        self.calls.append(("drag_icon", icon, frame, final))

    def toggle_window(self, _context, window):
        self.calls.append(("toggle_window", window))

    def paint(self, _context, icon, joint):
        self.calls.append(("paint", icon, joint))

    def drop(self, _context, identifier, source_window, target_window):
        self.calls.append(("drop", identifier, source_window, target_window))

    def cancel(self, _context):
        self.calls.append(("cancel",))


def shown(data: IconLaneData) -> IconLane:
    lane = IconLane(Recorder(data))
    assert lane.update(bpy.context, palette(bpy.context))
    return lane
