"""Whether a motion plays round and round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...document import scope

if TYPE_CHECKING:
    from ...border.action_io import Clip


def is_loop(clip: Clip) -> bool:
    """Whether the clip is one round of a cyclic action, or of curves that Cycles modifiers repeat."""
    action = scope.action_of(clip.armature)
    first, last = clip.frames[[0, -1]]
    if action.use_cyclic and action.use_frame_range:
        return abs(action.frame_start - first) < 0.5 and abs(action.frame_end - last) < 0.5
    curves = [curve for curve in clip.channels.curves.values() if len(curve.keyframe_points) > 1]
    return bool(curves) and all(_repeats(curve) for curve in curves)


def _repeats(curve: object) -> bool:
    return any(each.type == "CYCLES" and not each.mute for each in curve.modifiers)
