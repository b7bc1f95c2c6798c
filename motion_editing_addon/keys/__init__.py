"""Keys: how densely a motion is keyed, and rotations that jump."""

from ..interface import menus
from . import operators, panel, reduce_operator

classes = (reduce_operator.MOTIONEDIT_OT_reduce_keys, *operators.classes, *panel.classes)

register, unregister = menus.registration(classes, panel.draw_menu)
