"""A pose icon as a figure: bones, head, and what is painted, in contact or colliding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...interface.drawing.figures import Figure, fixed
from ...interface.drawing.shapes import Shape, discs, merged, outlined, polyline, rounded_outline, segments
from ...interface.drawing.theme import faded
from .icon_geometry import FOOT, HEAD_RADIUS, figure_points, flags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...interface.drawing.theme import Colour, Palette
    from .icon_data import IconRow, PoseIcon
    from .icon_geometry import Array

# Pixels at a UI scale of 1.
_LINE, _PAINTED_LINE, _HIGHLIT_LINE = 1.75, 2.75, 3.5
_PAINTED_DOT, _CONTACT_DOT, _COLLISION_DOT, _RING = 2.4, 1.9, 3.2, 5.0
_FRAME_TICK = 4.0
_HEAD_CORNERS = 14
_TICK_LINE = ((-2.8, 0.2), (-0.8, -2.2), (3.0, 2.6))


def icon_figure(icon: PoseIcon, row: IconRow, colour: Colour, colours: Palette) -> Figure:
    """The stick figure of an icon.

    Args:
        icon: The pose and its flags.
        row: Its bones.
        colour: Of what has no flag.
        colours: Of what has one.
    """
    points = figure_points(icon)
    painted, contact, colliding = (flags(each, len(points)) for each in (icon.painted, icon.in_contact, icon.colliding))
    plain = np.flatnonzero(~(painted | colliding))
    lines = [_bones(points, row, plain, colour, _LINE), _head(points, row, painted, colliding, colour, colours)]
    lines.append(segments([(0.0, -FOOT)], [(0.0, _FRAME_TICK - FOOT)], colour, _LINE))
    lines.append(_bones(points, row, np.flatnonzero(painted), colours.painted, _PAINTED_LINE))
    lines.append(_bones(points, row, np.flatnonzero(colliding), colours.warning, _PAINTED_LINE))
    dots = [
        *_dots(points[contact], _CONTACT_DOT, colours.contact),
        *_dots(points[painted], _PAINTED_DOT, colours.painted),
        *_dots(points[colliding], _COLLISION_DOT, colours.warning),
    ]
    return Figure(tuple(merged([*(line for line in lines if len(line)), *dots])))


def _bones(points: Array, row: IconRow, joints: NDArray[np.intp], colour: Colour, width: float) -> Shape:
    """The bones that belong to some joints."""
    bones = np.array([bone for bone in row.bones if bone[0] in set(joints.tolist())], dtype=np.intp).reshape(-1, 2)
    return segments(points[bones[:, 0]], points[bones[:, 1]], colour, width)


def _head(
    points: Array,
    row: IconRow,
    painted: NDArray[np.bool_],
    colliding: NDArray[np.bool_],
    colour: Colour,
    colours: Palette,
) -> Shape:
    """A circle around the head's point."""
    if row.head is None:
        return segments(np.zeros((0, 2)), np.zeros((0, 2)), colour, _LINE)
    ink = colours.warning if colliding[row.head] else colours.painted if painted[row.head] else colour
    angles = np.arange(_HEAD_CORNERS) * (2.0 * np.pi / _HEAD_CORNERS)
    circle = points[row.head] + HEAD_RADIUS * np.column_stack([np.cos(angles), np.sin(angles)])
    return polyline(circle, ink, _LINE, closed=True)


def _dots(places: Array, radius: float, colour: Colour) -> tuple[Shape, ...]:
    known = places[np.isfinite(places).all(axis=1)]
    return tuple(fixed(shape) for shape in discs(known, radius, colour)) if len(known) else ()


def highlit_figure(icon: PoseIcon, row: IconRow, joint: int | None, colours: Palette) -> Figure:
    """The figure under the mouse: brighter, and the joint that a click would paint with a ring."""
    points, ink = figure_points(icon), colours.text_strong
    shapes = [*icon_figure(icon, row, ink, colours).shapes]
    if joint is not None and 0 <= joint < len(points):
        shapes.append(_bones(points, row, np.array([joint]), colours.painted, _HIGHLIT_LINE))
        ring = points[joint] + rounded_outline((2.0 * _RING, 2.0 * _RING), _RING)
        shapes.append(polyline(ring, colours.painted, _LINE, closed=True))
    return Figure(tuple(shape for shape in shapes if len(shape)))


def tick_box(ticked: bool, middle: tuple[float, float], half: float, box: Colour, mark: Colour) -> Figure:
    """A tick box.

    Args:
        ticked: With the tick.
        middle: Where, from the figure's place.
        half: Half of its side.
        box: Colour of the ground.
        mark: Colour of the edge and the tick.
    """
    outline = rounded_outline((2.0 * half, 2.0 * half), 2.0)
    ground = tuple(fixed(shape) for shape in outlined([middle], outline, box, edge=faded(mark, 0.6)))
    return Figure((*ground, *((polyline(np.add(_TICK_LINE, middle), mark, 1.75),) if ticked else ())))
