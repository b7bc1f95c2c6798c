"""Smooth: noise and jitter taken out of a motion."""

from .. import menus
from . import operators, panel

classes = (*operators.classes, *panel.classes)

register, unregister = menus.registration(classes, panel.draw_menu)
