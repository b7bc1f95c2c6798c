"""Guided time warping and other time edits: make it shorter, but keep the jump."""

import bpy

from .. import menus, strip
from . import keytime_operators, lane, map_operators, operators, panel, settings

classes = (*operators.classes, *keytime_operators.classes, *map_operators.classes, *panel.classes)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    settings.register()
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(panel.draw_menu)
    strip.add_lane(strip.TimeLane(lane.KeytimesOnStrip()))


def unregister() -> None:
    """Take back what register() did."""
    strip.remove_lane("time")
    menus.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    settings.unregister()
