"""Another state of a motion beside the present one, or in its place; no key is touched, the edits stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

from ....core.errors import MotionEditError
from ...border import action_io
from ...border.armature import why_sampled
from ...border.steps import finish
from ...document import scope
from ...document.character.joint_positions import sample_in_steps
from ...document.stack import entry_replay, replay
from ...document.take.other_action import playing, read_action
from ...document.take.step_result import step_result
from ...interface.drawing import viewport
from ...interface.drawing.original_ghost import OriginalGhost, figure_of
from ...interface.drawing.rig_figure import SampledFigure
from ...interface.operators.pose_preview import PosePreview
from ...interface.operators.running_tools import Subjects

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Action, Context, Depsgraph, Object, Scene

    from ...border.action_io import Clip
    from ...border.steps import Steps
    from ...interface.drawing.original_ghost import Figure

OFF, GHOST, ORIGINAL = "OFF", "GHOST", "ORIGINAL"
# What is compared with: the keys from before all edits, or those without the active edit.
BEFORE, WITHOUT = "BEFORE", "WITHOUT"
_MODE_NAME = "compare"
_MODE_TEXTS = {
    BEFORE: "Original shown; your edit is kept. Click Original again to see it",
    WITHOUT: "Shown without the active edit; it is kept. Click Original again to see it",
}


@dataclass
class _Comparison:
    """What is compared. References to Blender's data end with it: it never lives through an undo."""

    mode: str
    against: str
    armature: Object
    action: Action
    original: Clip
    figure: Figure
    subjects: Subjects
    shown: PosePreview | OriginalGhost | None = None
    numbers: str = ""

    def show(self, context: Context) -> None:
        """Show the original as it is wanted, beside the keys as they are now."""
        self.hide()
        now = scope.read_clip(context, self.armature)
        self.numbers = step_result(self.original, now).text
        if self.mode == GHOST:
            ways = None if why_sampled(self.armature) else self.original
            self.shown = OriginalGhost(now, self.figure, original=ways)
            self.shown.show()
        else:
            self.shown = PosePreview(now)
            self.shown.show(self.original.motion)
            viewport.show_mode(_MODE_NAME, _MODE_TEXTS[self.against])

    def hide(self) -> None:
        """Show nothing."""
        if isinstance(self.shown, OriginalGhost):
            self.shown.hide()
        elif self.shown is not None:
            self.shown.restore()
            viewport.hide_mode(_MODE_NAME)
        self.shown = None


_comparison: _Comparison | None = None
# Mode, what is compared with, and armature to go on with after an undo.
_paused: tuple[str, str, str] | None = None


def mode_of(armature: Object) -> str:
    """How an armature's original is shown now."""
    return _comparison.mode if _comparison is not None and _comparison.armature == armature else OFF


def numbers_of(armature: Object) -> str:
    """How an armature's motion differs from what it is compared with; empty if nothing is compared."""
    return _comparison.numbers if _comparison is not None and _comparison.armature == armature else ""


def start(context: Context, armature: Object, mode: str, against: str = BEFORE) -> None:
    """Show an earlier or other state of an armature's motion.

    Raises:
        MotionEditError: It cannot be read.
    """
    global _comparison
    stop()
    action = scope.own_action(armature)
    original = _compared(context, armature, against)
    figure = figure_of(original.motion)
    if mode == GHOST and why_sampled(armature) and against == BEFORE:
        figure = SampledFigure(armature, original.motion.times, finish(sample_original(context, armature)))
    # Playing the original for a moment has asked Blender for a new pose: it must not come after ours.
    context.view_layer.update()
    _comparison = _Comparison(mode, against, armature, action, original, figure, Subjects([armature]))
    _comparison.show(context)
    for handlers, function in _handlers():
        if function not in handlers:
            handlers.append(function)


def _compared(context: Context, armature: Object, against: str) -> Clip:
    """The motion to compare with."""
    action = scope.own_action(armature)
    if against == WITHOUT:
        if why_sampled(armature):
            raise MotionEditError("A control rig is compared with its original alone: mute the edit to see the rest")
        return _without_active(context, armature)
    original = action.motion_editing_stack.base or action.motion_editing.original
    return read_action(context, armature, original.name)[0]


def _without_active(context: Context, armature: Object) -> Clip:
    stack = scope.own_action(armature).motion_editing_stack
    if not 0 <= stack.active < len(stack.entries):
        raise MotionEditError("Choose an edit of the list first")
    now = scope.read_clip(context, armature)
    try:
        motion = replay.without(armature, stack.entries[stack.active].uid)
    except entry_replay.NotInMemoryError:
        raise MotionEditError("Curves with modifiers are compared with the original alone") from None
    return replace(now, motion=motion, frames=motion.times * motion.rate)


def sample_original(context: Context, armature: Object) -> Steps[np.ndarray]:
    """Let a control rig play its original to see where its joints are, (F, J, 3); remembered for the next time."""
    original = scope.own_action(armature).motion_editing.original
    with playing(armature, original):
        rate = scope.rate_of(context, original)
        return (yield from sample_in_steps(context, action_io.read(armature, rate=rate)))


def stop() -> None:
    """Show the keys as they are."""
    global _comparison
    if _comparison is None:
        return
    _comparison.hide()
    _comparison = None
    for handlers, function in _handlers():
        if function in handlers:
            handlers.remove(function)


def _handlers() -> list[tuple[list[Any], object]]:
    handlers = bpy.app.handlers
    return [
        (handlers.depsgraph_update_post, _on_change),
        (handlers.undo_pre, _pause),
        (handlers.redo_pre, _pause),
        (handlers.load_pre, _on_load),
    ]


@persistent
def _on_change(_scene: Scene, depsgraph: Depsgraph) -> None:
    """New keys: the figure, and what it is compared with, follow."""
    if _comparison is not None and _comparison.subjects.loss():
        stop()
    if _comparison is None or not any(update.id.original == _comparison.action for update in depsgraph.updates):
        return
    if scope.action_of(_comparison.armature) != _comparison.action or not _comparison.action.motion_editing.original:
        stop()
        return
    with _or_stop():
        _comparison.show(bpy.context)


@contextmanager
def _or_stop() -> Iterator[None]:
    """Keys that cannot be read end the comparison."""
    try:
        yield
    except MotionEditError:
        stop()


@persistent
def _pause(*_arguments: object) -> None:
    """Undo replaces all data: let go of it, and go on afterwards."""
    global _paused
    _paused = None
    if _comparison is not None and not _comparison.subjects.loss():
        _paused = _comparison.mode, _comparison.against, _comparison.armature.name
    stop()
    for handlers in (bpy.app.handlers.undo_post, bpy.app.handlers.redo_post):
        if _paused is not None and _resume not in handlers:
            handlers.append(_resume)


@persistent
def _resume(*_arguments: object) -> None:
    global _paused
    for handlers in (bpy.app.handlers.undo_post, bpy.app.handlers.redo_post):
        if _resume in handlers:
            handlers.remove(_resume)
    wanted, _paused = _paused, None
    armature = bpy.data.objects.get(wanted[2]) if wanted else None
    action = scope.action_of(armature)
    if wanted and armature and action is not None and action.motion_editing.original is not None:
        with _or_stop():
            start(bpy.context, armature, *wanted[:2])


@persistent
def _on_load(*_arguments: object) -> None:
    stop()
