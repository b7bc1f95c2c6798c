"""The character set-up: which bone is which part of the body."""

from ..border.registration import classes_of
from ..interface import menus
from . import operators, panel

classes = classes_of(operators, panel)

register, unregister = menus.registration(classes, panel.draw_menu)
