"""Blend & Loop: motions mixed and joined, loops, mirror images, other ways over the ground."""

from ..border.registration import classes_of
from ..interface import menus
from . import blend_operators, motion_operators, panel, root_operators, settings

classes = classes_of(blend_operators, motion_operators, root_operators, panel)

register, unregister = menus.registration(classes, panel.draw_menu, settings=settings)
