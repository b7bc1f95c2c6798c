"""Layers: changes of a motion that stay apart from it, with influence, mute, solo and scope, until they are merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..border.lazy_modules import is_loaded, lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import motion_changes, original_keys
from ..document.stack import settings as stack_settings
from ..interface import menus
from . import layer_run, operators, panel, session, settings, transfer_operators
from .mode import layer_mode

if TYPE_CHECKING:
    from bpy.types import Object

classes = classes_of(operators, layer_mode, transfer_operators, panel)

_restore = original_keys.listener_in(f"{__package__}.follower")
_follow = motion_changes.follower_in(f"{__package__}.follower")
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def _begin_stack(armature: Object) -> None:
    layer_run.begin_stack(armature)


def register() -> None:
    """Register settings, operators, panels and the handlers of the mode."""
    _register()
    layer_mode.register()
    motion_changes.add_follower(_follow)
    original_keys.listeners.append(_restore)
    stack_settings.starters.append(_begin_stack)


def unregister() -> None:
    """Take back what register() did."""
    stack_settings.starters.remove(_begin_stack)
    original_keys.listeners.remove(_restore)
    motion_changes.remove_follower(_follow)
    layer_mode.unregister()
    _unregister()
    if is_loaded(session):
        session.forget()
