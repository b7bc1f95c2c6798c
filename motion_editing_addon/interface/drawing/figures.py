"""Figures that stand at a place of a flat picture and look the same at every zoom along it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .shapes import Shape


@dataclass(frozen=True, eq=False)
class Figure:
    """Shapes around (0, 0), compared by identity.

    One unit is a unit of the picture's height, across as well: a figure and its lines grow with its lane
    and the UI scale, but zooming along the frames only moves it. Its batches are built once and live as
    long as the figure.

    Attributes:
        shapes: In the order in which they are drawn; places (N, 2), no offsets.
    """

    shapes: tuple[Shape, ...]

    def __post_init__(self) -> None:
        if any(shape.offsets is not None for shape in self.shapes):
            raise ValueError("a figure's points are places already; offsets would be drawn nowhere")

    @cached_property
    def reach(self) -> tuple[float, float]:
        """How far it reaches to the left (negative) and to the right."""
        across = [shape.places[:, 0] for shape in self.shapes if len(shape)]
        return (float(min(map(np.min, across))), float(max(map(np.max, across)))) if across else (0.0, 0.0)


class PlacedFigure(NamedTuple):
    """A figure with the place in the picture's space that its (0, 0) stands at."""

    figure: Figure
    place: tuple[float, float]


def fixed(shape: Shape) -> Shape:
    """A shape for a figure: its offsets have become places."""
    places = shape.places if shape.offsets is None else shape.places + shape.offsets
    return Shape(shape.kind, places, shape.colours, shape.size)
