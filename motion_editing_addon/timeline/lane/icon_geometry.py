"""Where pose icons and windows lie in the lane, and which icons have room at a zoom."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .icon_data import WindowKind

if TYPE_CHECKING:
    from .icon_data import IconLaneData, IconWindow, PoseIcon

Array = NDArray[np.float64]

# Heights in pixels at a UI scale of 1, from below: the sound, a row for each character, the windows' headers.
SOUND, ROW, HEADER = 30.0, 86.0, 17.0
# Of a row: the ground that figures stand on, and the height of a figure of height 1.
FOOT, FIGURE = 8.0, 74.0
HEAD_RADIUS = 0.06 * FIGURE
# Middle of a tick box from the start of its window, half its side, and the window's least width.
TICK_MIDDLE, TICK_HALF, TICKED_WIDTH = 10.0, 5.5, 21.0
# Least distance of two icons, and least width of one, so that thin figures can be grabbed.
_GAP, _LEAST_WIDTH = 5.0, 12.0
# How much later an icon may appear for the sake of one that would otherwise be hidden long before there is no room.
_PATIENCE = 1.25


def figure_points(icon: PoseIcon) -> Array:
    """(P, 2) points around the icon's frame on the ground, in units of the lane's height."""
    points: Array = np.asarray(icon.points, dtype=np.float64).reshape(-1, 2) * FIGURE
    return points


def flags(given: Any, count: int) -> NDArray[np.bool_]:
    """(count,) flags; none given are none set."""
    return np.asarray(given, dtype=bool) if len(given) else np.zeros(count, dtype=bool)


class IconGeometry:
    """Places of one state of the lane, in frames across and pixels at a UI scale of 1 up."""

    def __init__(self, data: IconLaneData) -> None:
        """Take the lane apart."""
        self.data = data
        self.sound_height = SOUND if len(data.waveform_frames) or len(data.beats) else 0.0
        self.header_bottom = self.sound_height + ROW * len(data.rows)
        self.height = self.header_bottom + HEADER
        self.frames = np.array([icon.frame for icon in data.icons], dtype=np.float64)
        self.reach = np.array([_reach(icon) for icon in data.icons], dtype=np.float64).reshape(-1, 2)

    def row_bottom(self, row: int) -> float:
        """Lower edge of a row; the first is the topmost."""
        return self.sound_height + ROW * (len(self.data.rows) - 1 - row)

    def ground(self, icon: PoseIcon) -> float:
        """Height that an icon's figure stands at."""
        return self.row_bottom(icon.row) + FOOT

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Numbers of the icons in the data by their identifiers."""
        return {icon.identifier: number for number, icon in enumerate(self.data.icons)}

    @cached_property
    def icon_zooms(self) -> Array:
        """(N,) zoom from which on each icon is shown; see `least_zooms`."""
        ranks, rows = ([getattr(icon, name) for icon in self.data.icons] for name in ("rank", "row"))
        return least_zooms(self.frames, self.reach, ranks, rows)

    @cached_property
    def tick_zooms(self) -> Array:
        """(windows,) zoom from which on each window has room for its tick box; never for operation windows."""
        return np.array([_tick_zoom(window) for window in self.data.windows], dtype=np.float64)


def _tick_zoom(window: IconWindow) -> float:
    if window.kind is WindowKind.OPERATION:
        return float("inf")
    return TICKED_WIDTH / max(window.end - window.start, 1e-9)


def _reach(icon: PoseIcon) -> tuple[float, float]:
    """Left and right edge of an icon from its frame."""
    across = figure_points(icon)[:, 0]
    known = across[np.isfinite(across)]
    half = 0.5 * _LEAST_WIDTH
    return (min(float(known.min()), -half), max(float(known.max()), half)) if len(known) else (-half, half)


def least_zooms(frames: Array, reach: Array, ranks: Any, rows: Any) -> Array:
    """(N,) zoom from which on each icon can be shown without overlapping a more important one.

    A zoom is the width of a frame in units of the lane's height. An icon has to make room for a more
    important one only at zooms at which that one is shown itself; if that begins just before there is
    room for both, the more important one appears a little later instead. Zooming in never takes an icon
    away, and scrolling changes nothing.

    Args:
        frames: (N,) of the icons.
        reach: (N, 2) their left and right edges from their frames, in units of the lane's height.
        ranks: (N,) places in the order of importance; of equal ones the first comes first.
        rows: (N,) icons of different rows do not meet.
    """
    zooms, rows = np.zeros(len(frames)), np.asarray(rows)
    alone = zooms.copy()  # without waiting for less important ones
    order = np.argsort(np.asarray(ranks), kind="stable")
    for place, number in enumerate(order):
        before = order[:place][rows[order[:place]] == rows[number]]
        needed = _zoom_apart(frames, reach, before, number)
        in_the_way = needed > zooms[before]
        waits = in_the_way & (needed <= _PATIENCE * alone[before])
        zooms[number] = alone[number] = np.max(needed[in_the_way & ~waits], initial=0.0)
        waits &= needed > zooms[number]
        zooms[before[waits]] = needed[waits]
    return zooms


def _zoom_apart(frames: Array, reach: Array, others: NDArray[np.intp], number: int) -> Array:
    """Zoom at which each of the others just leaves a gap to an icon; endless at the same frame."""
    ahead = frames[others] >= frames[number]
    widths = np.where(ahead, reach[number, 1] - reach[others, 0], reach[others, 1] - reach[number, 0])
    with np.errstate(divide="ignore"):
        apart: Array = (widths + _GAP) / np.abs(frames[others] - frames[number])
    return apart
