"""The way of a character over the ground, and moving it elsewhere."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .kept_contacts import moved_with_contacts
    from .moves import NoTravelError, along_curve, heading_change, in_place
else:
    __getattr__ = lazy_door(__name__)

__all__ = [
    "NoTravelError",
    "along_curve",
    "heading_change",
    "in_place",
    "moved_with_contacts",
]
