"""The pose timeline: pose icons on the strip, and edits of one window carried to all that are like it."""

from .. import menus, motion_changes, strip
from ..registering import call_if_loaded
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

_follow = motion_changes.follower_in(f"{__package__}.following")
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    strip.add_lane(strip.IconLane(lane.IconsOnStrip()))
    motion_changes.add_follower(_follow)


def unregister() -> None:
    """Take back what register() did."""
    motion_changes.remove_follower(_follow)
    strip.remove_lane("icons")
    _unregister()
    call_if_loaded(f"{__package__}.web", "forget")
