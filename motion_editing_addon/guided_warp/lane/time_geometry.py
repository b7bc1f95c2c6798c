"""Where keytimes, spans and the plot of their time map lie in the lane, and what is near the mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .time_data import Part, TimeItem

if TYPE_CHECKING:
    from ...interface.drawing.shapes import Placement
    from .time_data import TimeLaneData

Array = NDArray[np.float64]

# Speeds are shown up to so many doublings; a hold would need endlessly many.
_MOST_OCTAVES = 4
# The curve stays this many pixels off the plot's edges.
_PLOT_MARGIN = 3.0
# Few frames of the curve, such as a jump's first, may lie beyond the plot.
_SHOWN_SHARE = 0.98
_NEAR_KEYTIME, _NEAR_UPRIGHT = 8.0, 4.0


@dataclass(frozen=True)
class Places:
    """Heights in pixels at a UI scale of 1, from below: the plot, what happens, the new times, links, the old times."""

    plot_height: float

    plot_bottom = 2.0

    @property
    def plot_top(self) -> float:
        """Upper edge of the plot."""
        return self.plot_bottom + self.plot_height

    @property
    def plot_middle(self) -> float:
        """Where time runs as it did."""
        return 0.5 * (self.plot_bottom + self.plot_top)

    @property
    def events(self) -> tuple[float, float]:
        """Edges of the row of spans."""
        return self.plot_top + 2.0, self.plot_top + 15.0

    @property
    def new(self) -> tuple[float, float]:
        """Edges of the row of new times."""
        return self.plot_top + 17.0, self.plot_top + 35.0

    @property
    def new_middle(self) -> float:
        """Where keytimes are."""
        return 0.5 * sum(self.new)

    @property
    def old(self) -> tuple[float, float]:
        """Edges of the row of old times."""
        return self.plot_top + 47.0, self.plot_top + 60.0

    @property
    def height(self) -> float:
        """Of the whole lane."""
        return self.plot_top + 62.0

    def of_speed(self, speed: Any, octaves: int) -> Array:
        """Heights of speeds in the plot; those beyond its edge lie on it."""
        shares = np.clip(_doublings(speed) / octaves, -1.0, 1.0)
        heights: Array = self.plot_middle + shares * (self.plot_top - self.plot_middle - _PLOT_MARGIN)
        return heights

    def of_map(self, old_frames: Any, first: float, last: float) -> Array:
        """Heights of old frames in the plot, the first at its foot and the last at its top."""
        shares = (np.asarray(old_frames, dtype=np.float64) - first) / max(last - first, 1e-9)
        heights: Array = self.plot_bottom + np.clip(shares, 0.0, 1.0) * (self.plot_top - self.plot_bottom)
        return heights


def places_of(data: TimeLaneData) -> Places:
    """Where everything lies with a plot of this height."""
    return Places(data.plot_height)


def octaves_of(data: TimeLaneData) -> int:
    """Doublings of the speed from the plot's middle to its edge: whole ones, so that few drags change it."""
    doublings = np.abs(_doublings(data.plot_speed))
    doublings = doublings[np.isfinite(doublings)]
    reach = np.quantile(doublings, _SHOWN_SHARE) if len(doublings) else 1.0
    return int(np.clip(np.ceil(reach - 0.02), 1, _MOST_OCTAVES))


def _doublings(speed: Any) -> Array:
    """How often the speed is doubled; backward counts as forward, standing still as very slow."""
    return np.log2(np.maximum(np.abs(np.asarray(speed, dtype=np.float64)), 2.0**-_MOST_OCTAVES))


def item_at(data: TimeLaneData, x: float, y: float, placement: Placement) -> TimeItem | None:
    """The nearest keytime within reach, else the event, the frame of the plot or the span that the mouse is over."""
    places = places_of(data)
    if y >= placement.up(places.old[0]):
        return _keytime_near(x, [keytime.old_frame for keytime in data.keytimes], Part.OLD, _NEAR_KEYTIME, placement)
    if y >= placement.up(places.new[1]):
        return None
    frames = [keytime.new_frame for keytime in data.keytimes]
    if y >= placement.up(places.new[0]):
        return _keytime_near(x, frames, Part.NEW, _NEAR_KEYTIME, placement) or _span_at(x, frames, placement)
    if y >= placement.up(places.events[0]):
        return _event_at(data, x, placement)
    return _keytime_near(x, frames, Part.NEW, _NEAR_UPRIGHT, placement) or _plot_at(data, x, frames, placement)


def _keytime_near(x: float, frames: list[float], part: Part, reach: float, placement: Placement) -> TimeItem | None:
    distances = np.abs(placement.across(np.array(frames)) - x)
    number = int(np.argmin(distances))
    return TimeItem(number, part) if distances[number] <= reach * placement.pixel else None


def _span_at(x: float, frames: list[float], placement: Placement) -> TimeItem | None:
    number = int(np.searchsorted(frames, placement.place_across(x), side="right")) - 1
    return TimeItem(number, Part.SPAN) if 0 <= number < len(frames) - 1 else None


def _event_at(data: TimeLaneData, x: float, placement: Placement) -> TimeItem | None:
    """The shortest span under the mouse: a flight lies within a rhythm."""
    frame = placement.place_across(x)
    under = [number for number, span in enumerate(data.spans) if span.new_start <= frame <= span.new_end]
    if not under:
        return None
    return TimeItem(min(under, key=lambda number: data.spans[number].new_frames), Part.EVENT)


def _plot_at(data: TimeLaneData, x: float, frames: list[float], placement: Placement) -> TimeItem | None:
    """The whole frame of the plot under the mouse; the span where there is no plot."""
    if not len(data.plot_frames):
        return _span_at(x, frames, placement)
    frame = round(placement.place_across(x))
    return TimeItem(frame, Part.PLOT) if frames[0] <= frame <= frames[-1] else None
