"""Clean & Filter: flaws of captured motion put right, waves of a motion taken out, made stronger or limited."""

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import motion_changes, original_keys
from ..interface import menus
from . import filter_operators, flaw_operators, flaw_settings, panel
from .equalizer import equalizer_operators, equalizer_settings

classes = classes_of(flaw_operators, filter_operators, equalizer_operators, panel)

_restore = original_keys.listener_in(f"{__package__}.flaw_follower")
_follow = motion_changes.follower_in(f"{__package__}.flaw_follower")
_register, _unregister = menus.registration(classes, panel.draw_menu)


def register() -> None:
    """Register settings, operators, panels and menus."""
    flaw_settings.register()
    equalizer_settings.register()
    _register()
    panel.add_to_menus()
    motion_changes.add_follower(_follow)
    original_keys.listeners.append(_restore)


def unregister() -> None:
    """Take back what register() did."""
    original_keys.listeners.remove(_restore)
    motion_changes.remove_follower(_follow)
    panel.remove_from_menus()
    _unregister()
    equalizer_settings.unregister()
    flaw_settings.unregister()
