"""Pose trees: poses blended by moving a cursor through space, and motions edited as paths there."""

import sys

import bpy

from .. import menus
from . import live, node_operators, overlay, panel, path_operators, pose_operators, settings

classes = (*node_operators.classes, *pose_operators.classes, *path_operators.classes, *panel.classes)


def register() -> None:
    """Register the saved data, operators, panel and handlers."""
    settings.register()
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(panel.draw_menu)
    live.register()


def unregister() -> None:
    """Take back what register() did."""
    live.unregister()
    overlay.unregister()
    warning = sys.modules.get(f"{__package__}.render_warning")
    if warning is not None:
        warning.unregister()
    menus.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    settings.unregister()
