"""Layers: changes of a motion that stay apart from it, with influence, mute, solo and scope, until they are merged."""

from ..border.registration import call_if_loaded
from ..interface import menus
from . import operators, panel, settings, transfer_operators
from .mode import layer_mode

classes = (*operators.classes, *layer_mode.classes, *transfer_operators.classes, *panel.classes)

_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the handlers of the mode."""
    _register()
    layer_mode.register()


def unregister() -> None:
    """Take back what register() did."""
    layer_mode.unregister()
    _unregister()
    call_if_loaded(f"{__package__}.session", "forget")
