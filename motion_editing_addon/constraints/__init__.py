"""Constraints: what has to hold, saved with the action; the whole motion follows, also while a joint is dragged."""

import bpy

from .. import menus
from . import drag_operator, list_operators, panel, settings, solve_operator

classes = (*list_operators.classes, *solve_operator.classes, *drag_operator.classes, *panel.classes)


def register() -> None:
    """Register settings, operators, panels and menus."""
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
