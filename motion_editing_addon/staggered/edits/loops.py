"""Whether a motion plays round and round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from ....core.numerics import quaternion
from ...document import scope

if TYPE_CHECKING:
    from bpy.types import FCurve

    from ....core.motion import Motion
    from ...border.action_io import Clip


class Loop(TypedDict):
    """How a motion plays, as poses are fitted to it."""

    is_cyclic: bool
    seam: float


def loop_of(clip: Clip) -> Loop:
    """Whether the clip is a round of a loop, and how far its last frame is from the first of the next round."""
    if not is_loop(clip):
        return {"is_cyclic": False, "seam": 0.0}
    return {"is_cyclic": True, "seam": 1.0 / clip.motion.rate if _is_open(clip.motion) else 0.0}


def seam_of(clip: Clip) -> float | None:
    """Seconds between two rounds of a loop; None if the clip is no loop."""
    loop = loop_of(clip)
    return loop["seam"] if loop["is_cyclic"] else None


def is_loop(clip: Clip) -> bool:
    """Whether the clip is one round of a cyclic action, or of curves that Cycles modifiers repeat."""
    action: Any = scope.action_of(clip.armature)
    first, last = clip.frames[[0, -1]]
    if len(clip.frames) < 4:
        return False
    if action.use_cyclic and action.use_frame_range:
        return bool(abs(action.frame_start - first) < 0.5 and abs(action.frame_end - last) < 0.5)
    curves = [curve for key, curve in clip.channels.curves.items() if len(clip.keys.get(key, ())) > 1]
    return bool(curves) and all(_repeats(curve) for curve in curves)


def _repeats(curve: FCurve) -> bool:
    return any(each.type == "CYCLES" and not each.mute for each in curve.modifiers)


def _is_open(motion: Motion) -> bool:
    """Whether the last frame is the one before the first: joints turn on from one to the other."""
    rotations = motion.rotations
    across, before, after, going = (
        quaternion.angle_between(rotations[one], rotations[other]).sum()
        for one, other in ((-1, 0), (-2, -1), (0, 1), (-2, 0))
    )
    # Two steps lead further than one: a seam that only trembles leads nowhere.
    return bool(across > 0.5 * min(before, after) > 0.0 and going > 1.2 * max(across, before))
