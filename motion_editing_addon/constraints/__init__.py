"""Constraints: what has to hold, saved with the action; the whole motion follows, also while a joint is dragged."""

from .. import menus
from . import drag_operator, list_operators, panel, settings, solve_operator

classes = (*list_operators.classes, *solve_operator.classes, *drag_operator.classes, *panel.classes)

register, unregister = menus.registration(classes, panel.draw_menu, settings=settings)
