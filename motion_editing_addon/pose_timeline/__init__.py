"""The pose timeline: pose icons on the strip, and edits of one window carried to all that are like it."""

import sys

import bpy

from .. import menus
from . import (
    alignment_operators,
    collision_operators,
    feature_operators,
    panel,
    propagation_operators,
    settings,
    time_operators,
    window_operators,
)

classes = (
    *window_operators.classes,
    *propagation_operators.classes,
    *time_operators.classes,
    *alignment_operators.classes,
    *feature_operators.classes,
    *collision_operators.classes,
    *panel.classes,
)


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
    web = sys.modules.get(f"{__package__}.web")
    if web is not None:
        web.forget()
