"""What of pose trees has a size in pixels: miniatures, dots on paths, and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...interface.drawing.screen_places import free_boxes, inside
from ...interface.drawing.shapes import LINES, Picture, Shape, diamonds, discs
from ...interface.drawing.theme import mixed
from .overlay_data import ACTIVE, SELECTED
from .overlay_scene import path_colour, target_colours

if TYPE_CHECKING:
    from ...interface.drawing.scene_theme import ScenePalette
    from ...interface.drawing.screen_places import Box, ScreenView
    from ...interface.drawing.theme import Colour
    from .overlay_data import PathSeen, SpaceSeen
    from .overlay_figures import Miniatures

Figures = Mapping[tuple[int, int], "Miniatures | None"]

# Pixels at a UI scale of 1.
_SMALLEST, _TALLEST, _MOST_FIGURES = 30.0, 64.0, 80
_FIGURE_PER_CUBE = 5.0  # height of a figure in half sides of its cube
_LIFT, _LINE, _HALO_LINE = 4.0, 1.5, 3.5
_HALO, _UNPOSED, _INK = 0.4, 0.3, 0.35
_DOT, _TENTH_DOT, _MARKER, _CURSOR = 1.6, 2.8, 4.5, 3.5
_DARK = (0.0, 0.0, 0.0, 0.8)
_TICK_SPACING = 6.0
_TICK_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, eq=False)
class FiguresOnScreen:
    """Miniatures with the room that they take."""

    picture: Picture
    boxes: tuple[Box, ...]


# Miniatures


def figures_on_screen(
    spaces: Sequence[SpaceSeen], figures: Figures, view: ScreenView, colours: ScenePalette
) -> FiguresOnScreen:
    """A small figure above every target; nearer ones first where they are crowded."""
    found = [_standing(space, figures.get(space.identity), view, colours) for space in spaces]
    rows = [each for each in found if each is not None and len(each.rows)]
    if not rows:
        return FiguresOnScreen(Picture(), ())
    boxes = np.concatenate([each.boxes for each in rows])
    nearest = np.argsort(np.concatenate([each.distances for each in rows]), kind="stable")
    places = free_boxes([[tuple(box)] for box in boxes[nearest].tolist()], gap=2.0 * view.pixel, most=_MOST_FIGURES)
    kept = np.zeros(len(boxes), dtype=bool)
    kept[nearest] = [number is not None for number in places]
    parts = np.split(kept, np.cumsum([len(each.rows) for each in rows])[:-1])
    shapes = [shape for each, part in zip(rows, parts, strict=True) if part.any() for shape in each.shapes(part)]
    shapes.sort(key=lambda shape: -shape.size)  # all dark rims below all lines
    return FiguresOnScreen(Picture(tuple(shapes)), tuple(map(tuple, boxes[kept].tolist())))


@dataclass(frozen=True, eq=False)
class _Standing:
    """Miniatures of a space at their places, M of them.

    Attributes:
        figures: All miniatures of the space.
        rows: (M,) which of them.
        distances: (M,) from the eye.
        feet: (M, 2) where they stand, in pixels.
        heights: (M,) in pixels.
        inks: (M, 4) colours.
    """

    figures: Miniatures
    rows: np.ndarray
    distances: np.ndarray
    feet: np.ndarray
    heights: np.ndarray
    inks: np.ndarray

    @property
    def boxes(self) -> np.ndarray:
        """(M, 4) the room that they take."""
        half, (across, up) = 0.35 * self.heights, self.feet.T
        return np.column_stack([across - half, up, across + half, up + self.heights])

    def shapes(self, kept: np.ndarray) -> list[Shape]:
        """Soft dark rims, which keep the lines apart from whatever is behind, and the lines."""
        clear = self.figures.clear
        return [
            self._strokes(kept, clear, np.array([(0.0, 0.0, 0.0, _HALO)]), _HALO_LINE),
            self._strokes(kept, ~clear, self.inks[kept] * (1.0, 1.0, 1.0, _UNPOSED), _LINE),
            self._strokes(kept, clear, self.inks[kept], _LINE),
        ]

    def _strokes(self, kept: np.ndarray, chosen: np.ndarray, inks: np.ndarray, width: float) -> Shape:
        lines = self.figures.lines[self.rows[kept]][:, chosen].reshape(kept.sum(), -1, 2)
        points = lines * self.heights[kept, None, None] + self.feet[kept, None]
        every = np.broadcast_to(inks[:, None], (*points.shape[:2], 4))
        return Shape(LINES, points.reshape(-1, 2), every.reshape(-1, 4), width)


def _standing(
    space: SpaceSeen, figures: Miniatures | None, view: ScreenView, colours: ScenePalette
) -> _Standing | None:
    if figures is None or not len(space.targets.names):
        return None
    seen = on_screen(space, view)
    inks = target_colours(space, colours)
    inks[:, :3] += _INK * (np.array(colours.text_strong[:3]) - inks[:, :3])
    rows = np.array([figures.number.get(name, -1) for name in space.targets.names])
    shown = seen.inside & (np.array(space.targets.children) == 0) & (rows >= 0)
    feet, heights = seen.feet(view.pixel), seen.figure_heights(view.pixel)
    return _Standing(figures, rows[shown], seen.pixels[shown, 2], feet[shown], heights[shown], inks[shown])


@dataclass(frozen=True, eq=False)
class TargetsOnScreen:
    """Pixels of a space's targets.

    Attributes:
        pixels: (N, 3) across, up and distance.
        radii: (N,) half sides of the cubes.
        inside: (N,) in the region.
    """

    pixels: np.ndarray
    radii: np.ndarray
    inside: np.ndarray

    @property
    def upper(self) -> np.ndarray:
        """(N,) targets in the upper half of their space, as it is seen."""
        up = self.pixels[:, 1]
        known = up[np.isfinite(up)]
        return up > (0.5 * (known.min() + known.max()) if len(known) else 0.0)

    def feet(self, pixel: float) -> np.ndarray:
        """(N, 2) where figures stand: above their cubes."""
        return self.pixels[:, :2] + np.column_stack([0.0 * self.radii, 1.3 * self.radii + _LIFT * pixel])

    def figure_heights(self, pixel: float) -> np.ndarray:
        """(N,) in pixels."""
        return np.clip(_FIGURE_PER_CUBE * self.radii, _SMALLEST * pixel, _TALLEST * pixel)


def on_screen(space: SpaceSeen, view: ScreenView) -> TargetsOnScreen:
    """Where the targets of a space are seen."""
    places = space.targets.places
    pixels = view.pixels(places)
    return TargetsOnScreen(pixels, view.lengths(places, space.targets.sizes), inside(pixels, view.size))


# Dots


def dots_at_cursors(spaces: Sequence[SpaceSeen], view: ScreenView, colours: ScenePalette) -> Picture:
    """A dot in every cursor, in the colour of its selection: Empties are hard to find."""
    shapes: list[Shape] = []
    for space in (each for each in spaces if each.cursor is not None):
        place = _known(view.pixels([space.cursor])[:, :2])
        colour = {ACTIVE: colours.active, SELECTED: colours.selected}.get(space.cursor_state, colours.text_strong)
        shapes += [*discs(place, _CURSOR + 1.5, _DARK), *discs(place, _CURSOR, colour)]
    return Picture(tuple(shapes))


def dots_on_paths(spaces: Sequence[SpaceSeen], view: ScreenView, colours: ScenePalette) -> Picture:
    """A dot at every frame as far as there is room, a ring at the start, a diamond at the end, edited frames."""
    return Picture(tuple(shape for space in spaces for path in space.paths for shape in _dots(path, view, colours)))


def _dots(path: PathSeen, view: ScreenView, colours: ScenePalette) -> list[Shape]:
    colour, (first, last) = path_colour(path, colours), path.span
    pixels, frames = view.pixels(path.places)[:, :2], np.arange(max(first, 0), min(last + 1, len(path.places)))
    step = tick_step(pixels[frames], view.pixel)
    large = frames[frames % (10 * step) == 0]
    small = np.setdiff1d(frames[frames % step == 0], large)
    # Lighter than the line, or they would not be seen on it.
    light = mixed(colour, colours.text_strong, _INK)
    shapes = [*discs(_known(pixels[small]), _DOT, light), *discs(_known(pixels[large]), _TENTH_DOT, light)]
    if len(frames):
        shapes += _ring(_known(pixels[frames[:1]]), colour, _DARK)
        shapes += diamonds(_known(pixels[frames[-1:]]), _MARKER + 1.0, colour, edge=_DARK)
    edited = np.array([frame for frame, _place in path.edits if frame < len(path.places)], dtype=np.intp)
    return [*shapes, *diamonds(_known(pixels[edited]), _MARKER, colours.edited, edge=_DARK)]


def _ring(places: np.ndarray, colour: Colour, inside_colour: Colour) -> list[Shape]:
    return [*discs(places, _MARKER, colour), *discs(places, 0.5 * _MARKER, inside_colour)]


def _known(pixels: np.ndarray) -> np.ndarray:
    return pixels[np.isfinite(pixels).all(axis=1)]


def tick_step(pixels: np.ndarray, pixel: float = 1.0) -> int:
    """Frames between two dots, so that they lie apart on most of the path."""
    lengths = np.linalg.norm(np.diff(pixels, axis=0), axis=1)
    lengths = lengths[np.isfinite(lengths)]
    middle = float(np.mean(lengths)) if len(lengths) else 0.0
    return next((step for step in _TICK_STEPS if step * middle >= _TICK_SPACING * pixel), _TICK_STEPS[-1])
