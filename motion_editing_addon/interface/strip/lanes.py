"""The lanes there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import hover

if TYPE_CHECKING:
    from .lane import Lane

_lanes: dict[str, Lane] = {}


def add_lane(lane: Lane) -> None:
    """Show a lane from now on, in the place of an older one of the same name."""
    _lanes[lane.name] = lane


def remove_lane(name: str) -> None:
    """Show a lane no more; nothing happens if there is none of that name."""
    if hover.lane_name() == name:
        hover.leave()
    _lanes.pop(name, None)


def all_lanes() -> tuple[Lane, ...]:
    """All lanes, the lowest first."""
    return tuple(sorted(_lanes.values(), key=lambda lane: (lane.order, lane.name)))
