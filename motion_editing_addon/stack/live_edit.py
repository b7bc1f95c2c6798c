"""A value of the stack that is being dragged: the rig shows what comes of it, and keys are written after a short rest.

Blender tells of every change of a value, but not that the mouse was released. The undo step that it makes then may
not have the keys yet: they are worked out again where undo or redo leads to such a step.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import bpy

from ...core.errors import MotionEditError
from ..border.redraw import tag_redraw
from ..border.saved_state import action_states
from ..document import handlers, scope
from ..document.stack import entry_replay, last_edit, replay
from ..interface.operators.pose_preview import PosePreview
from ..interface.operators.running_tools import Subjects

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ...core.motion import Motion

# Seconds without a change after which keys are written.
_REST = 0.25
# A stack whose picture takes longer, in seconds, shows none: it would hold up the mouse.
_PATIENCE = 0.5


class _LiveEdit:
    """What one action shows while a value of its stack is dragged; it never lives through an undo."""

    def __init__(self, action: Action, armatures: list[Object]) -> None:
        """Look at the keys as they are; what was done by hand becomes part of the stack."""
        self.action, self.armatures, self.subjects = action, armatures, Subjects(armatures)
        self._can_show = all(last_edit.notice_hand(each) for each in armatures)
        self._previews: dict[str, PosePreview] = {}

    def show(self) -> None:
        """Show what the stack leads to."""
        started = time.perf_counter()
        try:
            for armature in self.armatures if self._can_show else ():
                self._preview_of(armature).show(_shown(armature))
        except (MotionEditError, entry_replay.NotInMemoryError):
            self._can_show = False
        self._can_show = self._can_show and time.perf_counter() - started < _PATIENCE
        if not self._can_show:
            self.hide()

    def hide(self) -> None:
        """Show the keys as they are."""
        for preview in self._previews.values():
            preview.restore()
        self._previews.clear()

    def _preview_of(self, armature: Object) -> PosePreview:
        if armature.name not in self._previews:
            self._previews[armature.name] = PosePreview(scope.read_clip(bpy.context, armature), trails=True)
        return self._previews[armature.name]


def _shown(armature: Object) -> Motion:
    """The motion that the stack leads to; what hangs on the action stays as it is."""
    before = action_states.attached_state(armature)
    try:
        return replay.shown(armature)
    finally:
        action_states.put_attached(armature, before)


_live: _LiveEdit | None = None


def show(action: Action, armatures: list[Object]) -> None:
    """Show what an action's stack leads to now, and write it soon."""
    global _live
    if _live is not None and (_live.subjects.loss() or _live.action != action):
        finish()
    if _live is None:
        _live = _LiveEdit(action, armatures)
    _live.show()
    handlers.call_off(finish)
    handlers.call_later(finish, seconds=_REST)


def finish() -> None:
    """Write the keys that are shown, if any are."""
    global _live
    live, _live = _live, None
    handlers.call_off(finish)
    if live is None:
        return
    is_lost = bool(live.subjects.loss())
    live.hide()
    for armature in () if is_lost else live.armatures:
        replay.work_out(armature)
    tag_redraw()


def drop() -> None:
    """Show the keys as they are: what is shown is about to be replaced."""
    global _live
    live, _live = _live, None
    handlers.call_off(finish)
    if live is not None:
        live.hide()
