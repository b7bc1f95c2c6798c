"""Retarget: the motion of one character on another one."""

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..interface import menus
from . import mapping_operators, panel, retarget_operator, settings

classes = classes_of(retarget_operator, mapping_operators, panel)

register, unregister = menus.registration(classes, panel.draw_menu, settings=settings)
