"""What is known and kept of an action and its character between two edits."""

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "action_users",
    "handlers",
    "influence",
    "keys_in_memory",
    "motion_changes",
    "original_keys",
    "pose_models",
    "refusals",
    "scope",
    "stack",
    "transaction",
    "watched_keys",
]
