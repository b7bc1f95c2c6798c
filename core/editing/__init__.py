"""Edits that several capabilities share."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .mirror import Mirror, MirrorAbout, mirror_paths, mirrored, mirrored_names
    from .standing_feet import contacts_within, joined_contacts, standing_still
else:
    __getattr__ = lazy_door(__name__)

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
