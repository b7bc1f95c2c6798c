"""The pose timeline: pose icons on the strip, and edits of one window carried to all that are like it."""

from ..border.lazy_modules import is_loaded, lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import motion_changes, original_keys
from ..interface import menus, strip
from . import collision_operators, edit_operators, panel, settings, web
from .lane.icon_lane import IconLane
from .lane.icons_on_strip import IconsOnStrip
from .windows import window_operators

classes = classes_of(window_operators, edit_operators, collision_operators, panel)

_restore = original_keys.listener_in(f"{__package__}.follower")
_follow = motion_changes.follower_in(f"{__package__}.follower")
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    strip.add_lane(IconLane(IconsOnStrip()))
    motion_changes.add_follower(_follow)
    original_keys.listeners.append(_restore)


def unregister() -> None:
    """Take back what register() did."""
    original_keys.listeners.remove(_restore)
    motion_changes.remove_follower(_follow)
    strip.remove_lane(IconLane.name)
    _unregister()
    if is_loaded(web):
        web.forget()
