"""Contacts: when feet and hands stand still; found, corrected, saved with the action, held by edits."""

from .. import menus
from . import operators, panel, settings

classes = (*operators.classes, *panel.classes)

register, unregister = menus.registration(classes, panel.draw_menu, settings=settings)
