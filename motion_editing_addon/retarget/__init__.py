"""Retarget: the motion of one character on another one."""

from ..interface import menus
from . import mapping_operators, panel, retarget_operator, settings

classes = (*retarget_operator.classes, *mapping_operators.classes, *panel.classes)

register, unregister = menus.registration(classes, panel.draw_menu, settings=settings)
