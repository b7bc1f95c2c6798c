"""The pose timeline: pose icons on the strip, and edits of one window carried to all that are like it."""

import sys

import bpy

from .. import menus, strip
from . import (
    alignment_operators,
    collision_operators,
    feature_operators,
    lane,
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
    """Register settings, operators, panels and the lane on the strip."""
    settings.register()
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(panel.draw_menu)
    strip.add_lane(strip.IconLane(lane.IconsOnStrip()))


def unregister() -> None:
    """Take back what register() did."""
    strip.remove_lane("icons")
    menus.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    settings.unregister()
    web = sys.modules.get(f"{__package__}.web")
    if web is not None:
        web.forget()
