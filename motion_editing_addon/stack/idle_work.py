"""What is done for stacks when there is time: states are remembered, and numbers of edits worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..border.redraw import tag_redraw
from ..document import handlers, scope
from ..document.stack import last_edit, results

if TYPE_CHECKING:
    from bpy.types import Object

# Seconds after an edit, and between two pieces of work.
_LATER, _PAUSE = 0.4, 0.05


def do_later() -> None:
    """Do what is left to do, soon; at once where nobody waits."""
    if not bpy.app.background:
        handlers.call_later(do_next, seconds=_LATER)


def do_next() -> float | None:
    """Do one piece of work for the active armature; gives seconds after which to go on."""
    if any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows):
        return _LATER
    armature = _active()
    if armature is None:
        return None
    if last_edit.remember(armature) or results.measure_next(armature):
        tag_redraw("VIEW_3D")
        return _PAUSE
    return None


def call_off() -> None:
    """Do nothing more."""
    handlers.call_off(do_next)


def _active() -> Object | None:
    """The active armature, if it has a stack and can be read."""
    chosen = scope.armatures(bpy.context)
    is_ready = bool(chosen) and scope.why_not(bpy.context) is None
    return chosen[0] if is_ready and len(scope.own_action(chosen[0]).motion_editing_stack.entries) else None
