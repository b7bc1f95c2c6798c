"""From the panel's choices to a time map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.errors import MotionEditError
from ...core.guided_warp import GuidedWarpOptions, WarpResult, guided_warp
from ..document.character.joint_positions import positions_of
from ..document.character.saved_body import body_of
from ..document.take.other_action import read_action

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context

    from ...core.body import Body
    from ...core.guided_warp import Keytimes
    from ...core.motion import Motion
    from ..border.action_io import Clip


@dataclass(frozen=True)
class Guide:
    """How a warp is guided.

    Attributes:
        options: Influence, smoothness, speed limit, free length.
        reference: SELF, RANGE or ACTION.
        action: Name of the other action.
        start: First frame of a range.
        end: Last frame of a range.
    """

    options: GuidedWarpOptions
    reference: str = "SELF"
    action: str = ""
    start: int = 1
    end: int = 50


def warp(context: Context, clip: Clip, keytimes: Keytimes, guide: Guide) -> WarpResult:
    """The time map that hits the keytimes and keeps the reference's dynamics as far as it can."""
    positions = positions_of(context, clip)
    reference, reference_body, reference_positions = _reference(context, clip, guide, positions)
    return guided_warp(
        clip.motion,
        _body(clip, positions),
        _within(clip.motion, keytimes),
        options=guide.options,
        reference=reference,
        reference_body=reference_body,
        positions=positions,
        reference_positions=reference_positions,
    )


def _within(motion: Motion, keytimes: Keytimes) -> list[tuple[float, float]]:
    """Old and new times; the ends are whole frames, and a motion whose keys lie between frames ends before them."""
    first, last = float(motion.times[0]), float(motion.times[-1])
    frame = 1.0 / motion.rate
    return [
        (min(max(old, first), last) if first - frame < old < last + frame else old, new)
        for old, new in keytimes.pairs()
    ]


def _body(clip: Clip, positions: np.ndarray) -> Body | None:
    """Parts of an armature; a camera or a prop has none."""
    return body_of(clip.armature, clip, positions) if clip.armature.pose else None


def _reference(
    context: Context, clip: Clip, guide: Guide, positions: np.ndarray
) -> tuple[Motion | None, Body | None, np.ndarray | None]:
    if guide.reference == "SELF":
        return None, None, None
    if guide.reference == "RANGE":
        inside = (clip.frames >= guide.start) & (clip.frames <= guide.end)
        if inside.sum() < 3:
            raise MotionEditError(f"The reference range {guide.start} to {guide.end} has fewer than 3 frames")
        first, last = inside.argmax(), len(inside) - inside[::-1].argmax()
        return clip.motion.part(first, last), _body(clip, positions), positions[first:last]
    other, other_positions = read_action(context, clip.armature, guide.action)
    if bool(other.armature.pose) != bool(clip.armature.pose):
        raise MotionEditError("Choose an action of the same kind of object: only armatures are like armatures")
    return other.motion, _body(other, other_positions), other_positions
