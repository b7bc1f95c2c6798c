"""Staggered poses: see a motion as a few poses, change them as one thing, loosen the timing among body parts."""

from .. import menus, original_keys, strip
from ..registering import call_if_loaded
from . import lane, operators, original, panel, pose_operators, posing, settings, timing_operators

classes = (
    *operators.classes,
    *posing.classes,
    *timing_operators.classes,
    *pose_operators.classes,
    *panel.classes,
)

_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    posing.register()
    original_keys.listeners.append(original.follow)
    strip.add_lane(strip.StaggerLane(lane.PosesOnStrip()))


def unregister() -> None:
    """Take back what register() did."""
    strip.remove_lane("stagger")
    original_keys.listeners.remove(original.follow)
    posing.unregister()
    _unregister()
    call_if_loaded(f"{__package__}.session", "forget")
