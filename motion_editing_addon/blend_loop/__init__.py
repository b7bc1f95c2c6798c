"""Blend & Loop: motions mixed and joined, loops, mirror images, other ways over the ground."""

import bpy

from .. import menus
from . import (
    append_operator,
    blend_operator,
    bridge_operator,
    loop_operator,
    mirror_operator,
    panel,
    root_operators,
    settings,
)

classes = (
    *blend_operator.classes,
    *append_operator.classes,
    *bridge_operator.classes,
    *loop_operator.classes,
    *mirror_operator.classes,
    *root_operators.classes,
    *panel.classes,
)


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
