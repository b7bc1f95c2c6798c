"""Arrays in ID properties."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import ID, PropertyGroup


def put_array(group: PropertyGroup | ID, name: str, values: np.ndarray) -> None:
    """Keep an array of float64, float32 or int32 flat, in the place of what was there; no numbers are nothing."""
    # Blender writes a new array over an older one of the same type, and beyond its end if that was shorter.
    if name in group:
        del group[name]
    if values.size:
        group[name] = values.reshape(-1).copy()
