"""The reference pose before a motion: remembered with the action, and left out as long as it is there."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from .... import core
from ...border import action_io
from ...border.action_io.curves import channels
from .. import scope

if TYPE_CHECKING:
    from bpy.types import FCurve, Object

# Frames after the reference pose, and curves, that are looked at: enough to tell, and quick at every redraw.
_FRAMES, _MOST_CURVES = 12, 60


def remember(armature: Object, count: int) -> None:
    """Note reference frames that were found in the keys of an armature's action."""
    settings = scope.own_action(armature).motion_editing
    settings.skipped_frames = count
    settings.found_frames, settings.found_first = count, _first_frame(armature)


def frames_left_out(armature: Object) -> int:
    """How many frames before the motion are left out: those set by hand, or found and not deleted since.

    What was keyed before the frames that were found is left out with them.

    Args:
        armature: With an action.
    """
    settings = scope.own_action(armature).motion_editing
    found: int = settings.skipped_frames
    first = _first_frame(armature)
    if not found or found != settings.found_frames or not _turning_curves(armature):
        return found
    for added in dict.fromkeys((max(settings.found_first - first, 0), 0)):
        if left := core.motion.still_leading(_values(armature, first + added, found + _FRAMES), found):
            return int(added + left)
    return 0


def is_reference_deleted(armature: Object) -> bool:
    """Whether reference frames were found that the keys no longer have."""
    return bool(scope.own_action(armature).motion_editing.skipped_frames) and not frames_left_out(armature)


def _first_frame(armature: Object) -> int:
    """The first frame with keys; 0 without any."""
    ends = action_io.key_ends(armature)
    return floor(ends[0]) if ends else 0


def _turning_curves(armature: Object) -> list[FCurve]:
    """Some of the curves with rotations that have keys."""
    curves = (
        [each for each in channels.curves_of(armature) if "rotation" in each.data_path]
        if action_io.key_ends(armature)
        else []
    )
    return curves[:: 1 + len(curves) // _MOST_CURVES]


def _values(armature: Object, first: int, count: int) -> list[list[float]]:
    """Their values in so many frames."""
    curves = _turning_curves(armature)
    return [[curve.evaluate(first + frame) for curve in curves] for frame in range(count)]
