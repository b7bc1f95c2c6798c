"""Contacts: when feet and hands stand still; found, corrected, saved with the action, held by edits."""

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import motion_changes, original_keys
from ..interface import menus
from . import edit_operators, lane, lock_operator, operators, panel, settings

classes = classes_of(operators, edit_operators, lock_operator, panel)

_restore = original_keys.listener_in(f"{__package__}.follower")
_follow = motion_changes.follower_in(f"{__package__}.follower")
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    lane.add()
    motion_changes.add_follower(_follow)
    original_keys.listeners.append(_restore)


def unregister() -> None:
    """Take back what register() did."""
    original_keys.listeners.remove(_restore)
    motion_changes.remove_follower(_follow)
    lane.remove()
    _unregister()
