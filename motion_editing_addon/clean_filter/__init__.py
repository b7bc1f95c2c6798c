"""Clean & Filter: flaws of captured motion put right, waves of a motion taken out, made stronger or limited."""

import sys

import bpy

from .. import menus
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


def register() -> None:
    """Register settings, operators, panels and menus."""
    flaw_settings.register()
    equalizer_settings.register()
    for cls in classes:
        bpy.utils.register_class(cls)
    menus.add(panel.draw_menu)
    panel.add_to_menus()


def unregister() -> None:
    """Take back what register() did; end what a running tool shows."""
    equalizer_operators.leave()
    for module, end in (("comparing", "stop"), ("original_ghost", "hide_all")):
        loaded = sys.modules.get(f"{__package__}.{module}")
        if loaded is not None:
            getattr(loaded, end)()
    panel.remove_from_menus()
    menus.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    equalizer_settings.unregister()
    flaw_settings.unregister()
