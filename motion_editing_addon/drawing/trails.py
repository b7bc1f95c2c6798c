"""Trails of joints and ghosts of whole figures, as plain shapes in the scene."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .shapes import DOTS, Colour, Picture, Shape, merged, polyline, segments

# Dots on a trail are this much wider than its line, and at least so many pixels.
_TICK_WIDTH, _LEAST_TICK = 2.6, 5.0


@dataclass(frozen=True, eq=False)
class Trail:
    """The way of a joint through the scene.

    Attributes:
        positions: (F, 3).
        colour: Of the line; a transparent one for the motion as it was before an edit.
        width: In pixels at a UI scale of 1.
        ticks: Numbers of positions that get a dot: the poses.
    """

    positions: Any
    colour: Colour
    width: float = 1.5
    ticks: Sequence[int] = ()


@dataclass(frozen=True, eq=False)
class Ghost:
    """A stick figure.

    Attributes:
        positions: (J, 3) of the joints.
        parents: (J,) -1 for a root; no line is drawn to it.
        colour: Of the lines.
        width: In pixels at a UI scale of 1.
    """

    positions: Any
    parents: Any
    colour: Colour
    width: float = 2.0


def picture_of(trails: Iterable[Trail], ghosts: Iterable[Ghost]) -> Picture:
    """All of them as few shapes, ghosts first."""
    trails, ghosts = list(trails), list(ghosts)
    lines = [_figure(ghost) for ghost in ghosts]
    lines += [polyline(trail.positions, trail.colour, trail.width) for trail in trails]
    dots = [_ticks(trail) for trail in trails if len(trail.ticks)]
    return Picture((*merged(lines), *dots))


def strobe(positions: Any, parents: Any, frames: Sequence[int], colour: Colour, *, width: float = 1.5) -> list[Ghost]:
    """Ghosts at some frames of (F, J, 3) joint positions."""
    positions = np.asarray(positions)
    return [Ghost(positions[frame], parents, colour, width) for frame in frames]


def _figure(ghost: Ghost) -> Shape:
    positions, parents = np.asarray(ghost.positions), np.asarray(ghost.parents)
    joints = np.flatnonzero(parents >= 0)
    return segments(positions[parents[joints]], positions[joints], ghost.colour, ghost.width)


def _ticks(trail: Trail) -> Shape:
    places = np.asarray(trail.positions)[list(trail.ticks)]
    return Shape(DOTS, places, trail.colour, max(_LEAST_TICK, _TICK_WIDTH * trail.width))
