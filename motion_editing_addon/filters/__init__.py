"""Clean & Filter: flaws of captured motion put right, waves of a motion taken out, made stronger or limited."""

from ..border.registration import call_if_loaded
from ..interface import menus
from . import filter_operators, flaw_operators, flaw_settings, panel
from .comparison import compare_operators
from .equalizer import equalizer_operators, equalizer_settings

classes = (
    *flaw_operators.classes,
    *filter_operators.classes,
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
    call_if_loaded(f"{__package__}.comparison.comparison", "stop")
    panel.remove_from_menus()
    _unregister()
    equalizer_settings.unregister()
    flaw_settings.unregister()
