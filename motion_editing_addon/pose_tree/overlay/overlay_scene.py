"""Cubes, links and paths of pose trees, as pictures in the scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...interface.drawing.scene_shapes import cube_edges, cubes, dashed
from ...interface.drawing.shapes import Picture, Shape, polyline, segments
from ...interface.drawing.theme import faded
from .overlay_data import ACTIVE, SELECTED

if TYPE_CHECKING:
    from ...interface.drawing.scene_theme import ScenePalette
    from ...interface.drawing.theme import Colour
    from .overlay_data import PathSeen, SpaceSeen
    from .overlay_weights import Link

_FACE, _EDGE, _GHOST_FACE = 0.5, 0.9, 0.14
_PATH_WIDTH, _ACTIVE_PATH_WIDTH, _OTHER_PATH = 1.5, 2.5, 0.65
# Links: width in pixels of one without and one with all of the weight; widths go in steps to save batches.
_THIN, _THICK, _WIDTH_STEP = 1.0, 4.5, 0.5
_NOT_LIVE = 0.4
_RELATION_DASHES = 24


def targets_picture(spaces: Sequence[SpaceSeen], colours: ScenePalette) -> Picture:
    """Solid cubes with edges; ghosts are fainter and have dashed edges."""
    shapes: list[Shape] = []
    for space in spaces:
        each = target_colours(space, colours)
        if len(each):
            shapes += [cubes(space.targets.matrices, each * (1, 1, 1, _FACE))]
            shapes += [cube_edges(space.targets.matrices, each * (1, 1, 1, _EDGE))]
    for space in spaces:
        if space.ghost is not None:
            shapes += _ghost(space.ghost, colours)
    return Picture(tuple(sorted(shapes, key=lambda shape: shape.kind, reverse=True)))


def target_colours(space: SpaceSeen, colours: ScenePalette) -> np.ndarray:
    """(N, 4) by selection, then by what a target stands for."""
    by_state = {ACTIVE: colours.active, SELECTED: colours.selected}
    kinds = (colours.child if child else colours.target for child in space.targets.children)
    each = [by_state.get(state, kind) for state, kind in zip(space.targets.states, kinds, strict=True)]
    return np.array(each, dtype=np.float64).reshape(-1, 4)


def _ghost(matrix: np.ndarray, colours: ScenePalette) -> list[Shape]:
    edges = cube_edges([matrix], colours.text_strong).places.reshape(-1, 2, 3)
    dash = float(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1).max()) / 5.0
    dashes = dashed(edges[:, 0], edges[:, 1], colours.text_strong, 1.5, dash=dash)
    return [cubes([matrix], faded(colours.text_strong, _GHOST_FACE)), dashes]


def relations_picture(spaces: Sequence[SpaceSeen], colours: ScenePalette) -> Picture:
    """Dashed lines from every node's space to where it is a target of its parent."""
    shown = {space.identity: space for space in spaces}
    parents = {(space.owner, child): space for space in spaces for child in space.targets.children if child}
    shapes = []
    for identity, space in shown.items():
        if space.place is not None and identity in parents:
            start, end = np.array(space.place), space.matrix[:3, 3]
            dash = max(float(np.linalg.norm(end - start)), 1e-6) / (2 * _RELATION_DASHES)
            shapes.append(dashed([start], [end], faded(colours.relation, 0.8), 1.0, dash=dash))
    return Picture(tuple(shapes))


# Paths


def paths_picture(spaces: Sequence[SpaceSeen], colours: ScenePalette) -> Picture:
    """Lines through all places, and thin ones from edited poses to the frames that they change."""
    shapes: list[Shape] = []
    for space in spaces:
        for path in sorted(space.paths, key=lambda each: (each.is_branch, each.is_active)):
            colour = path_colour(path, colours)
            width = _ACTIVE_PATH_WIDTH if path.is_active else _PATH_WIDTH
            first, last = path.span
            shapes.append(polyline(path.places[max(first, 0) : last + 1], colour, width))
            shapes += _edits(path, colours)
    return Picture(tuple(shapes))


def path_colour(path: PathSeen, colours: ScenePalette) -> Colour:
    """Branches have another colour; the active path is brighter."""
    colour = colours.branch if path.is_branch else colours.path
    return colour if path.is_active else faded(colour, _OTHER_PATH)


def _edits(path: PathSeen, colours: ScenePalette) -> list[Shape]:
    frames = [frame for frame, _place in path.edits if frame < len(path.places)]
    places = [place for frame, place in path.edits if frame < len(path.places)]
    if not frames:
        return []
    return [segments(path.places[frames], np.array(places), faded(colours.edited, 0.7), 1.0)]


# Links


def links_picture(
    spaces: Sequence[SpaceSeen], links: Mapping[tuple[int, int], Sequence[Link]], colours: ScenePalette
) -> Picture:
    """Lines from every cursor to what it blends, the thicker and clearer the more."""
    shapes: list[Shape] = []
    for space in spaces:
        strength = 1.0 if space.live else _NOT_LIVE
        for link in reversed(links.get(space.identity, ())):
            shapes.append(_link(np.array(space.cursor), link, strength, colours))
    return Picture(tuple(sorted(shapes, key=lambda shape: shape.size)))


def _link(cursor: np.ndarray, link: Link, strength: float, colours: ScenePalette) -> Shape:
    amount, place = min(abs(link.weight), 1.0), np.array(link.place)
    colour = faded(colours.link if link.weight > 0.0 else colours.opposing, strength * (0.3 + 0.7 * amount**0.5))
    width = _WIDTH_STEP * round((_THIN + (_THICK - _THIN) * amount) / _WIDTH_STEP)
    # Fainter at the cursor, where all of them meet.
    return segments(
        [cursor], [place - _short_of(cursor, place, link.size)], faded(colour, 0.45), width, end_colours=[colour]
    )


def _short_of(cursor: np.ndarray, place: np.ndarray, size: float) -> np.ndarray:
    """The last part of a link, which would be seen inside of the cube that it leads to."""
    way = place - cursor
    length = float(np.linalg.norm(way))
    return way * min(size / length, 0.5) if length else way
