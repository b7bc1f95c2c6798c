"""The scene around a character, frame by frame."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "carried_space",
    "free_place",
    "pose_mode",
    "targets",
]
