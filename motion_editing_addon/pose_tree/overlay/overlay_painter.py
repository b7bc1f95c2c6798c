"""Keeps the pictures of pose trees until what they show changes, and has them painted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import bpy

from ...border.lazy_modules import is_loaded
from ...interface.drawing import painter
from ...interface.drawing.batches import Kept
from ...interface.drawing.scene_shapes import dimmed
from ...interface.drawing.scene_theme import scene_palette
from ...interface.drawing.screen_places import ScreenView
from ...interface.drawing.shapes import Picture, Placement
from ...interface.drawing.theme import ui_scale
from .. import model
from . import overlay_data
from .overlay_data import spaces_seen
from .overlay_figures import Miniatures, miniatures
from .overlay_scene import links_picture, paths_picture, relations_picture, targets_picture
from .overlay_screen import FiguresOnScreen, dots_at_cursors, dots_on_paths, figures_on_screen
from .overlay_weights import Link, links_of
from .overlay_words import labels_on_screen

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from bpy.types import Context

    from ...interface.drawing.scene_theme import ScenePalette
    from ...interface.drawing.shapes import Label
    from .overlay_data import SpaceSeen
    from .overlay_words import Links, TextWidth

# What is behind objects keeps this part of its colour.
_BEHIND = 0.3
# Batches are kept under names that begin so.
_NAME = "pose tree"

pictures: Kept[Picture] = Kept()
_figures: Kept[Miniatures | None] = Kept()
_links: Kept[tuple[Link, ...]] = Kept()
_standing: Kept[FiguresOnScreen] = Kept()
_labels: Kept[tuple[Label, ...]] = Kept()
_last: dict[int, Scene] = {}


def forget() -> None:
    """Build everything anew."""
    for kept in (pictures, _figures, _links, _standing, _labels):
        kept.clear()
    _last.clear()
    overlay_data.forget()
    if is_loaded(painter):
        painter.kept.forget_all(_NAME)


@dataclass(frozen=True, eq=False)
class Scene:
    """What is shown among the objects, the same pictures while nothing changes."""

    spaces: Sequence[SpaceSeen]
    links: Links
    parts: dict[str, Picture]


def scene_of(context: Context, owner_names: list[str], colours: ScenePalette) -> Scene:
    """Everything to be drawn in the scene."""
    spaces = spaces_seen(context, owner_names)
    links = {space.identity: _links_of(space) for space in spaces}
    cursors = tuple((space.cursor, space.live) for space in spaces)
    parts = {
        "relations": _picture("relations", _places_key(spaces), colours, lambda: relations_picture(spaces, colours)),
        "paths": _picture("paths", _paths_key(spaces), colours, lambda: paths_picture(spaces, colours)),
        "links": _picture(
            "links", (cursors, tuple(links.values())), colours, lambda: links_picture(spaces, links, colours)
        ),
        "targets": _picture("targets", _targets_key(spaces), colours, lambda: targets_picture(spaces, colours)),
    }
    return Scene(spaces, links, parts)


def _picture(name: str, key: Hashable, colours: ScenePalette, build: Callable[[], Picture]) -> Picture:
    return pictures.get(name, (key, colours), build)


def _links_of(space: SpaceSeen) -> tuple[Link, ...]:
    paths = tuple((path.name, _Same(path.places)) for path in space.paths)
    key = (space.cursor, space.revision, space.follows, space.matrix.tobytes(), space.targets.key, paths)
    return _links.get(f"{space.owner} {space.number}", key, lambda: links_of(space))


def _targets_key(spaces: Sequence[SpaceSeen]) -> Hashable:
    return tuple((s.targets.key, None if s.ghost is None else s.ghost.tobytes()) for s in spaces)


def _places_key(spaces: Sequence[SpaceSeen]) -> Hashable:
    return tuple((s.identity, s.matrix.tobytes(), s.place, s.targets.children) for s in spaces)


def _paths_key(spaces: Sequence[SpaceSeen]) -> Hashable:
    return tuple(
        (p.name, _Same(p.places), p.span, p.is_branch, p.is_active, p.edits) for space in spaces for p in space.paths
    )


class _Same:
    """Compares by identity; keeps what is compared alive, since the number of something gone may come again."""

    def __init__(self, thing: object) -> None:
        self._thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._thing is other._thing

    def __hash__(self) -> int:
        return id(self._thing)


# On the screen


@dataclass(frozen=True, eq=False)
class Screen:
    """What is shown in the pixels of a region."""

    figures: Picture
    dots: Picture
    cursors: Picture
    labels: tuple[Label, ...]


def screen_of(scene: Scene, region: str, view: ScreenView, colours: ScenePalette, text_width: TextWidth) -> Screen:
    """Everything to be drawn over a region."""
    spaces, figures = scene.spaces, {space.identity: _figures_of(space) for space in scene.spaces}
    seen, targets = (view, colours), _targets_key(spaces)
    poses = tuple(_Same(each) for each in figures.values())
    standing = _standing.get(region, (seen, targets, poses), lambda: figures_on_screen(spaces, figures, view, colours))
    dots = pictures.get(f"dots {region}", (seen, _paths_key(spaces)), lambda: dots_on_paths(spaces, view, colours))
    places = tuple((space.cursor, space.cursor_state) for space in spaces)
    cursors = pictures.get(f"cursors {region}", (seen, places), lambda: dots_at_cursors(spaces, view, colours))
    names = tuple((space.name, space.is_active, space.matrix.tobytes()) for space in spaces)
    key = (seen, targets, names, _paths_key(spaces), tuple(scene.links.values()), _Same(standing))
    labels = _labels.get(
        region, key, lambda: labels_on_screen(spaces, scene.links, standing.boxes, view, colours, text_width)
    )
    return Screen(standing.picture, dots, cursors, labels)


def _figures_of(space: SpaceSeen) -> Miniatures | None:
    key = space.revision, space.targets.names
    return _figures.get(f"{space.owner} {space.number}", key, lambda: _read_figures(space))


def _read_figures(space: SpaceSeen) -> Miniatures | None:
    owner = bpy.context.scene.objects.get(space.owner_name)
    return miniatures(owner, model.known_node(owner, space.number)) if owner is not None else None


# Painting


def paint_scene(context: Context, owner_names: list[str]) -> None:
    """Draw what is among the objects: clear in front of them, faint behind."""
    scene, pixel = scene_of(context, owner_names, scene_palette(context)), ui_scale(context)
    _last[context.region.as_pointer()] = scene
    for name, picture in scene.parts.items():
        behind = pictures.get(f"{name} behind", picture, partial(dimmed, picture, _BEHIND))
        painter.paint_in_scene(f"{_NAME} {name} behind", behind, pixel, depth="GREATER")
        painter.paint_in_scene(f"{_NAME} {name}", picture, pixel, depth="LESS_EQUAL")


def paint_flat(context: Context, owner_names: list[str]) -> None:
    """Draw what has a size in pixels."""
    region, pixel, colours = context.region, ui_scale(context), scene_palette(context)
    view = ScreenView.of(context.region_data.perspective_matrix, (region.width, region.height), pixel)
    # The scene was drawn just before, in the same redraw.
    scene = _last.pop(region.as_pointer(), None) or scene_of(context, owner_names, colours)
    name = f"{_NAME} {region.as_pointer()}"
    screen = screen_of(scene, name, view, colours, painter.text_width)
    placement = Placement((0.0, 0.0), (1.0, 1.0), pixel)
    for part in ("dots", "figures", "cursors"):
        painter.paint_flat(f"{name} {part}", getattr(screen, part), placement, width=region.width)
    painter.paint_labels(screen.labels, placement, width=region.width)
