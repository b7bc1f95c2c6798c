"""Guided time warping and other time edits: make it shorter, but keep the jump."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..document import motion_changes, original_keys
from ..interface import menus, strip
from . import keytime_operators, map_operators, operators, panel, settings
from .lane.keytimes_on_strip import KeytimesOnStrip
from .lane.time_lane import TimeLane

if TYPE_CHECKING:
    from bpy.types import Action, Object

classes = (*operators.classes, *keytime_operators.classes, *map_operators.classes, *panel.classes)

_follow = motion_changes.follower_in(f"{__package__}.follower")
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    strip.add_lane(TimeLane(KeytimesOnStrip()))
    motion_changes.add_follower(_follow)
    original_keys.listeners.append(_restore)


def unregister() -> None:
    """Take back what register() did."""
    original_keys.listeners.remove(_restore)
    motion_changes.remove_follower(_follow)
    strip.remove_lane(TimeLane.name)
    _unregister()


def _restore(armature: Object, original: Action) -> None:
    from .action_marks import restore

    restore(armature, original)
