"""The operation window as it was when it was set: what an edit of it is compared with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion
from ....core.timeline import REACH
from ...border import action_io, saved_state
from ...border.saved_state import WINDOW
from ...document import pose_models, scope, watched_keys
from ..frames import samples_of
from ..settings import has_window
from .window_contents import note_contents
from .windows import windows_of

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ...border.action_io import Clip

_CHANNELS = ("rotations", "locations", "scales", "scalars")


def remember(clip: Clip, fingerprint: str = "") -> None:
    """Keep the motion of the operation window with the action, and what the other windows hold.

    The keys' fingerprint is taken if it is not given.
    """
    fingerprint = fingerprint or watched_keys.fingerprint_now(clip.armature)
    watched_keys.keys_stayed(clip.armature, fingerprint)
    window = windows_of(clip).operation
    # An edit of the window may reach beyond its ends.
    beside = REACH * window.length
    first, last = max(0, int(np.floor(window.start - beside))), int(np.ceil(window.end + beside)) + 1
    part = clip.motion.part(first, min(last, len(clip.motion)))
    arrays: dict[str, np.ndarray | str | float] = {name: np.array(getattr(part, name)) for name in _CHANNELS}
    arrays["first frame"] = float(clip.frames[first])
    arrays["channels"] = _channel_names(part)
    arrays |= pose_models.remembered(clip.armature) | action_io.sparse_keys(clip)
    note_contents(clip)
    saved_state.save(*scope.saved_place(clip.armature), WINDOW, arrays, fingerprint)
    watched_keys.keys_stayed(clip.armature, fingerprint)


def remember_anew(clip: Clip) -> None:
    """Remember after an edit of the timeline itself, where a window is set."""
    if has_window(clip.armature):
        remember(clip)


def before(clip: Clip) -> Motion:
    """The present motion with the remembered window put in its place.

    Raises:
        MotionEditError: Nothing is remembered, or it does not fit the motion any more.
    """
    arrays, motion = remembered(clip.armature), clip.motion
    with saved_state.reading(WINDOW):
        return _with_window(clip, motion, arrays)


def _with_window(clip: Clip, motion: Motion, arrays: dict[str, Any]) -> Motion:
    first = round(float(samples_of(clip, arrays["first frame"])))
    chosen = slice(first, first + len(arrays["rotations"]))
    fits = first >= 0 and chosen.stop <= len(motion.times) and arrays["channels"] == _channel_names(motion)
    if not fits:
        raise MotionEditError("Bones or frames have changed since: use Remember, then edit the window again")
    changed: dict[str, Any] = {}
    for name in _CHANNELS:
        values = np.array(getattr(motion, name))
        values[chosen] = arrays[name]
        changed[name] = values
    return replace(motion, **changed)


def remembered(armature: Object) -> dict[str, Any]:
    """All that was remembered.

    Raises:
        MotionEditError: Nothing was.
    """
    saved = saved_state.load(*scope.saved_place(armature), WINDOW)
    if saved is None:
        raise MotionEditError("No motion is remembered: set a window with Find Similar, then edit it")
    return saved.arrays


def forget(armature: Object) -> None:
    """Remember nothing."""
    saved_state.remove(*scope.saved_place(armature), WINDOW)


def take_over(armature: Object, original: Action) -> None:
    """Remember what a copy of the action does, or nothing."""
    forget(armature)
    saved = saved_state.load(original, scope.own_slot(armature).identifier, WINDOW)
    if saved is not None:
        saved_state.save(*scope.saved_place(armature), WINDOW, saved.arrays, saved.fingerprint)


def is_edited(armature: Object) -> bool:
    """Whether keys have changed since; cheap enough for every redraw of a panel."""
    return watched_keys.state(armature, WINDOW) is watched_keys.State.CHANGED


def _channel_names(motion: Motion) -> str:
    return "\n".join((*motion.skeleton.names, *motion.scalar_names))
