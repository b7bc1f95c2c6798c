"""Take, Change and Tool, and edits that several capabilities share."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .change import Change
    from .mirror import Mirror, MirrorAbout, mirror_paths, mirrored, mirrored_names
    from .options import Option, Unit, choice, number, numbers, options_of, switch, text, whole_number
    from .shared_options import KEEP_CONTACTS, KEEP_PEAKS, STRENGTH
    from .standing_feet import contacts_within, joined_contacts, standing_still
    from .take import Take
    from .tool import Tool
else:
    __getattr__ = lazy_door(__name__)

__all__ = [
    "KEEP_CONTACTS",
    "KEEP_PEAKS",
    "STRENGTH",
    "Change",
    "Mirror",
    "MirrorAbout",
    "Option",
    "Take",
    "Tool",
    "Unit",
    "choice",
    "contacts_within",
    "joined_contacts",
    "mirror_paths",
    "mirrored",
    "mirrored_names",
    "number",
    "numbers",
    "options_of",
    "standing_still",
    "switch",
    "text",
    "whole_number",
]
