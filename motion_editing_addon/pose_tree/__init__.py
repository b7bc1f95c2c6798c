"""Pose trees: poses blended by moving a cursor through space, and motions edited as paths there."""

from ..border.registration import call_if_loaded
from ..interface import menus
from . import panel, settings, tree_handlers
from .operators import embed_operator, node_operators, path_operators, pose_operators
from .overlay import overlay

classes = (
    *node_operators.classes,
    *pose_operators.classes,
    *embed_operator.classes,
    *path_operators.classes,
    *panel.classes,
)

_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register the saved data, operators, panel and handlers."""
    _register()
    tree_handlers.register()


def unregister() -> None:
    """Take back what register() did."""
    tree_handlers.unregister()
    overlay.unregister()
    call_if_loaded(f"{__package__}.render_notice", "unregister")
    _unregister()
