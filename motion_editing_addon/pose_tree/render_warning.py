"""A warning when a render starts: on the console always, in the window as soon as it may be touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from bpy.types import Context, Menu

_waiting: list[str] = []


def warn(text: str) -> None:
    """Say it; renders run beside the window, which therefore shows it a moment later."""
    print(f"Warning: {text}")
    if not bpy.app.background:
        _waiting.append(text)
        if not bpy.app.timers.is_registered(_show):
            bpy.app.timers.register(_show, first_interval=0.1)


def _show() -> None:
    text = _waiting.pop() if _waiting else ""
    _waiting.clear()
    windows = bpy.context.window_manager.windows
    if not text or not windows:
        return

    def draw(menu: Menu, _context: Context) -> None:
        menu.layout.label(text=text)

    with bpy.context.temp_override(window=windows[0]):
        bpy.context.window_manager.popup_menu(draw, title="Unbaked Pose Tree", icon="ERROR")


def unregister() -> None:
    """Say nothing any more."""
    _waiting.clear()
    if bpy.app.timers.is_registered(_show):
        bpy.app.timers.unregister(_show)
