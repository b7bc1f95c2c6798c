"""What the mouse is over. One for all editors: there is one mouse."""

from __future__ import annotations

from typing import Any, NamedTuple


class Hovered(NamedTuple):
    """An item under the mouse.

    Attributes:
        lane: Name of its lane.
        item: What the lane said it is.
        region: Which region the mouse is in, by address.
        held: The item is being dragged.
    """

    lane: str
    item: Any
    region: int
    held: bool = False


_hovered: Hovered | None = None


def enter(hovered: Hovered) -> bool:
    """The mouse is over this item; True if it was not before."""
    global _hovered
    changed, _hovered = hovered != _hovered, hovered
    return changed


def leave() -> bool:
    """The mouse is over nothing; True if it was over something."""
    global _hovered
    changed, _hovered = _hovered is not None, None
    return changed


def current() -> Hovered | None:
    """What the mouse is over."""
    return _hovered


def lane_name() -> str | None:
    """Name of the lane that the mouse is over an item of."""
    return _hovered.lane if _hovered else None
