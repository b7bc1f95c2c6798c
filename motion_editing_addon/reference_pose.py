"""The reference pose before a motion: remembered with the action, and left out as long as it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

# Frames after the reference pose, and curves, that are looked at: enough to tell, and quick at every redraw.
_FRAMES, _MOST_CURVES = 12, 60


def remember(settings: PropertyGroup, count: int) -> None:
    """Note reference frames that were found in an action's keys."""
    settings.skipped_frames = count
    settings.found_frames = count


def frames_left_out(armature: Object) -> int:
    """How many frames before the motion are left out: those set by hand, or found and not deleted since.

    Args:
        armature: With an action.
    """
    from ..core.reference_frame import still_leading
    from .scope import action_of

    settings = action_of(armature).motion_editing
    if not settings.skipped_frames or settings.skipped_frames != settings.found_frames:
        return settings.skipped_frames
    values = _first_values(armature, settings.skipped_frames + _FRAMES)
    return still_leading(values, settings.skipped_frames) if values else settings.skipped_frames


def is_reference_deleted(armature: Object) -> bool:
    """Whether reference frames were found that the keys no longer have."""
    from .scope import action_of

    return bool(action_of(armature).motion_editing.skipped_frames) and not frames_left_out(armature)


def _first_values(armature: Object, count: int) -> list[list[float]]:
    """Values of some of the rotation curves in so many frames from the first key on; nothing without such keys."""
    from math import floor

    from .action_io import channelbag, key_ends

    bag, ends = channelbag(armature), key_ends(armature)
    curves = [curve for curve in bag.fcurves if "rotation" in curve.data_path] if bag and ends else []
    chosen = curves[:: 1 + len(curves) // _MOST_CURVES]
    first = floor(ends[0]) if ends else 0
    return [[curve.evaluate(first + frame) for curve in chosen] for frame in range(count)] if chosen else []
