"""Targets rearranged so that a view shows them apart (pose trees, 3.3). Poses stay as they are."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics import Array
from .clusters import cluster_points

# Part of its share of the view that a group of targets fills.
_FILLED = 0.8


@dataclass(frozen=True, eq=False)
class View:
    """The part of an image plane that targets may lie in.

    Attributes:
        centre: (3,) its middle, in the space of the targets.
        right: (3,) unit vector to the right.
        up: (3,) unit vector up.
        width: Of the view at its middle.
        height: Likewise.
    """

    centre: Array
    right: Array
    up: Array
    width: float
    height: float


def arrange_for_view(places: Any, view: View, *, clusters: int = 1) -> Array:
    """(N, 3) places whose widest spread lies in the image plane, centred and scaled to the view.

    Every group is turned so that the two directions along which it spreads most lie in the image
    plane, and keeps its place on the screen among the groups.

    Args:
        places: (N, 3) of the targets.
        view: To arrange them for.
        clusters: Groups that are turned on their own; 1 turns all together.
    """
    places = np.array(places, dtype=np.float64).reshape(-1, 3)
    if not len(places):
        return np.empty((0, 3))
    groups = cluster_points(places, max(1, min(clusters, len(places))))
    flat = np.zeros((len(places), 3))
    for number in np.unique(groups):
        members = groups == number
        middle = places[members].mean(axis=0)
        flat[members] = _spread_out(places[members] - middle, view) + _on_screen(middle, view)
    return _fitted(flat, view)


def _on_screen(offset: Array, view: View) -> Array:
    """A point by its distance from the view's middle to the right, up and towards the viewer, without depth."""
    from_centre = offset - view.centre
    return np.array([from_centre @ view.right, from_centre @ view.up, 0.0])


def _spread_out(offsets: Array, view: View) -> Array:
    """(N, 3) offsets along right, up and depth, the principal directions nearest to the same ones on the screen."""
    directions = np.linalg.svd(offsets, full_matrices=True)[2] if len(offsets) > 1 else np.eye(3)
    # The principal direction that already points more to the right stays to the right, and no axis is mirrored.
    if abs(directions[1] @ view.right) > abs(directions[0] @ view.right):
        directions = directions[[1, 0, 2]]
    signs = np.sign([directions[0] @ view.right, directions[1] @ view.up, 1.0])
    turned: Array = offsets @ (directions * np.where(signs == 0.0, 1.0, signs)[:, None]).T
    return turned


def _fitted(flat: Array, view: View) -> Array:
    """Centred and scaled evenly so that all lie in the view."""
    low, high = flat.min(axis=0), flat.max(axis=0)
    extent = high - low
    room = np.array([view.width, view.height]) * _FILLED
    scale = min((size / span for size, span in zip(room, extent[:2], strict=True) if span > 1e-9), default=1.0)
    centred = (flat - 0.5 * (low + high)) * scale
    axes = np.stack([view.right, view.up, np.cross(view.right, view.up)])
    placed: Array = view.centre + centred @ axes
    return placed
