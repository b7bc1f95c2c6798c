"""The scene's frame range and markers, which go with a motion where that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..document import scope

if TYPE_CHECKING:
    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Bring range, preview range and markers of the scene to where the active armature's motion is now."""
    scene, time_map = bpy.context.scene, change.time_map
    is_led = scene.motion_editing_scene_follows and change.armature == scope.edited_object(bpy.context)
    if not is_led or not change.is_whole or time_map is None or not time_map.direction:
        return

    def new_frames(*frames: int) -> list[int]:
        old = [scope.from_scene(change.armature, frame) for frame in frames]
        return [round(float(frame)) for frame in scope.to_scene(change.armature, change.new_frames(old))]

    for marker in scene.timeline_markers:
        (marker.frame,) = new_frames(marker.frame)
    scene.frame_start, scene.frame_end = _range(sorted(new_frames(scene.frame_start, scene.frame_end)))
    if scene.use_preview_range:
        ends = sorted(new_frames(scene.frame_preview_start, scene.frame_preview_end))
        scene.frame_preview_start, scene.frame_preview_end = _range(ends)


def _range(ends: list[int]) -> tuple[int, int]:
    """A range begins at frame 0 or later."""
    return max(0, ends[0]), max(0, ends[1])
