"""Another action as reference: read through the armature that plays it, or through this one for a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ...border import action_io
from .. import scope
from ..character.joint_positions import positions_of

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Action, Context, Object

    from ...border.action_io import Clip


def read_action(context: Context, armature: Object, name: str) -> tuple[Clip, np.ndarray]:
    """The motion of the action with this name and (F, J, 3) where its joints are.

    Where this armature has to play the action for a moment, its constraints are left out.

    Raises:
        MotionEditError: There is no such action, or an NLA strip is being tweaked.
    """
    action = bpy.data.actions.get(name)
    if action is None:
        raise MotionEditError("Choose the action that is to be the reference")
    player = next(
        (thing for thing in bpy.data.objects if scope.is_armature(thing) and scope.action_of(thing) == action), None
    )
    if player is not None:
        clip = scope.read_clip(context, player)
        return clip, positions_of(context, clip)
    clip = _read_through(context, armature, action)
    return clip, clip.motion.poses.positions


def _read_through(context: Context, armature: Object, action: Action) -> Clip:
    """Let the armature play another action while it is read."""
    with playing(armature, action):
        return action_io.read(armature, rate=scope.rate_of(context, action))


@contextmanager
def playing(armature: Object, action: Action) -> Iterator[None]:
    """Let the armature play an action for a while, also if it usually plays another one or none.

    Raises:
        MotionEditError: It plays another one, and an NLA strip is being tweaked.
    """
    if scope.action_of(armature) == action:
        yield
        return
    data = armature.animation_data_create()
    if data.use_tweak_mode:
        raise MotionEditError(f"Leave the tweak mode of '{armature.name}' to use another action as reference")
    own, slot = data.action, data.action_slot.identifier if data.action_slot else None
    data.action = action
    try:
        if data.action_slot is None and data.action_suitable_slots:
            data.action_slot = data.action_suitable_slots[0]
        yield
    finally:
        data.action = own
        if own is not None and slot is not None:
            data.action_slot = own.slots[slot]
