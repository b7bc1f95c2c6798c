"""Blend & Loop: motions mixed and joined, loops, mirror images, other ways over the ground."""

from .. import menus
from . import (
    append_operator,
    blend_operator,
    bridge_operator,
    loop_operator,
    mirror_operator,
    panel,
    root_operators,
    settings,
)

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
