"""Fingerprints of armatures' keys, taken anew only after Blender has told of a change, and not too often.

They tell whether keys have changed since a model was saved with them.
"""

from __future__ import annotations

import time
from enum import Enum
from typing import TYPE_CHECKING

import bpy
from bpy.app.handlers import persistent

from ..border import action_io, saved_state
from ..border.action_io.memory import draft, slot_curves
from . import handlers, scope

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Object, Scene

    from ..border.saved_state import Kind


class State(Enum):
    """How a saved model stands to the keys."""

    NONE = "none"  # nothing was saved
    CURRENT = "current"  # the keys are those that the model was saved with
    CHANGED = "changed"  # keys have been edited since, or an edit undone


def state(armature: Object, kind: Kind, *, exact: bool = False) -> State:
    """How the armature's saved model stands to its keys; cheap enough for every redraw of a panel.

    Args:
        armature: Armature object; one without an action has no model.
        kind: Of the model.
        exact: Look at the keys now. Otherwise the answer may be a moment old while keys are
            being edited, and does not know of scripts that change keys and do not tell Blender.
    """
    action = scope.action_of(armature)
    known = saved_state.fingerprint_of(*scope.saved_place(armature), kind) if action else None
    if known is None:
        return State.NONE
    return State.CURRENT if known == fingerprint(armature, exact=exact) else State.CHANGED


def fingerprint(armature: Object, *, exact: bool = False) -> str:
    """Fingerprint of the armature's keys; cheap enough for every redraw, and then a moment old at most.

    Args:
        armature: Armature object with an action.
        exact: Look at the keys now.
    """
    return _looks.fingerprint(armature, exact)


def look_anew() -> None:
    """The next look is a new one."""
    _looks.now()


def fingerprint_now(armature: Object) -> str:
    """Fingerprint of the armature's keys as they are, looked at only if Blender was told of a change since."""
    bpy.context.view_layer.update()  # lets changes that were just made be noticed
    return _looks.unchanged(armature) or _looks.fingerprint(armature, exact=True)


def digest_now(armature: Object) -> str:
    """Tells whether keys are as they were, looked at only if Blender was told of a change since; see `keys_digest`."""
    bpy.context.view_layer.update()
    known = _digests.get(armature.session_uid)
    if known is None or known[0] != _looks.changes or draft.draft_of(armature) is not None:
        known = _looks.changes, slot_curves.keys_digest(armature)
        _digests[armature.session_uid] = known
    return known[1]


def keys_stayed(armature: Object, known: str) -> None:
    """Keep a fingerprint that was just taken: what was written since was settings only, no keys."""
    bpy.context.view_layer.update()
    _looks.take(armature, known)


class _Looks:
    """Fingerprints of armatures' keys, taken anew only when an action has changed and not too often."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self.changes = 0  # of any action so far
        self._known: dict[int, tuple[int, str]] = {}  # by object: changes when it was taken, fingerprint
        self._not_before = 0.0

    def changed(self) -> None:
        """An action has changed."""
        self.changes += 1

    def now(self) -> None:
        """The next look is a new one."""
        self.changed()
        self._not_before = 0.0

    def fingerprint(self, armature: Object, exact: bool) -> str:
        """The last known fingerprint, or a new one where that is out of date and another may be taken."""
        changes, known = self._known.get(armature.session_uid, (-1, ""))
        wait = self._not_before - time.monotonic()
        if not exact and changes == self.changes:
            return known
        if not exact and known and wait > 0.0:
            handlers.call_later(_redraw, seconds=wait + 0.01)
            return known
        return self._look(armature)

    def unchanged(self, armature: Object) -> str:
        """The known fingerprint if no action has changed since it was taken, else nothing."""
        changes, known = self._known.get(armature.session_uid, (-1, ""))
        return known if changes == self.changes else ""

    def take(self, armature: Object, fingerprint: str) -> None:
        """Know a fingerprint without looking."""
        self._known[armature.session_uid] = self.changes, fingerprint

    def _look(self, armature: Object) -> str:
        started = time.monotonic()
        fingerprint = action_io.fingerprint(armature)
        # A twentieth of the time at most goes into looking.
        self._not_before = time.monotonic() + max(_LEAST_WAIT, 20.0 * (time.monotonic() - started))
        self._known[armature.session_uid] = self.changes, fingerprint
        return fingerprint


_LEAST_WAIT = 0.2  # seconds between two looks while keys are being edited
_looks = _Looks()
# By object: changes when it was taken, digest of the keys.
_digests: dict[int, tuple[int, str]] = {}


def _redraw() -> None:
    """Have the panels ask again."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()


@persistent
def _on_update(_scene: Scene, depsgraph: Depsgraph) -> None:
    if depsgraph.id_type_updated("ACTION"):
        _looks.changed()


@persistent
def _on_jump(*_arguments: object) -> None:
    """Undo, redo or another file."""
    _looks.now()


_HANDLERS = {"depsgraph_update_post": _on_update, **handlers.after_jumps(_on_jump)}


def register() -> None:
    """Notice changes of actions."""
    handlers.add(_HANDLERS)
    saved_state.when_saved.append(look_anew)


def unregister() -> None:
    """Take back what register() did."""
    handlers.remove(_HANDLERS)
    saved_state.when_saved.remove(look_anew)
    handlers.call_off(_redraw)
    _looks.forget()
    _digests.clear()
