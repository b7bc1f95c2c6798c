"""Contacts: when feet and hands stand still; found, corrected, saved with the action, held by edits."""

import bpy

from .. import menus
from . import operators, panel, settings

classes = (*operators.classes, *panel.classes)


def register() -> None:
    """Register settings, operators and panels."""
    settings.register()
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(panel.draw_menu)


def unregister() -> None:
    """Take back what register() did."""
    menus.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    settings.unregister()
