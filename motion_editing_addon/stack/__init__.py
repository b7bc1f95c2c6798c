"""The stack: all edits of an action, to be changed, muted, moved and removed at any time."""

from __future__ import annotations

from ..border.lazy_modules import is_loaded, lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import handlers, original_keys
from ..document.stack import settings
from ..interface import menus
from . import operators, panel
from .comparison import compare_operators
from .comparison import comparison as shown_original

classes = classes_of(operators, compare_operators, panel)

_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators and panels; stacks follow when an entry is changed."""
    _register()
    settings.listeners.append(operators.follow)
    settings.before_tools.append(operators.write_first)
    settings.after_changes.append(operators.work_later)
    handlers.add(operators.HANDLERS)
    handlers.call_later(operators.find_parameters)  # while extensions are enabled Blender shows no data
    compare_operators.add_keys()
    original_keys.listeners.append(operators.forget_edits)


def unregister() -> None:
    """Take back what register() did."""
    if is_loaded(shown_original):
        shown_original.stop()
    compare_operators.remove_keys()
    original_keys.listeners.remove(operators.forget_edits)
    handlers.call_off(operators.find_parameters)
    handlers.remove(operators.HANDLERS)
    settings.after_changes.remove(operators.work_later)
    settings.before_tools.remove(operators.write_first)
    settings.listeners.remove(operators.follow)
    operators.forget()
    _unregister()
