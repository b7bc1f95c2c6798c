"""Windows that follow when another tool of the add-on retimes the motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import scope
from .memory import remember_anew
from .settings import has_window
from .windows import move_windows

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.time_map import TimeMap


def follow(context: Context, armature: Object, time_map: TimeMap, rate: float) -> None:
    """Move the windows with the motion, which is remembered anew; does nothing where no window is set.

    Args:
        context: Of Blender.
        armature: Whose whole motion was retimed.
        time_map: In seconds of the action.
        rate: Samples a second of the action.
    """
    if scope.action_of(armature) is None or not has_window(armature):
        return
    move_windows(armature, time_map, rate)
    remember_anew(scope.read_clip(context, armature))
