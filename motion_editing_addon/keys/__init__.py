"""Keys: how densely a motion is keyed, and rotations that jump."""

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..interface import menus
from . import operators, panel

classes = classes_of(operators, panel)

register, unregister = menus.registration(classes, panel.draw_menu)
