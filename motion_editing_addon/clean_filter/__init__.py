"""Clean & Filter: flaws of captured motion put right, waves of a motion taken out, made stronger or limited."""

from .. import menus
from ..registering import call_if_loaded
from . import (
    compare_operators,
    equalizer_operators,
    equalizer_settings,
    filter_operators,
    flaw_operators,
    flaw_settings,
    panel,
    shaping_operators,
)

classes = (
    *flaw_operators.classes,
    *filter_operators.classes,
    *shaping_operators.classes,
    *equalizer_operators.classes,
    *compare_operators.classes,
    *panel.classes,
)

_register, _unregister = menus.registration(classes, panel.draw_menu)


def register() -> None:
    """Register settings, operators, panels and menus."""
    flaw_settings.register()
    equalizer_settings.register()
    _register()
    panel.add_to_menus()


def unregister() -> None:
    """Take back what register() did; end what a running tool shows."""
    for module, end in (("comparing", "stop"), ("original_ghost", "hide_all")):
        call_if_loaded(f"{__package__}.{module}", end)
    panel.remove_from_menus()
    _unregister()
    equalizer_settings.unregister()
    flaw_settings.unregister()
