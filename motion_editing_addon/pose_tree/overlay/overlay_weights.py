"""The shares of the blend at a cursor, as links to what is blended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from .. import model
from ..solution.evaluation import weights_of

if TYPE_CHECKING:
    from ..solution.evaluation import BlendWeights
    from .overlay_data import SpaceSeen

# Less than this cannot be seen in the pose, and more links than this not told apart.
_LEAST, _MOST = 0.01, 16


@dataclass(frozen=True)
class Link:
    """What a cursor blends.

    Attributes:
        place: (3,) in the scene.
        weight: Share of the blend; below zero where the pose leads away from it.
        target: Number of the target in its space; None for a frame of a path.
        size: How far from its place the link ends, in units of the scene.
    """

    place: tuple[float, ...]
    weight: float
    target: int | None
    size: float = 0.0


def links_of(space: SpaceSeen) -> tuple[Link, ...]:
    """The strongest links of a space, strongest first; none where nothing is blended."""
    if space.cursor is None or space.follows:
        return ()
    weights = _weights(space)
    if weights is None:
        return ()
    links = [*_of_targets(space, weights), *_of_paths(space, weights)]
    strong = [link for link in links if abs(link.weight) >= _LEAST]
    return tuple(sorted(strong, key=lambda link: -abs(link.weight))[:_MOST])


def _weights(space: SpaceSeen) -> BlendWeights | None:
    owner = bpy.context.scene.objects.get(space.owner_name)
    if not model.has_tree(owner):
        return None
    node = model.node_by_number(owner, space.number)
    try:
        return None if node is None else weights_of(owner, node)
    except MotionEditError:
        return None  # the panel says what is wrong


def _of_targets(space: SpaceSeen, weights: BlendWeights) -> list[Link]:
    targets = space.targets
    each = zip(targets.names, targets.children, targets.places.tolist(), targets.sizes.tolist(), strict=True)
    return [
        Link(tuple(place), weights.children.get(child, 0.0) if child else weights.targets.get(name, 0.0), number, size)
        for number, (name, child, place, size) in enumerate(each)
    ]


def _of_paths(space: SpaceSeen, weights: BlendWeights) -> list[Link]:
    paths = {path.name: path.places for path in space.paths}
    return [
        Link(tuple(paths[name][frame]), weight, None)
        for (name, frame), weight in weights.path_frames.items()
        if name in paths and frame < len(paths[name])
    ]
