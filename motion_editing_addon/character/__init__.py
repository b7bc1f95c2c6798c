"""The character set-up: which bone is which part of the body."""

from ..interface import menus
from . import operators, panel

classes = (*operators.classes, *panel.classes)

register, unregister = menus.registration(classes, panel.draw_menu)
