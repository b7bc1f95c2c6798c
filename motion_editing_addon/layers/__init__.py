"""Layers: changes of a motion that stay apart from it, with influence, mute, solo and scope, until they are merged."""

import sys

import bpy

from .. import menus
from . import editing, operators, panel, settings, transfer_operators

classes = (*operators.classes, *editing.classes, *transfer_operators.classes, *panel.classes)


def register() -> None:
    """Register settings, operators, panels and the handlers of the mode."""
    settings.register()
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(panel.draw_menu)
    editing.register()


def unregister() -> None:
    """Take back what register() did."""
    editing.unregister()
    menus.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    settings.unregister()
    at_hand = sys.modules.get(f"{__package__}.session")
    if at_hand is not None:
        at_hand.forget()
