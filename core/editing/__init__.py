"""Edits that several capabilities share."""

from .mirror import Mirror, MirrorAbout, mirror_paths, mirrored, mirrored_names

__all__ = [
    "Mirror",
    "MirrorAbout",
    "mirror_paths",
    "mirrored",
    "mirrored_names",
]
