"""While a file is saved, or the extension is disabled, rigs whose poses are being edited play their own motion.

What was posed is kept with the armature, so that editing goes on afterwards, or when the file is opened again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...border.action_io import channels_of
from ...border.rigs.rig_pose import scalar
from ...document import scope
from . import posing_memory

if TYPE_CHECKING:
    from bpy.types import Action, Object


def put_aside(armature: Object, stand_in: Action | None = None) -> None:
    """Put the action of an armature aside and let an empty one, or one that did so before, stand in for it."""
    data, posing = scope.animation_of(armature), armature.motion_editing_posing
    posing.action, posing.is_paused = data.action, False
    posing.slot = data.action_slot.handle if data.action_slot else 0
    data.action = stand_in or bpy.data.actions.new(f"{posing.action.name} (posing)")


def give_back(armature: Object) -> Action | None:
    """Put the action in its place again; gives the one that stood in for it."""
    data, posing = armature.animation_data or armature.animation_data_create(), armature.motion_editing_posing
    stand_in, action = data.action, posing.action
    data.action = action
    slots = [slot for slot in action.slots if slot.handle == posing.slot]
    data.action_slot = slots[0] if slots else next(iter(data.action_suitable_slots), None)
    posing.action = None
    return stand_in


def pause(armature: Object) -> Action | None:
    """Have the armature play its own action, and keep what was posed; gives what stood in for the action."""
    stand_in = give_back(armature)
    # Nothing has been evaluated since: the rig still holds what the animator posed.
    keep_posed(armature)
    posing_memory.put_back(armature)
    armature.motion_editing_posing.is_paused = True
    return stand_in


def keep_posed(armature: Object) -> None:
    """Remember the pose that is on the rig, with the numbers that its action animates."""
    names = [prop.name for prop in channels_of(armature).scalars]
    posing_memory.keep_posed(armature, {name: scalar(armature, name, 0.0) for name in names})


def go_on(armature: Object, stand_in: Action | None = None) -> None:
    """Put the action aside again and bring back what was posed."""
    put_aside(armature, stand_in)
    posing_memory.put_posed(armature)
    armature.update_tag(refresh={"OBJECT", "DATA"})


def can_go_on(armature: Object) -> bool:
    """Whether a pose of the armature was being edited, and can be again: not on one that is linked."""
    if not armature.motion_editing_posing.is_paused or not armature.is_editable:
        return False
    data = armature.animation_data
    return data is not None and data.action_slot is not None and not data.use_tweak_mode
