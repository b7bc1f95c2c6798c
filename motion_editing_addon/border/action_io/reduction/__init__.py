"""Few keys for a motion."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "pose_keys",
    "sparse_keys",
]
