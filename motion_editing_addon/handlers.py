"""Functions that Blender calls after something has happened; whoever adds some takes them away again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import bpy

# Name of a list in bpy.app.handlers, and the function that goes into it.
Handlers = Mapping[str, Callable[..., None]]


def add(handlers: Handlers) -> None:
    """Have Blender call functions."""
    for place, handler in handlers.items():
        getattr(bpy.app.handlers, place).append(handler)


def remove(handlers: Handlers) -> None:
    """Take them away."""
    for place, handler in handlers.items():
        getattr(bpy.app.handlers, place).remove(handler)
