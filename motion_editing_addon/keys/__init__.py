"""Keys: how densely a motion is keyed, and rotations that jump."""

from .. import menus
from . import operators, panel

classes = (*operators.classes, *panel.classes)

register, unregister = menus.registration(classes, operators.draw_operators)
