"""A place where a figure does not stand inside something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from bpy.types import Context, Object

    from ....core.numerics import Array

# Metres that are left between them, that something rises above the floor before one stands in it rather than on it,
# and how often the next thing is stepped aside from.
_GAP, _RISES, _MOST = 0.4, 0.1, 20


def step_aside(context: Context, figure: Array, arrived: Collection[Object]) -> float:
    """Metres along x by which a figure has to be moved so that it stands in no mesh of the scene.

    Args:
        context: Of the scene.
        figure: (P, 3) its joints in the first frame, with its feet on the floor.
        arrived: Objects that belong to it.
    """
    boxes = [_box(thing) for thing in context.view_layer.objects if _is_seen(thing) and thing not in arrived]
    low, high = figure.min(axis=0), figure.max(axis=0)
    aside = np.zeros(3)
    for _round in range(_MOST):
        inside = [box for box in boxes if _overlap(low + aside, high + aside, *box)]
        if not inside:
            break
        aside[0] = max(top[0] for _low, top in inside) + _GAP - low[0]
    return float(aside[0])


def _is_seen(thing: Object) -> bool:
    return thing.type == "MESH" and thing.visible_get()


def _box(thing: Any) -> tuple[Array, Array]:
    corners = np.array([thing.matrix_world @ type(thing.location)(corner) for corner in thing.bound_box])
    return corners.min(axis=0), corners.max(axis=0)


def _overlap(low: Array, high: Array, other_low: Array, other_high: Array) -> bool:
    """Whether boxes share a place above the floor; what is as low as the floor is stood upon."""
    rises = np.array([0.0, 0.0, _RISES])
    return bool(((low + rises < other_high) & (other_low < high)).all())
