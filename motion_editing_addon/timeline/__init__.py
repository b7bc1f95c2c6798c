"""The pose timeline: pose icons on the strip, and edits of one window carried to all that are like it."""

from ..border.registration import call_if_loaded
from ..document import motion_changes
from ..interface import menus, strip
from . import collision_operators, panel, propagation_operators, settings
from .features import feature_operators
from .lane.icon_lane import IconLane
from .lane.icons_on_strip import IconsOnStrip
from .timing import alignment_operators, time_operators
from .windows import window_operators

classes = (
    *window_operators.classes,
    *propagation_operators.classes,
    *time_operators.classes,
    *alignment_operators.classes,
    *feature_operators.classes,
    *collision_operators.classes,
    *panel.classes,
)

_follow = motion_changes.follower_in(f"{__package__}.follower")
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    strip.add_lane(IconLane(IconsOnStrip()))
    motion_changes.add_follower(_follow)


def unregister() -> None:
    """Take back what register() did."""
    motion_changes.remove_follower(_follow)
    strip.remove_lane(IconLane.name)
    _unregister()
    call_if_loaded(f"{__package__}.web", "forget")
