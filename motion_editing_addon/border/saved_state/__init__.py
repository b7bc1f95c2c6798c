"""Everything that the extension keeps in a file: what it looks like, its version, and how older files are read.

`kinds` is the table of all that is kept. Whatever is read is checked against it first; what does not fit is one line
that says how to get rid of it.
"""

from typing import TYPE_CHECKING

from ..lazy_modules import lazy_submodules

if TYPE_CHECKING:
    from .damage import reading
    from .documents import from_text, to_text
    from .groups import put, take
    from .id_arrays import put_array
    from .kinds import (
        BODY,
        CHANNELS,
        KEY_EDIT,
        LAYERS,
        LAYERS_BASE,
        LAYERS_BEFORE,
        LAYERS_SET,
        MAPPING,
        MATCH_WEB,
        MIRRORED,
        PATH,
        POSE_BEFORE,
        POSE_CHANGE,
        REDUCED,
        SHOWN,
        STAGGERED,
        STAGGERED_KEYS,
        TIME_MAP,
        TREE_POSES,
        WINDOW,
    )
    from .models import SavedModel, fingerprint_of, load, load_known, names, peek, remove, save, when_saved
    from .schema import Field, Kind, array, single
    from .setting_kinds import SETTINGS
    from .settings import migrate, stamp
else:
    __getattr__ = lazy_submodules(__name__)

__all__ = [
    "BODY",
    "CHANNELS",
    "KEY_EDIT",
    "LAYERS",
    "LAYERS_BASE",
    "LAYERS_BEFORE",
    "LAYERS_SET",
    "MAPPING",
    "MATCH_WEB",
    "MIRRORED",
    "PATH",
    "POSE_BEFORE",
    "POSE_CHANGE",
    "REDUCED",
    "SETTINGS",
    "SHOWN",
    "STAGGERED",
    "STAGGERED_KEYS",
    "TIME_MAP",
    "TREE_POSES",
    "WINDOW",
    "Field",
    "Kind",
    "SavedModel",
    "action_states",
    "array",
    "fingerprint_of",
    "from_text",
    "load",
    "load_known",
    "migrate",
    "names",
    "peek",
    "put",
    "put_array",
    "reading",
    "remove",
    "save",
    "single",
    "stamp",
    "take",
    "to_text",
    "when_saved",
]
