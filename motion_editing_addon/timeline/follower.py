"""Windows and touches that go with the motion when its timing changes, or the original keys come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ..document import original_keys, scope
from .settings import has_window
from .windows.memory import forget, remember, take_over
from .windows.windows import drop_lost_windows, move_windows, settings_of

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Move the windows with the motion, which is remembered anew; does nothing where no window is set."""
    if not change.is_whole or change.time_map is None or not change.time_map.direction or change.leaves_windows:
        return
    for item in settings_of(change.armature).collisions:
        item.start, item.end = np.sort(change.new_frames([item.start, item.end])).tolist()
    if not has_window(change.armature):
        return
    move_windows(change)
    clip = scope.read_clip(bpy.context, change.armature)
    if drop_lost_windows(clip):
        remember(clip)
    else:
        forget(change.armature)


def restore(armature: Object, original: Action) -> None:
    """Set the windows that the original has, if those here lie in another timing."""
    if not original_keys.is_other_timing(armature):
        return
    settings, saved = settings_of(armature), original.motion_editing_timeline
    for name in ("windows", "collisions"):
        original_keys.take_over_list(getattr(settings, name), getattr(saved, name))
    for name in ("has_window", "slot", "start", "end", "active", "collisions_of", "collision_margin"):
        setattr(settings, name, getattr(saved, name))
    take_over(armature, original)
