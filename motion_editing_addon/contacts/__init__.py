"""Contacts: when feet and hands stand still; found, corrected, saved with the action, held by edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..document import motion_changes, original_keys
from ..interface import menus
from . import edit_operators, lane, lock_operator, operators, panel, settings

if TYPE_CHECKING:
    from bpy.types import Action, Object

classes = (*operators.classes, *edit_operators.classes, *lock_operator.classes, *panel.classes)

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


def _restore(armature: Object, original: Action) -> None:
    from .follower import restore

    restore(armature, original)
