"""A plot of how fast time runs in warped motions, on a scale of doublings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from motion_editing.core.timeline.pose_picture import Canvas, Colour, draw_text, text_width

WIDTH, HEIGHT = 1000, 400
LEFT, RIGHT, TOP, BOTTOM = 90.0, 960.0, 60.0, 330.0
SPEEDS = {0.5: "1/2", 1.0: "1", 2.0: "2", 4.0: "4"}
BACKGROUND, INK, LINE = (0.972, 0.968, 0.955), (0.36, 0.37, 0.41), (0.80, 0.79, 0.76)
LETTER = 10.0


class Curve(NamedTuple):
    """A warp: seconds of the new motion, speed of time there, and when the figure is in the air."""

    label: str
    colour: Colour
    times: np.ndarray
    speeds: np.ndarray
    flight: tuple[float, float]


def speed_plot(curves: Sequence[Curve]) -> np.ndarray:
    """(height, width, 4) the curves over the new motion's seconds."""
    canvas, last = Canvas(WIDTH, HEIGHT, BACKGROUND), max(float(curve.times[-1]) for curve in curves)
    _axes(canvas, last)
    for curve in curves:
        _flight(canvas, curve, last)
    for curve in curves:
        places = np.column_stack([_across(curve.times, last), _up(curve.speeds)])
        for start, end in pairwise(places):
            canvas.stroke(start, end, 1.3, curve.colour)
    _legend(canvas, curves)
    return canvas.rgba()


def _across(times: np.ndarray | float, last: float) -> np.ndarray:
    return LEFT + np.asarray(times) / last * (RIGHT - LEFT)


def _up(speeds: np.ndarray | float) -> np.ndarray:
    """Every doubling is as high as the next; what lies beyond the plot is drawn at its edge."""
    low, high = np.log2(min(SPEEDS)), np.log2(max(SPEEDS))
    share = (np.log2(np.maximum(speeds, 1e-6)) - low) / (high - low)
    return BOTTOM - np.clip(share, 0.0, 1.0) * (BOTTOM - TOP)


def _axes(canvas: Canvas, last: float) -> None:
    for speed, name in SPEEDS.items():
        height = float(_up(speed))
        canvas.stroke((LEFT, height), (RIGHT, height), 1.2 if speed == 1.0 else 0.5, LINE)
        _write(canvas, name, (LEFT - 14.0, height + 0.5 * LETTER), align=1.0)
    for second in range(int(last) + 1):
        place = float(_across(second, last))
        canvas.stroke((place, BOTTOM), (place, BOTTOM + 6.0), 0.6, INK)
        _write(canvas, str(second), (place, BOTTOM + 22.0), align=0.5)
    _write(canvas, "Speed of time: times as fast as before", (LEFT - 60.0, TOP - 28.0))
    _write(canvas, "seconds of the new motion", (RIGHT, BOTTOM + 46.0), align=1.0)


def _flight(canvas: Canvas, curve: Curve, last: float) -> None:
    """A bar at the plot's foot while the figure is in the air, with its duration."""
    foot = BOTTOM - 12.0 if curve.label == "guided" else BOTTOM - 34.0
    start, end = (float(_across(moment, last)) for moment in curve.flight)
    canvas.stroke((start, foot), (end, foot), 3.0, curve.colour)
    text = f"in the air {curve.flight[1] - curve.flight[0]:.2f} s"
    _write(canvas, text, (end + 12.0, foot + 0.5 * LETTER), colour=curve.colour)


def _legend(canvas: Canvas, curves: Sequence[Curve]) -> None:
    pen = RIGHT
    for curve in curves:
        _write(canvas, curve.label, (pen, TOP - 28.0), colour=curve.colour, align=1.0)
        pen -= text_width(curve.label, LETTER) + 12.0
        canvas.stroke((pen - 26.0, TOP - 32.0), (pen, TOP - 32.0), 1.6, curve.colour)
        pen -= 50.0


def _write(canvas: Canvas, text: str, place: tuple[float, float], *, colour: Colour = INK, align: float = 0.0) -> None:
    draw_text(canvas, text, place, size=LETTER, colour=colour, align=align)
