"""Smooth: noise and jitter taken out of a motion."""

import bpy

from .. import menus
from . import operators, panel

classes = (*operators.classes, *panel.classes)


def register() -> None:
    """Register operators, panels and menu entries."""
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(panel.draw_menu)


def unregister() -> None:
    """Take back what register() did."""
    menus.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
