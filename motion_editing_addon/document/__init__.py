"""What is known and kept of an action and its character between two edits."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "action_users",
    "handlers",
    "motion_changes",
    "original_keys",
    "pose_models",
    "scope",
    "transaction",
    "watched_keys",
]
