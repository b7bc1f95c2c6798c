"""The warp plot: the speed of time on a scale of doublings, and the time map (the guided warp paper's Figure 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...interface.drawing.level_areas import areas_from_level
from ...interface.drawing.shapes import polyline, segments
from ...interface.drawing.theme import faded
from ...interface.strip.lane import Mark
from .time_geometry import octaves_of, places_of

if TYPE_CHECKING:
    from ...interface.drawing.shapes import Shape
    from ...interface.drawing.theme import Colour, Palette
    from .time_data import TimeLaneData


def plot_shapes(data: TimeLaneData, colours: Palette) -> tuple[Shape, ...]:
    """Lines of the scale, areas where time runs faster and slower, the time map, the speed."""
    scale = _scale(data, colours)
    if len(data.plot_frames) < 2:
        return scale
    places = places_of(data)
    curve = np.column_stack([data.plot_frames, places.of_speed(data.plot_speed, octaves_of(data))])
    areas = areas_from_level(
        curve, places.plot_middle, faded(colours.key_extreme, 0.5), faded(colours.key_breakdown, 0.5)
    )
    return (areas, *scale, *_time_map(data, colours), polyline(curve, faded(colours.text_strong, 0.85), 1.2))


def _time_map(data: TimeLaneData, colours: Palette) -> tuple[Shape, ...]:
    """Which old frame is seen at each new one: straight where nothing is changed."""
    if len(data.map_old_frames) != len(data.plot_frames):
        return ()
    first, last = data.keytimes[0].old_frame, data.keytimes[-1].old_frame
    heights = places_of(data).of_map(data.map_old_frames, first, last)
    return (polyline(np.column_stack([data.plot_frames, heights]), faded(colours.key_selected, 0.55), 1.0),)


def _scale(data: TimeLaneData, colours: Palette) -> tuple[Shape, ...]:
    """A line for every doubling, a stronger one where time is as it was, one at the speed limit."""
    octaves = octaves_of(data)
    steps = [step for step in range(-octaves, octaves + 1) if step]
    lines = _lines_at(data, [2.0**step for step in steps], octaves, faded(colours.text, 0.14))
    unit = _lines_at(data, [1.0], octaves, faded(colours.text, 0.55))
    if not 1.0 < data.speed_limit <= 2.0**octaves:
        return (lines, unit)
    return (lines, unit, _lines_at(data, [data.speed_limit], octaves, faded(colours.key_extreme, 0.8)))


def _lines_at(data: TimeLaneData, speeds: list[float], octaves: int, colour: Colour) -> Shape:
    """Level lines over the frames of the motion."""
    heights = places_of(data).of_speed(speeds, octaves)
    ends = (data.keytimes[0].new_frame, data.keytimes[-1].new_frame)
    left, right = (np.column_stack([np.full(len(heights), end), heights]) for end in ends)
    return segments(left, right, colour, 1.0)


def plot_marks(data: TimeLaneData) -> tuple[Mark, ...]:
    """50 %, 100 %, 200 % and what else the scale reaches; the nearer to 100 % the more important."""
    octaves = octaves_of(data)
    steps = range(-octaves, octaves + 1)
    heights = places_of(data).of_speed([2.0**step for step in steps], octaves)
    return tuple(
        Mark(_speed_name(step), float(height), -abs(step)) for step, height in zip(steps, heights, strict=True)
    )


def _speed_name(step: int) -> str:
    return f"{100.0 * 2.0**step:g} %"
