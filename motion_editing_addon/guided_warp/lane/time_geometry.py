"""Where keytimes and the plot of their time map lie in the lane, and what is near the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .time_data import Part, TimeItem

if TYPE_CHECKING:
    from ...interface.drawing.shapes import Placement
    from .time_data import TimeLaneData

Array = NDArray[np.float64]

# Heights in pixels at a UI scale of 1, from below: the plot, the new times, links, the old times.
PLOT_BOTTOM, PLOT_TOP = 2.0, 58.0
NEW_BOTTOM, NEW_TOP = 60.0, 78.0
OLD_BOTTOM, OLD_TOP = 90.0, 103.0
HEIGHT = 105.0
PLOT_MIDDLE, NEW_MIDDLE = 0.5 * (PLOT_BOTTOM + PLOT_TOP), 0.5 * (NEW_BOTTOM + NEW_TOP)
# Speeds are shown up to so many doublings; a hold would need endlessly many.
_MOST_OCTAVES = 4
# The curve stays this many pixels off the plot's edges.
_PLOT_MARGIN = 3.0
# Few frames of the curve, such as a jump's first, may lie beyond the plot.
_SHOWN_SHARE = 0.98
_NEAR_KEYTIME, _NEAR_UPRIGHT = 8.0, 4.0


def octaves_of(data: TimeLaneData) -> int:
    """Doublings of the speed from the plot's middle to its edge: whole ones, so that few drags change it."""
    doublings = np.abs(_doublings(data.plot_speed))
    doublings = doublings[np.isfinite(doublings)]
    reach = np.quantile(doublings, _SHOWN_SHARE) if len(doublings) else 1.0
    return int(np.clip(np.ceil(reach - 0.02), 1, _MOST_OCTAVES))


def _doublings(speed: Any) -> Array:
    """How often the speed is doubled; backward counts as forward, standing still as very slow."""
    return np.log2(np.maximum(np.abs(np.asarray(speed, dtype=np.float64)), 2.0**-_MOST_OCTAVES))


def heights_of_speed(speed: Any, octaves: int) -> Array:
    """Heights of speeds in the plot; those beyond its edge lie on it."""
    shares = np.clip(_doublings(speed) / octaves, -1.0, 1.0)
    heights: Array = PLOT_MIDDLE + shares * (PLOT_TOP - PLOT_MIDDLE - _PLOT_MARGIN)
    return heights


def heights_of_map(old_frames: Any, first: float, last: float) -> Array:
    """Heights of old frames in the plot, the first at its foot and the last at its top."""
    shares = (np.asarray(old_frames, dtype=np.float64) - first) / max(last - first, 1e-9)
    heights: Array = PLOT_BOTTOM + np.clip(shares, 0.0, 1.0) * (PLOT_TOP - PLOT_BOTTOM)
    return heights


def item_at(data: TimeLaneData, x: float, y: float, placement: Placement) -> TimeItem | None:
    """The nearest keytime within reach, else the span that the mouse is over."""
    if y >= placement.up(OLD_BOTTOM):
        return _keytime_near(x, [keytime.old_frame for keytime in data.keytimes], Part.OLD, _NEAR_KEYTIME, placement)
    if y >= placement.up(NEW_TOP):
        return None
    frames = [keytime.new_frame for keytime in data.keytimes]
    reach = _NEAR_KEYTIME if y >= placement.up(NEW_BOTTOM) else _NEAR_UPRIGHT
    return _keytime_near(x, frames, Part.NEW, reach, placement) or _span_at(x, frames, placement)


def _keytime_near(x: float, frames: list[float], part: Part, reach: float, placement: Placement) -> TimeItem | None:
    distances = np.abs(placement.across(np.array(frames)) - x)
    number = int(np.argmin(distances))
    return TimeItem(number, part) if distances[number] <= reach * placement.pixel else None


def _span_at(x: float, frames: list[float], placement: Placement) -> TimeItem | None:
    number = int(np.searchsorted(frames, placement.place_across(x), side="right")) - 1
    return TimeItem(number, Part.SPAN) if 0 <= number < len(frames) - 1 else None
