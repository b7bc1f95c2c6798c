"""Fingerprints of armatures' keys, taken anew only after Blender has told of a change, and not too often."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import bpy
from bpy.app.handlers import persistent

from . import handlers

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Object, Scene


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
        self._changes = 0  # of any action so far
        self._known: dict[int, tuple[int, str]] = {}  # by object: changes when it was taken, fingerprint
        self._not_before = 0.0

    def changed(self) -> None:
        """An action has changed."""
        self._changes += 1

    def now(self) -> None:
        """The next look is a new one."""
        self.changed()
        self._not_before = 0.0

    def fingerprint(self, armature: Object, exact: bool) -> str:
        """The last known fingerprint, or a new one where that is out of date and another may be taken."""
        changes, known = self._known.get(armature.session_uid, (-1, ""))
        wait = self._not_before - time.monotonic()
        if not exact and changes == self._changes:
            return known
        if not exact and known and wait > 0.0:
            handlers.call_later(_redraw, seconds=wait + 0.01)
            return known
        return self._look(armature)

    def unchanged(self, armature: Object) -> str:
        """The known fingerprint if no action has changed since it was taken, else nothing."""
        changes, known = self._known.get(armature.session_uid, (-1, ""))
        return known if changes == self._changes else ""

    def take(self, armature: Object, fingerprint: str) -> None:
        """Know a fingerprint without looking."""
        self._known[armature.session_uid] = self._changes, fingerprint

    def _look(self, armature: Object) -> str:
        from ..border import action_io

        started = time.monotonic()
        fingerprint = action_io.fingerprint(armature)
        # A twentieth of the time at most goes into looking.
        self._not_before = time.monotonic() + max(_LEAST_WAIT, 20.0 * (time.monotonic() - started))
        self._known[armature.session_uid] = self._changes, fingerprint
        return fingerprint


_LEAST_WAIT = 0.2  # seconds between two looks while keys are being edited
_looks = _Looks()


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


def unregister() -> None:
    """Take back what register() did."""
    handlers.remove(_HANDLERS)
    handlers.call_off(_redraw)
    _looks.forget()
