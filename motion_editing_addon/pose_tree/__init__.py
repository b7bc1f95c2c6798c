"""Pose trees: poses blended by moving a cursor through space, and motions edited as paths there."""

from .. import menus
from ..registering import call_if_loaded
from . import embed_operator, node_operators, overlay, panel, path_operators, pose_operators, settings, watching

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
    watching.register()


def unregister() -> None:
    """Take back what register() did."""
    watching.unregister()
    overlay.unregister()
    call_if_loaded(f"{__package__}.render_warning", "unregister")
    _unregister()
