"""Pose trees: poses blended by moving a cursor through space, and motions edited as paths there."""

from ..border.lazy_modules import is_loaded, lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..interface import menus
from . import panel, render_notice, settings, tree_handlers
from .operators import (
    bake_operator,
    embed_operator,
    node_operators,
    path_operators,
    pose_operators,
    whole_tree_operators,
)
from .overlay import overlay

classes = classes_of(
    whole_tree_operators, node_operators, pose_operators, embed_operator, path_operators, bake_operator, panel
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
    if is_loaded(render_notice):
        render_notice.unregister()
    _unregister()
