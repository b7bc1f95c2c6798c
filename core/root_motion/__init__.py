"""The way of a character over the ground, and moving it elsewhere."""

from .carriers import carriers_of, find_carriers, with_free_joints
from .ground_move import GroundMove, location_axes
from .ground_path import GroundPath, ground_path
from .kept_contacts import moved_with_contacts
from .mirroring import Mirror, MirrorAbout, mirror_paths, mirrored, mirrored_names
from .moves import NoTravelError, along_curve, heading_change, in_place

__all__ = [
    "GroundMove",
    "GroundPath",
    "Mirror",
    "MirrorAbout",
    "NoTravelError",
    "along_curve",
    "carriers_of",
    "find_carriers",
    "ground_path",
    "heading_change",
    "in_place",
    "location_axes",
    "mirror_paths",
    "mirrored",
    "mirrored_names",
    "moved_with_contacts",
    "with_free_joints",
]
