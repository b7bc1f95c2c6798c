"""Keys: how densely a motion is keyed, and rotations that jump."""

import bpy

from .. import menus
from . import operators, panel

classes = (*operators.classes, *panel.classes)


def register() -> None:
    """Register operators, panels and menu entries."""
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(operators.draw_operators)


def unregister() -> None:
    """Take back what register() did."""
    menus.remove(operators.draw_operators)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
