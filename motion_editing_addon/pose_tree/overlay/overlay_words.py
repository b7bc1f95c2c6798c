"""Names and percentages beside what they speak of, as far as there is room."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...interface.drawing.screen_places import free_boxes, inside
from ...interface.drawing.shapes import Label
from .overlay_data import PLAIN
from .overlay_scene import path_colour
from .overlay_screen import on_screen

if TYPE_CHECKING:
    from ...interface.drawing.scene_theme import ScenePalette
    from ...interface.drawing.screen_places import Box, ScreenView
    from ...interface.drawing.theme import Colour
    from .overlay_data import SpaceSeen
    from .overlay_weights import Link

Links = Mapping[tuple[int, int], Sequence["Link"]]
TextWidth = Callable[[str, float], float]

# Pixels at a UI scale of 1.
_SIZE, _NODE_SIZE, _GAP, _CURSOR, _MOST = 11.0, 13.0, 6.0, 7.0, 60
_MOST_PERCENTAGES = 5
_AROUND = ("right", "above", "below", "left")
# What comes first where words are crowded: spaces, what is selected, then by weight and nearness.
_FIRST, _CHOSEN, _BLENDED, _OTHERS = 0.0, 1.0, 2.0, 4.0


@dataclass(frozen=True)
class _Words:
    """A text and where it may stand.

    Attributes:
        text: What it says.
        colour: Of the letters.
        middle: Pixels of what it speaks of.
        away: Least distance from there, in pixels.
        order: Lower ones come first.
        size: Of the letters at a UI scale of 1.
        sides: Where it may stand, the best first: below, right, left or above.
        over: Least distance upwards, in pixels, if it is another one.
    """

    text: str
    colour: Colour
    middle: tuple[float, float]
    away: float
    order: float
    size: float = _SIZE
    sides: tuple[str, ...] = ("below", "right", "left")
    over: float | None = None


def labels_on_screen(
    spaces: Sequence[SpaceSeen],
    links: Links,
    taken: Sequence[Box],
    view: ScreenView,
    colours: ScenePalette,
    text_width: TextWidth,
) -> tuple[Label, ...]:
    """All words that have room.

    Args:
        taken: Boxes of pixels that words keep away from.
        view: How it is seen.
        text_width: Pixels that a text of a size in pixels takes.
    """
    words = [each for space in spaces for each in _words(space, links.get(space.identity, ()), view, colours)]
    words = sorted(words, key=lambda each: each.order)[:_MOST]
    boxes = [_boxes(each, view.pixel, text_width) for each in words]
    chosen = free_boxes(boxes, [*taken, *_cursors(spaces, view)], gap=1.0 * view.pixel)
    return tuple(
        Label(box[number][:2], each.text, each.colour, size=each.size, shadow=colours.shadow)
        for each, box, number in zip(words, boxes, chosen, strict=True)
        if number is not None
    )


def _cursors(spaces: Sequence[SpaceSeen], view: ScreenView) -> list[Box]:
    places = [space.cursor for space in spaces if space.cursor is not None]
    half = _CURSOR * view.pixel
    pixels = view.pixels(places)
    return [(x - half, y - half, x + half, y + half) for x, y, _far in pixels[inside(pixels, view.size)].tolist()]


def _boxes(words: _Words, pixel: float, text_width: TextWidth) -> list[Box]:
    wide, high = text_width(words.text, words.size * pixel), words.size * pixel
    (across, up), away = words.middle, words.away
    corners = {
        "below": (across - 0.5 * wide, up - away - high),
        "above": (across - 0.5 * wide, up + (away if words.over is None else words.over)),
        "right": (across + away, up - 0.4 * high),
        "left": (across - away - wide, up - 0.4 * high),
    }
    return [(left, low, left + wide, low + high) for left, low in (corners[side] for side in words.sides)]


def _words(space: SpaceSeen, links: Sequence[Link], view: ScreenView, colours: ScenePalette) -> list[_Words]:
    return [
        *_of_space(space, view, colours),
        *_of_targets(space, links, view, colours),
        *_of_frames(links, view, colours),
        *_of_paths(space, view, colours),
        *_of_ghost(space, view, colours),
    ]


def _of_targets(space: SpaceSeen, links: Sequence[Link], view: ScreenView, colours: ScenePalette) -> list[_Words]:
    seen, weights = on_screen(space, view), np.zeros(len(space.targets.names))
    for link in (each for each in links if each.target is not None):
        weights[link.target] = link.weight
    order = _order_of_targets(space, weights, seen.pixels[:, 2])
    first = [number for number in np.argsort(order).tolist() if seen.inside[number]][:_MOST]
    strongest = {link.target for link in links[:_MOST_PERCENTAGES]}
    tops, upper = seen.feet(view.pixel)[:, 1] + seen.figure_heights(view.pixel) + 0.5 * _GAP * view.pixel, seen.upper
    words = []
    for number in first:
        name, state = space.targets.names[number], space.targets.states[number]
        text = f"{name}  {round(100 * weights[number])} %" if number in strongest else name
        colour = colours.text_strong if state != PLAIN or number in strongest else colours.text
        away, (across, up) = 1.3 * seen.radii[number] + _GAP * view.pixel, seen.pixels[number, :2].tolist()
        # Away from the middle of the space, where the links are: over the figure's head, or under the cube.
        over = away if space.targets.children[number] else tops[number] - up
        sides = ("above", "below", "right", "left") if upper[number] else ("below", "above", "right", "left")
        words.append(_Words(text, colour, (across, up), away, float(order[number]), sides=sides, over=over))
    return words


def _order_of_targets(space: SpaceSeen, weights: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """(N,) lower for what comes first: selected ones, then by weight, then by nearness."""
    blended = np.where(weights != 0.0, _BLENDED - np.minimum(np.abs(weights), 1.0), _OTHERS)
    nearness = np.argsort(np.argsort(distances)) / max(len(distances), 1)
    return np.where(np.array(space.targets.states) != PLAIN, _CHOSEN, blended) + 0.5 * nearness


def _of_frames(links: Sequence[Link], view: ScreenView, colours: ScenePalette) -> list[_Words]:
    """Percentages of the frames of paths that are among the strongest."""
    words: list[_Words] = []
    for link in (each for each in links[:_MOST_PERCENTAGES] if each.target is None):
        order = _BLENDED - min(abs(link.weight), 1.0)
        words += _at(link.place, f"{round(100 * link.weight)} %", colours.text_strong, view, order, sides=_AROUND)
    return words


def _of_space(space: SpaceSeen, view: ScreenView, colours: ScenePalette) -> list[_Words]:
    colour = colours.text_strong if space.is_active else colours.text
    return _at(
        space.matrix[:3, 3], space.name, colour, view, _FIRST, size=_NODE_SIZE, sides=("below", "right", "above")
    )


def _of_paths(space: SpaceSeen, view: ScreenView, colours: ScenePalette) -> list[_Words]:
    words: list[_Words] = []
    for path in space.paths:
        start, order = path.places[max(path.span[0], 0)], _CHOSEN if path.is_active else _OTHERS
        opaque = (*path_colour(path, colours)[:3], 1.0)
        words += _at(start, path.name, opaque, view, order, sides=_AROUND)
    return words


def _of_ghost(space: SpaceSeen, view: ScreenView, colours: ScenePalette) -> list[_Words]:
    if space.ghost is None:
        return []
    return _at(
        space.ghost[:3, 3],
        "Suggested Place",
        colours.text_strong,
        view,
        _FIRST,
        sides=("above", "left", "right", "below"),
    )


def _at(
    place: Sequence[float] | np.ndarray,
    text: str,
    colour: Colour,
    view: ScreenView,
    order: float,
    *,
    size: float = _SIZE,
    sides: tuple[str, ...],
) -> list[_Words]:
    pixels = view.pixels([place])
    if not inside(pixels, view.size)[0]:
        return []
    return [_Words(text, colour, tuple(pixels[0, :2]), 2.0 * _GAP * view.pixel, order, size, sides)]
