"""Guided time warping and other time edits: make it shorter, but keep the jump."""

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import motion_changes, original_keys
from ..interface import menus, strip
from . import keytime_operators, map_operators, operators, panel, settings, span_operators
from .lane.keytimes_on_strip import KeytimesOnStrip
from .lane.time_lane import TimeLane

classes = classes_of(operators, keytime_operators, span_operators, map_operators, panel)

_restore = original_keys.listener_in(f"{__package__}.following.follower")
_follow = motion_changes.follower_in(f"{__package__}.following.follower")
_follow_strips = motion_changes.follower_in(f"{__package__}.following.nla_strips")
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    strip.add_lane(TimeLane(KeytimesOnStrip()))
    motion_changes.add_follower(_follow_strips, outside=True)
    motion_changes.add_follower(_follow)
    original_keys.listeners.append(_restore)


def unregister() -> None:
    """Take back what register() did."""
    original_keys.listeners.remove(_restore)
    motion_changes.remove_follower(_follow)
    motion_changes.remove_follower(_follow_strips)
    strip.remove_lane(TimeLane.name)
    _unregister()
