"""Where the lanes lie in a region; plain numbers, tested without Blender.

From below: Blender's scroll bar or its markers, the lanes, what Blender shows itself, and the ruler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lane import Lane

# Pixels at a UI scale of 1.
RULER, SCROLL_BAR, MARKERS, PADDING = 24.0, 12.0, 42.0, 3.0
# Two rows of Blender's own keys, of which the summary is one.
KEY_ROWS = 44.0


@dataclass(frozen=True)
class PlacedLane:
    """A lane with its place, in pixels of the region.

    Attributes:
        lane: The lane.
        bottom: Its lower edge.
        squeeze: Its height is this part of what it would like.
    """

    lane: Lane
    bottom: float
    squeeze: float

    def height(self, pixel: float) -> float:
        """Height in pixels of the region."""
        return self.lane.height * self.squeeze * pixel


@dataclass(frozen=True)
class Stack:
    """Lanes above each other.

    Attributes:
        lanes: From below.
        bottom: Lower edge of the strip, in pixels of the region.
        top: Its upper edge; the same if there is no room for a lane.
        missing: Pixels that the region lacks for all lanes; 0 if all are shown.
        note: Why lanes are empty, in one line; empty if they are not, or if it needs no word.
    """

    lanes: tuple[PlacedLane, ...]
    bottom: float
    top: float
    missing: int = 0
    note: str = ""

    def lane_at(self, y: float, pixel: float) -> PlacedLane | None:
        """The lane at a height of the region."""
        for placed in self.lanes:
            if placed.bottom <= y < placed.bottom + placed.height(pixel):
                return placed
        return None


def stack(
    lanes: Sequence[Lane],
    region_height: float,
    pixel: float,
    *,
    markers: bool = False,
    kept: float = 0.0,
    note: str = "",
) -> Stack:
    """Lay lanes out in a region.

    Lanes are squeezed as far as they allow. From below, each that still has no room is left out: one further
    up may be lower.

    Args:
        lanes: Lanes with something to show, the lowest first.
        region_height: In pixels.
        pixel: UI scale.
        markers: Blender shows markers at the bottom.
        kept: Height below the ruler that stays free, in pixels at a UI scale of 1.
        note: Said above the lanes.
    """
    bottom = (MARKERS if markers else SCROLL_BAR) * pixel
    room = region_height - bottom - (RULER + kept) * pixel
    missing = max(0, round(_least_height(lanes, pixel) - room))
    fitting: list[Lane] = []
    for lane in lanes:
        if _least_height([*fitting, lane], pixel) <= room:
            fitting.append(lane)
    return Stack(*_placed(fitting, bottom, room, pixel), missing, note)


def _least_height(lanes: Sequence[Lane], pixel: float) -> float:
    return sum(lane.height * lane.least_share + PADDING for lane in lanes) * pixel


def _placed(
    lanes: Sequence[Lane], bottom: float, room: float, pixel: float
) -> tuple[tuple[PlacedLane, ...], float, float]:
    """The lanes one above the other, with the edges of all of them together."""
    least = _least_height(lanes, pixel)
    spare = sum(lane.height * (1.0 - lane.least_share) for lane in lanes) * pixel
    # How far all lanes are between their least height (0) and the one they would like (1).
    growth = min(1.0, (room - least) / spare) if spare else 1.0
    placed, height = [], bottom
    for lane in lanes:
        share = lane.least_share + growth * (1.0 - lane.least_share)
        placed.append(PlacedLane(lane, height, share))
        height += (lane.height * share + PADDING) * pixel
    return tuple(placed), bottom, height
