"""A warning when a render starts: on the console always, in the window as soon as it may be touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..border.translation import report_text
from ..document import handlers
from . import model

if TYPE_CHECKING:
    from bpy.types import Context, Scene, UIPopupMenu

_waiting: list[str] = []
_ONE = "Rendering while the pose tree of {rigs} is live: bake first, so that farms and motion blur see it"
_SEVERAL = "Rendering while the pose trees of {rigs} are live: bake first, so that farms and motion blur see them"


def warn_of_unbaked(scene: Scene) -> None:
    """Say that trees of the scene are live, if any are."""
    text = unbaked_text(scene)
    if text:
        _warn(text)


def unbaked_text(scene: Scene) -> str | None:
    """A warning for rendering while a tree of the scene is live, or None."""
    names = [owner.name for owner in model.owners() if model.tree_of(owner).live and scene.objects.get(owner.name)]
    if not names:
        return None
    return report_text(_SEVERAL if len(names) > 1 else _ONE, rigs=", ".join(names))


def _warn(text: str) -> None:
    """Renders run beside the window, which therefore shows it a moment later."""
    print(f"Warning: {text}")
    if not bpy.app.background:
        _waiting.append(text)
        handlers.call_later(_show, seconds=0.1)


def _show() -> None:
    text = _waiting.pop() if _waiting else ""
    _waiting.clear()
    windows = bpy.context.window_manager.windows
    if not text or not windows:
        return

    def draw(menu: UIPopupMenu, _context: Context) -> None:
        menu.layout.label(text=text)

    with bpy.context.temp_override(window=windows[0]):
        bpy.context.window_manager.popup_menu(draw, title="Unbaked Pose Tree", icon="ERROR")


def unregister() -> None:
    """Say nothing any more."""
    _waiting.clear()
    handlers.call_off(_show)
