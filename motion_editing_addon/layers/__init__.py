"""Layers: changes of a motion that stay apart from it, with influence, mute, solo and scope, until they are merged."""

from .. import menus
from ..registering import call_if_loaded
from . import editing, operators, panel, settings, transfer_operators

classes = (*operators.classes, *editing.classes, *transfer_operators.classes, *panel.classes)

_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the handlers of the mode."""
    _register()
    editing.register()


def unregister() -> None:
    """Take back what register() did."""
    editing.unregister()
    _unregister()
    call_if_loaded(f"{__package__}.session", "forget")
