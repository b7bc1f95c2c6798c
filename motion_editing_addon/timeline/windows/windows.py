"""Operation and propagation windows between the action's settings and core."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ....core.editing import PropagationWindow
from ....core.timeline import NoWindowError, Windows
from ...document import scope
from ..frames import frames_of, samples_of
from ..settings import SAMPLES, has_window

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ...border.action_io import Clip
    from ...document.motion_changes import MotionChange

# Distance, in body heights, at which nothing is left of a likeness.
_UNLIKE = 0.3


def settings_of(armature: Object) -> PropertyGroup:
    """The timeline's settings of the armature's action."""
    return scope.own_action(armature).motion_editing_timeline


def windows_of(clip: Clip) -> Windows:
    """The windows that are set.

    Raises:
        NoWindowError: None is set, or it lies outside the motion.
    """
    settings = settings_of(clip.armature)
    if not has_window(clip.armature):
        raise NoWindowError("Set a window first: drag across the icons on the strip, or use Find Similar")
    start, end = samples_of(clip, [settings.start, settings.end])
    last = len(clip.frames) - 1
    if end <= 0.0 or start >= last:
        raise NoWindowError("The window lies outside the motion: set it again with Find Similar")
    start, end = max(0.0, float(start)), min(float(last), float(end))
    samples = np.linspace(start, end, SAMPLES)
    operation = PropagationWindow(start, end, samples, samples, 0.0)
    return Windows(operation, tuple(_window(clip, item) for item in settings.windows))


def _window(clip: Clip, item: PropertyGroup) -> PropagationWindow:
    start, end = samples_of(clip, [item.start, item.end]).tolist()
    return PropagationWindow(
        start,
        end,
        samples_of(clip, np.array(item.operation_frames)),
        samples_of(clip, np.array(item.own_frames)),
        item.distance,
        item.ticked,
    )


def save_windows(clip: Clip, start: float, end: float, found: Iterable[PropagationWindow]) -> None:
    """Keep an operation window, given in samples, and what was found to be like it."""
    settings = settings_of(clip.armature)
    settings.has_window, settings.active = True, 0
    settings.slot = scope.animation_of(clip.armature).action_slot_handle
    settings.start, settings.end = frames_of(clip, [start, end])
    settings.windows.clear()
    for window in found:
        item = settings.windows.add()
        item.start, item.end = frames_of(clip, [window.start, window.end])
        item.distance, item.ticked = window.distance, window.ticked
        item.similarity = max(0.0, 1.0 - window.distance / _UNLIKE)
        places = np.linspace(0.0, len(window.own_frames) - 1.0, SAMPLES)
        numbers = np.arange(len(window.own_frames))
        item.operation_frames = frames_of(clip, np.interp(places, numbers, window.operation_frames))
        item.own_frames = frames_of(clip, np.interp(places, numbers, window.own_frames))


def clear_windows(armature: Object) -> None:
    """No window is set any more."""
    settings = settings_of(armature)
    settings.windows.clear()
    settings.has_window = False


def move_windows(change: MotionChange) -> None:
    """Let the windows follow the motion through a time map."""
    settings = settings_of(change.armature)
    for span in (settings, *settings.windows):
        span.start, span.end = np.sort(change.new_frames([span.start, span.end]))
    for item in settings.windows:
        item.operation_frames, item.own_frames = (
            np.sort(change.new_frames(frames)) for frames in (item.operation_frames, item.own_frames)
        )


def drop_lost_windows(clip: Clip) -> bool:
    """Forget windows of a part of the motion that is gone; gives whether the operation window is left."""
    settings, (first, last) = settings_of(clip.armature), clip.frames[[0, -1]]
    for number, item in reversed(list(enumerate(settings.windows))):
        if item.end <= first or item.start >= last:
            settings.windows.remove(number)
    if settings.end > first and settings.start < last:
        return True
    clear_windows(clip.armature)
    return False
