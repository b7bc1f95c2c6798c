"""Constraints: what has to hold, saved with the action; the whole motion follows, also while a joint is dragged."""

from ..document import motion_changes
from ..interface import menus
from . import lane, list_operators, panel, settings, solve_operator, stiffness
from .drag import drag_operator

classes = (
    *list_operators.classes,
    *stiffness.classes,
    *solve_operator.classes,
    *drag_operator.classes,
    *panel.classes,
)

_follow = motion_changes.follower_in(f"{__package__}.follower")
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    lane.add()
    motion_changes.add_follower(_follow)


def unregister() -> None:
    """Take back what register() did."""
    motion_changes.remove_follower(_follow)
    lane.remove()
    _unregister()
