"""Windows that go with the motion when its timing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..document import scope
from .settings import has_window
from .windows.memory import remember_anew
from .windows.windows import move_windows

if TYPE_CHECKING:
    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Move the windows with the motion, which is remembered anew; does nothing where no window is set.

    Of a motion that runs backward they are not the same any more.
    """
    runs_forward = change.time_map is not None and change.time_map.direction > 0
    if change.is_whole and runs_forward and has_window(change.armature):
        move_windows(change)
        remember_anew(scope.read_clip(bpy.context, change.armature))
