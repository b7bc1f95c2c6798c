"""The way of a character over the ground, and moving it elsewhere."""

from .kept_contacts import moved_with_contacts
from .mirror import Mirror, MirrorAbout, mirror_paths, mirrored, mirrored_names
from .moves import NoTravelError, along_curve, heading_change, in_place

__all__ = [
    "Mirror",
    "MirrorAbout",
    "NoTravelError",
    "along_curve",
    "heading_change",
    "in_place",
    "mirror_paths",
    "mirrored",
    "mirrored_names",
    "moved_with_contacts",
]
