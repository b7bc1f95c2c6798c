"""Functions that Blender calls after something has happened, or later; whoever adds some takes them away again."""

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


def after_jumps(handler: Callable[..., None]) -> Handlers:
    """A handler for all that may leave other data than it found: undo, redo and another file."""
    return dict.fromkeys(("undo_post", "redo_post", "load_post"), handler)


def call_later(function: Callable[[], float | None], *, seconds: float = 0.0) -> None:
    """Call a function after Blender has done its work, once however often it is asked for."""
    if not bpy.app.timers.is_registered(function):
        bpy.app.timers.register(function, first_interval=seconds)


def call_off(function: Callable[[], float | None]) -> None:
    """Do not call it after all."""
    if bpy.app.timers.is_registered(function):
        bpy.app.timers.unregister(function)
