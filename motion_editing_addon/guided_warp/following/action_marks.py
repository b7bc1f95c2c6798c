"""The manual frame range and the markers of an action, which go with its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...border.action_io import key_ends_elsewhere
from ...document import scope

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ...document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Bring them to where the motion is now, unless the action has other motions that they may be about."""
    if not change.is_whole or change.time_map is None or not change.time_map.direction:
        return
    if key_ends_elsewhere(change.armature) is not None:
        return
    action = scope.own_action(change.armature)
    for marker in action.pose_markers:
        marker.frame = round(float(change.new_frames([marker.frame])[0]))
    if action.use_frame_range:
        action.frame_start, action.frame_end = change.new_range(action.frame_start, action.frame_end)


def restore(armature: Object, original: Action) -> None:
    """Put them where a copy of the action has them."""
    action = scope.own_action(armature)
    known: dict[str, list[int]] = {}
    for marker in original.pose_markers:
        known.setdefault(marker.name, []).append(marker.frame)
    for marker in action.pose_markers:
        if known.get(marker.name):  # several may have one name
            marker.frame = known[marker.name].pop(0)
    action.use_cyclic = original.use_cyclic
    action.frame_start, action.frame_end = original.frame_start, original.frame_end
