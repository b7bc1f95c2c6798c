"""The way of a character over the ground, and moving it elsewhere."""

from .kept_contacts import moved_with_contacts
from .moves import NoTravelError, along_curve, heading_change, in_place

__all__ = [
    "NoTravelError",
    "along_curve",
    "heading_change",
    "in_place",
    "moved_with_contacts",
]
