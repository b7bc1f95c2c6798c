"""What is drawn, as plain arrays: no window, no GPU.

A point has a place and, in flat pictures, an offset. The place is in the picture's own space (frames
across and heights up, or the scene) and moves with zooming; the offset is in pixels and keeps a dot
round and a label beside its line at any zoom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .figures import PlacedFigure

Array = NDArray[np.float64]
Colour = tuple[float, float, float, float]

LINES, TRIANGLES = "LINES", "TRIS"
# Corners of a disc: at a few pixels of radius more cannot be told apart.
_DISC_CORNERS = 8
_CORNER_STEPS = 4


@dataclass(frozen=True, eq=False)
class Shape:
    """Vertices of one kind.

    Attributes:
        kind: LINES (two points each) or TRIANGLES (three points each).
        places: (N, 2) or (N, 3).
        colours: (N, 4).
        size: Width of lines, in pixels at a UI scale of 1.
        offsets: (N, 2) pixels at a UI scale of 1, or None.
    """

    kind: str
    places: Array
    colours: Array
    size: float = 1.0
    offsets: Array | None = None

    def __post_init__(self) -> None:
        places = np.asarray(self.places, dtype=np.float64)
        colours = np.broadcast_to(np.asarray(self.colours, dtype=np.float64), (len(places), 4))
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "colours", colours)
        if places.ndim != 2 or places.shape[1] not in (2, 3):
            raise ValueError(f"places must be (N, 2) or (N, 3), not {places.shape}")
        if self.offsets is not None and np.shape(self.offsets) != (len(places), 2):
            raise ValueError(f"offsets must be ({len(places)}, 2), not {np.shape(self.offsets)}")

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True)
class Label:
    """A piece of text.

    Attributes:
        place: Where, in the picture's space.
        text: What it says.
        colour: Of the letters.
        offset: From the place, in pixels at a UI scale of 1.
        size: Of the letters, in points.
        align: Part of the width that lies left of the place: 0 left-aligned, 0.5 centred, 1 right-aligned.
        rank: Labels with a rank give way to each other where they are crowded, lower ranks first.
        shadow: Colour around the letters that keeps them readable over lines; None for none.
        room: Width in the picture's space that the text must fit into; None for no limit.
        margin: Pixels at a UI scale of 1 that must stay free on each side of the text in its room.
    """

    place: tuple[float, float]
    text: str
    colour: Colour
    offset: tuple[float, float] = (0.0, 0.0)
    size: float = 11.0
    align: float = 0.0
    rank: int | None = None
    shadow: Colour | None = None
    room: float | None = None
    margin: float = 8.0


@dataclass(frozen=True, eq=False)
class Picture:
    """Shapes in the order in which they are drawn, figures over them, then labels. Compared by identity."""

    shapes: tuple[Shape, ...] = ()
    labels: tuple[Label, ...] = ()
    figures: tuple[PlacedFigure, ...] = ()

    @cached_property
    def parts(self) -> tuple[Shape, ...]:
        """The shapes as they are drawn: in as few batches as their order allows."""
        return tuple(merged(shape for shape in self.shapes if len(shape)))

    @cached_property
    def origin(self) -> float:
        """First whole place across; vertices are stored from here on, since single precision is coarse far out."""
        firsts = [np.min(shape.places[:, 0]) for shape in self.shapes if len(shape)]
        return float(np.floor(min(firsts))) if firsts else 0.0


@dataclass(frozen=True)
class Placement:
    """How a flat picture's space becomes pixels: shift + place * scale + offset * pixel.

    Attributes:
        shift: Pixel of the place (0, 0).
        scale: Pixels for one unit across and up.
        pixel: UI scale: pixels for one pixel of an offset.
    """

    shift: tuple[float, float]
    scale: tuple[float, float]
    pixel: float = 1.0

    def across(self, places: Any) -> Any:
        """Pixels across of places across."""
        return self.shift[0] + places * self.scale[0]

    def up(self, places: Any) -> Any:
        """Pixels up of places up."""
        return self.shift[1] + places * self.scale[1]

    def place_across(self, pixels: Any) -> Any:
        """Places across of pixels across."""
        return (pixels - self.shift[0]) / self.scale[0]


def vertices(shape: Shape, placement: Placement | None = None, origin: float = 0.0) -> NDArray[np.float32]:
    """(N, 3) positions for the GPU: contiguous, since strided arrays are drawn as garbage.

    Args:
        placement: Of a flat picture; its shift is left to the matrix, so that scrolling builds nothing.
            None leaves the scale to the matrix, too, and offsets out.
        origin: Place across that becomes 0.
    """
    placed = np.zeros((len(shape), 3), dtype=np.float32)
    if placement is None:
        placed[:, : shape.places.shape[1]] = shape.places - np.eye(shape.places.shape[1])[0] * origin
        return placed
    flat = (shape.places[:, :2] - (origin, 0.0)) * placement.scale
    if shape.offsets is not None:
        flat = flat + np.asarray(shape.offsets) * placement.pixel
    placed[:, :2] = flat
    return placed


def vertex_colours(shape: Shape) -> NDArray[np.float32]:
    """(N, 4) colours for the GPU, contiguous."""
    return np.ascontiguousarray(shape.colours, dtype=np.float32)


def polyline(points: Any, colour: Any, width: float = 1.0, *, closed: bool = False) -> Shape:
    """A line through points (N, 2 or 3); a point that is not finite leaves a gap. `colour` is one or (N, 4)."""
    points = np.asarray(points, dtype=np.float64)
    colours = np.broadcast_to(np.asarray(colour, dtype=np.float64), (len(points), 4))
    if closed:
        points, colours = np.vstack([points, points[:1]]), np.vstack([colours, colours[:1]])
    return segments(points[:-1], points[1:], colours[:-1], width, end_colours=colours[1:])


def segments(starts: Any, ends: Any, colours: Any, width: float = 1.0, *, end_colours: Any = None) -> Shape:
    """Lines from `starts` to `ends`, each (N, 2 or 3); those that are not finite are left out."""
    starts, ends = np.asarray(starts, dtype=np.float64), np.asarray(ends, dtype=np.float64)
    first = np.broadcast_to(np.asarray(colours, dtype=np.float64), (len(starts), 4))
    second = first if end_colours is None else np.broadcast_to(end_colours, (len(starts), 4))
    known = np.isfinite(starts).all(axis=1) & np.isfinite(ends).all(axis=1)
    places = np.stack([starts[known], ends[known]], axis=1).reshape(-1, starts.shape[1])
    return Shape(LINES, places, np.stack([first[known], second[known]], axis=1).reshape(-1, 4), width)


def joined(shapes: Sequence[Shape]) -> Shape:
    """Shapes of one kind and size as one, to be drawn at once."""
    first = shapes[0]
    if len(shapes) == 1:
        return first
    if any(_look(each) != _look(first) for each in shapes):
        raise ValueError("Only shapes of the same kind and size can be joined")
    offsets = None
    if any(each.offsets is not None for each in shapes):
        offsets = np.vstack([np.zeros((len(each), 2)) if each.offsets is None else each.offsets for each in shapes])
    places, colours = np.vstack([each.places for each in shapes]), np.vstack([each.colours for each in shapes])
    return Shape(first.kind, places, colours, first.size, offsets)


def merged(shapes: Iterable[Shape]) -> list[Shape]:
    """The same shapes in the same order, neighbours joined where they can be: a batch costs more than its vertices."""
    groups: list[list[Shape]] = []
    for shape in shapes:
        if groups and _drawn_alike(groups[-1][0], shape):
            groups[-1].append(shape)
        else:
            groups.append([shape])
    return [joined(group) for group in groups]


def _drawn_alike(one: Shape, other: Shape) -> bool:
    """Whether two shapes go into one batch: those with offsets are built anew by zooming, the others are not."""
    return _look(one) == _look(other) and (one.offsets is None) == (other.offsets is None)


def _look(shape: Shape) -> tuple[str, float, int]:
    """What shapes that are drawn together have in common; triangles have no size."""
    return shape.kind, 0.0 if shape.kind == TRIANGLES else shape.size, shape.places.shape[1]


def boxes(corners: Any, colours: Any) -> Shape:
    """Filled rectangles from (N, 4) left, bottom, right, top."""
    left, bottom, right, top = np.asarray(corners, dtype=np.float64).reshape(-1, 4).T
    triangles = [(left, bottom), (right, bottom), (right, top), (left, bottom), (right, top), (left, top)]
    places = np.stack([np.stack(corner, axis=1) for corner in triangles], axis=1)
    every = np.broadcast_to(np.asarray(colours, dtype=np.float64), (len(left), 4))
    return Shape(TRIANGLES, places.reshape(-1, 2), np.repeat(every, 6, axis=0))


def area_below(points: Any, bottom: float, colour: Colour) -> Shape:
    """The filled area between a curve (N, 2) and a height below it."""
    points = np.asarray(points, dtype=np.float64)
    feet = np.column_stack([points[:, 0], np.full(len(points), bottom)])
    corners = (feet[:-1], feet[1:], points[1:], feet[:-1], points[1:], points[:-1])
    return Shape(TRIANGLES, np.stack(corners, axis=1).reshape(-1, 2), np.array(colour))


def discs(places: Any, radius: float, colours: Any) -> tuple[Shape, ...]:
    """Round dots of the same size in pixels at every zoom, with a soft edge."""
    angles = np.arange(_DISC_CORNERS) * (2.0 * np.pi / _DISC_CORNERS)
    return outlined(places, radius * np.column_stack([np.cos(angles), np.sin(angles)]), colours)


def diamonds(places: Any, radius: float, colours: Any, *, edge: Any = None) -> tuple[Shape, ...]:
    """Keyframe diamonds of the same size in pixels at every zoom."""
    return outlined(places, radius * np.array([(1, 0), (0, 1), (-1, 0), (0, -1)]), colours, edge=edge)


def rounded_boxes(places: Any, size: tuple[float, float], colours: Any, *, radius: float = 3.0) -> tuple[Shape, ...]:
    """Filled boxes with round corners, centred on places; size and radius in pixels."""
    return outlined(places, rounded_outline(size, radius), colours)


def rounded_outline(size: tuple[float, float], radius: float) -> Array:
    """(N, 2) corners of a box with round corners around (0, 0)."""
    angles = np.linspace(0.0, np.pi / 2, _CORNER_STEPS)
    arc = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    inner = np.array(size) / 2.0 - radius
    turned = [(arc, (1, 1)), (arc[::-1], (-1, 1)), (arc, (-1, -1)), (arc[::-1], (1, -1))]
    return np.vstack([(corner + inner) * signs for corner, signs in turned])


def outlined(places: Any, outline: Array, colours: Any, *, edge: Any = None) -> tuple[Shape, ...]:
    """The same convex outline (pixels) at every place, filled; its edge is a smooth line.

    Filled triangles have jagged edges in Blender's editors, lines do not: a line in the same
    colour around them makes them smooth.
    """
    places = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    every = np.broadcast_to(np.asarray(colours, dtype=np.float64), (len(places), 4))
    after = np.roll(outline, -1, axis=0)
    wedges = np.stack([np.zeros_like(outline), outline, after], axis=1).reshape(-1, 2)
    rim = np.stack([outline, after], axis=1).reshape(-1, 2)
    rim_colours = every if edge is None else np.broadcast_to(np.asarray(edge, dtype=np.float64), (len(places), 4))
    return (_repeated(TRIANGLES, places, wedges, every), _repeated(LINES, places, rim, rim_colours))


def _repeated(kind: str, places: Array, offsets: Array, colours: Array) -> Shape:
    count = len(offsets)
    every_offset = np.tile(offsets, (len(places), 1))
    return Shape(kind, np.repeat(places, count, axis=0), np.repeat(colours, count, axis=0), 1.0, every_offset)


def uncrowded(spans: Iterable[tuple[float, float, int]], gap: float) -> list[int]:
    """Numbers of the labels that fit beside each other, the highest ranks first.

    Args:
        spans: Left, right and rank of each label.
        gap: Least distance of two labels.
    """
    spans = list(spans)
    kept: list[int] = []
    for number in sorted(range(len(spans)), key=lambda each: -spans[each][2]):
        left, right, _rank = spans[number]
        if all(right + gap <= spans[other][0] or left >= spans[other][1] + gap for other in kept):
            kept.append(number)
    return sorted(kept)
