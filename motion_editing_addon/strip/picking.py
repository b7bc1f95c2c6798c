"""What is under the mouse in a Dope Sheet's region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..drawing import theme
from .lanes import all_lanes
from .overlay import placement_in, stack_in

if TYPE_CHECKING:
    from bpy.types import Context

    from ..drawing.shapes import Placement
    from .lane import Lane


@dataclass(frozen=True)
class Picked:
    """An item with its lane and the lane's place."""

    lane: Lane
    item: Any
    placement: Placement


def pick(context: Context, x: float, y: float) -> Picked | None:
    """The item at a pixel of the context's region."""
    if not all_lanes() or context.region is None or context.region.type != "WINDOW":
        return None
    stack = stack_in(context)
    pixel = theme.ui_scale(context)
    placed = stack.lane_at(y, pixel) if stack else None
    if placed is None:
        return None
    placement = placement_in(context.region, placed, pixel)
    item = placed.lane.hit(x, y, placement)
    return None if item is None else Picked(placed.lane, item, placement)
