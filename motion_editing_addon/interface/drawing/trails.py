"""Trails of joints and ghosts of whole figures, as plain shapes in the scene."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .shapes import TRIANGLES, Array, Colour, Picture, Shape, discs, merged, polyline, segments

# Dots on a trail are this much wider than its line, and at least so many pixels.
_TICK_WIDTH, _LEAST_TICK = 2.8, 5.5


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


@dataclass(frozen=True, eq=False)
class Skin:
    """Faces of a figure.

    Attributes:
        corners: (3 N, 3) of the triangles.
        colour: Of all of them; a transparent one lets what is behind be seen.
    """

    corners: Any
    colour: Colour


@dataclass(frozen=True, eq=False)
class SceneContent:
    """Trails and ghosts, taken apart. Compared by identity.

    Attributes:
        lines: Places in the scene.
        dots: Place in the scene (N, 3), colour and diameter of the dots of every trail that has some.
    """

    lines: Picture
    dots: tuple[tuple[Array, Colour, float], ...] = ()


def content_of(trails: Iterable[Trail], ghosts: Iterable[Ghost], skins: Iterable[Skin] = ()) -> SceneContent:
    """All of them as few shapes, skins and ghosts first."""
    trails = list(trails)
    lines = [Shape(TRIANGLES, skin.corners, np.array(skin.colour)) for skin in skins]
    lines += [_figure(ghost) for ghost in ghosts]
    lines += [polyline(trail.positions, trail.colour, trail.width) for trail in trails]
    return SceneContent(Picture(tuple(merged(lines))), tuple(_ticks(trail) for trail in trails if len(trail.ticks)))


def dots_on_screen(content: SceneContent, view: Any, size: tuple[float, float]) -> Picture:
    """The dots in pixels of a region, round and of the same size at every distance.

    Blender's shaders for points in the scene draw squares.

    Args:
        content: What to show.
        view: (4, 4) from the scene to the region's clip space.
        size: Width and height of the region.
    """
    shapes: list[Shape] = []
    for places, colour, diameter in content.dots:
        clip = np.column_stack([places, np.ones(len(places))]) @ np.asarray(view, dtype=np.float64).T
        ahead = clip[clip[:, 3] > 0.0]
        pixels = (ahead[:, :2] / ahead[:, 3:] + 1.0) * 0.5 * size
        shapes += discs(pixels, 0.5 * diameter, colour)
    return Picture(tuple(shapes))


def _figure(ghost: Ghost) -> Shape:
    positions, parents = np.asarray(ghost.positions), np.asarray(ghost.parents)
    joints = np.flatnonzero(parents >= 0)
    return segments(positions[parents[joints]], positions[joints], ghost.colour, ghost.width)


def _ticks(trail: Trail) -> tuple[Array, Colour, float]:
    places = np.asarray(trail.positions, dtype=np.float64)[list(trail.ticks)]
    return places, trail.colour, max(_LEAST_TICK, _TICK_WIDTH * trail.width)
