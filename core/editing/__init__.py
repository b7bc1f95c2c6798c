"""Edits that several capabilities share."""

from .mirror import Mirror, MirrorAbout, mirror_paths, mirrored, mirrored_names
from .standing_feet import contacts_within, joined_contacts, standing_still

__all__ = [
    "Mirror",
    "MirrorAbout",
    "contacts_within",
    "joined_contacts",
    "mirror_paths",
    "mirrored",
    "mirrored_names",
    "standing_still",
]
