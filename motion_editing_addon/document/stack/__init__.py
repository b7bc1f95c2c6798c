"""The stack of edits kept with an action: what was done, in order, to be changed and done again."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

__all__ = [
    "bases",
    "entry_replay",
    "last_edit",
    "parameters",
    "partners",
    "recorder",
    "replay",
    "results",
    "settings",
    "snapshots",
    "sources",
]
