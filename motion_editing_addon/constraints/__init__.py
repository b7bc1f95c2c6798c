"""Constraints: what has to hold, saved with the action; the whole motion follows, also while a joint is dragged."""

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import motion_changes, original_keys
from ..interface import menus
from . import lane, list_operators, panel, settings, solve_operator, stiffness
from .drag import drag_operator

classes = classes_of(list_operators, stiffness, solve_operator, drag_operator, panel)

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
