"""The menu "Motion Editing" where people look for it; what is in no menu is not found by F3 either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import bpy
from bpy.types import Menu

from ..border.registration import register_classes, unregister_classes

if TYPE_CHECKING:
    from types import ModuleType

    from bpy.types import Context, UILayout

_PLACES = ("VIEW3D_MT_object", "VIEW3D_MT_pose", "DOPESHEET_MT_key", "GRAPH_MT_key")


# What the capabilities draw into the menu, in the order of their registration.
_entries: list[Callable[[UILayout], None]] = []


class MOTIONEDIT_MT_tools(Menu):
    """All tools of the extension."""

    bl_label = "Motion Editing"

    def draw(self, _context: Context) -> None:
        """One group of entries per capability."""
        for draw_entries in _entries:
            draw_entries(self.layout)
            self.layout.separator()


def add(draw_entries: Callable[[UILayout], None]) -> None:
    """Add a capability's entries."""
    _entries.append(draw_entries)


def remove(draw_entries: Callable[[UILayout], None]) -> None:
    """Take a capability's entries away."""
    _entries.remove(draw_entries)


def registration(
    classes: Sequence[type], draw_entries: Callable[[UILayout], None], *, settings: ModuleType | None = None
) -> tuple[Callable[[], None], ...]:
    """register() and unregister() of a capability that has no more than settings, classes and menu entries."""

    def register() -> None:
        if settings is not None:
            settings.register()
        register_classes(classes)
        add(draw_entries)

    def unregister() -> None:
        remove(draw_entries)
        unregister_classes(classes)
        if settings is not None:
            settings.unregister()

    return register, unregister


def draw_menu(self: Menu, _context: Context) -> None:
    """The entry in Blender's own menus."""
    self.layout.separator()
    self.layout.menu(MOTIONEDIT_MT_tools.__name__)


def register() -> None:
    """Add the menu."""
    register_classes((MOTIONEDIT_MT_tools,))
    for place in _PLACES:
        getattr(bpy.types, place).append(draw_menu)


def unregister() -> None:
    """Take the menu away."""
    for place in _PLACES:
        getattr(bpy.types, place).remove(draw_menu)
    unregister_classes((MOTIONEDIT_MT_tools,))
