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
    """An item with its lane and the lane's place; an empty part of a lane has no item."""

    lane: Lane
    item: Any
    placement: Placement

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing here but the lane's ground."""
        return self.item is None or self.lane.is_ground(self.item)


def spot(context: Context, x: float, y: float) -> Picked | None:
    """The lane at a pixel of the context's region, and its item there if it has one."""
    if not all_lanes() or context.region is None or context.region.type != "WINDOW":
        return None
    stack = stack_in(context)
    pixel = theme.ui_scale(context)
    placed = stack.lane_at(y, pixel) if stack else None
    if placed is None:
        return None
    placement = placement_in(context.region, placed, pixel)
    return Picked(placed.lane, placed.lane.hit(x, y, placement), placement)


def pick(context: Context, x: float, y: float) -> Picked | None:
    """The item at a pixel of the context's region."""
    picked = spot(context, x, y)
    return None if picked is None or picked.item is None else picked
