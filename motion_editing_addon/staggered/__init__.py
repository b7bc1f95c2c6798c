"""Staggered poses: see a motion as a few poses, change them as one thing, loosen the timing among body parts."""

import sys

import bpy

from .. import menus, strip
from . import lane, operators, panel, pose_operators, posing, settings, timing_operators

classes = (
    *operators.classes,
    *posing.classes,
    *timing_operators.classes,
    *pose_operators.classes,
    *panel.classes,
)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    settings.register()
    posing.register()
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(panel.draw_menu)
    strip.add_lane(strip.StaggerLane(lane.PosesOnStrip()))


def unregister() -> None:
    """Take back what register() did."""
    strip.remove_lane("stagger")
    menus.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    posing.unregister()
    settings.unregister()
    at_hand = sys.modules.get(f"{__package__}.session")
    if at_hand is not None:
        at_hand.forget()
