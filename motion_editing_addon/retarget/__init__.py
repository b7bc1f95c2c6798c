"""Retarget: the motion of one character on another one."""

from .. import menus
from . import retarget_operator, settings

classes = (*retarget_operator.classes,)

register, unregister = menus.registration(classes, retarget_operator.draw_menu, settings=settings)
