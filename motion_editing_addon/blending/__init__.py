"""Blend & Loop: motions mixed and joined, loops, mirror images, other ways over the ground."""

from ..interface import menus
from . import append_operator, blend_operator, bridge_operator, loop_operator, panel, root_operators, settings
from .mirror import mirror_operator

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "character_edit",
    "saved_contacts",
]


classes = (
    *blend_operator.classes,
    *append_operator.classes,
    *bridge_operator.classes,
    *loop_operator.classes,
    *mirror_operator.classes,
    *root_operators.classes,
    *panel.classes,
)

register, unregister = menus.registration(classes, panel.draw_menu, settings=settings)
