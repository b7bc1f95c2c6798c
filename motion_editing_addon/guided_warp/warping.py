"""From the panel's choices to a time map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.errors import MotionEditError
from ...core.guided_warp import GuidedWarpOptions, WarpResult, guided_warp
from .. import action_io, scope
from ..character.saved import body_of
from ..joint_positions import positions_of

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Action, Context, Object

    from ...core.body import Body
    from ...core.keytimes import Keytimes
    from ...core.motion import Motion
    from ..action_io import Clip


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
        body_of(clip.armature, clip, positions) if clip.armature.pose else None,
        keytimes.pairs(),
        options=guide.options,
        reference=reference,
        reference_body=reference_body,
        positions=positions,
        reference_positions=reference_positions,
    )


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
        return clip.motion.part(first, last), body_of(clip.armature, clip, positions), positions[first:last]
    return _other_action(context, clip.armature, guide.action)


def _other_action(context: Context, armature: Object, name: str) -> tuple[Motion, Body, np.ndarray]:
    """Another action, read through the armature that plays it, or through this one for a moment."""
    import bpy

    action = bpy.data.actions.get(name)
    if action is None:
        raise MotionEditError("Choose the action that the dynamics are to be taken from")
    player = next(
        (thing for thing in bpy.data.objects if scope.is_armature(thing) and scope.action_of(thing) == action), None
    )
    if player is not None:
        clip = scope.read_clip(context, player)
        positions = positions_of(context, clip)
        return clip.motion, body_of(player, clip, positions), positions
    clip = _read_through(context, armature, action)
    return clip.motion, body_of(armature, clip), clip.motion.poses.positions


def _read_through(context: Context, armature: Object, action: Action) -> Clip:
    """Let the armature play another action while it is read."""
    data = armature.animation_data
    if data.use_tweak_mode:
        raise MotionEditError("Leave the NLA strip's tweak mode to use another action as reference")
    own, slot = data.action, data.action_slot.identifier
    rate = action.motion_editing.source_rate or scope.scene_rate(context)
    data.action = action
    try:
        if data.action_slot is None and data.action_suitable_slots:
            data.action_slot = data.action_suitable_slots[0]
        return action_io.read(armature, rate=rate)
    finally:
        data.action = own
        data.action_slot = own.slots[slot]
