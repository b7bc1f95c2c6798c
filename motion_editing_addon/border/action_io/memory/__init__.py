"""Keys in memory: what F-curves hold, so that several edits follow each other before anything is written."""

from ...lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

__all__ = ["draft", "slot_curves", "slots"]
