"""Actions that were made from other motions, and are made anew from them: what was done since is done again on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ....core.errors import MotionEditError
from ...border.saved_state import action_states
from .. import motion_changes, scope
from . import parameters, settings

if TYPE_CHECKING:
    from bpy.types import Action, Object, PropertyGroup


def is_other(entry: PropertyGroup) -> bool:
    """Whether parameters of an entry are others than those that its action was made with."""
    return bool(entry.done != parameters.state_of(entry))


def update(armature: Object) -> None:
    """Make the base of an armature's stack anew from its source; the keys are for others to work out.

    Raises:
        MotionEditError: The action was made by nothing that is known, or cannot be made any more.
    """
    maker, data = parameters.maker_of(armature), _data(armature)
    if maker is None:
        raise MotionEditError("This action was not made from another motion")
    if data.use_tweak_mode:
        raise MotionEditError("Leave the NLA strip's tweak mode first")
    state, action, slot = parameters.state_of(maker), data.action, data.action_slot.identifier
    is_kept = action.use_fake_user
    try:
        made = _made(armature, maker, state)
    finally:
        data.action, action.use_fake_user = action, is_kept
        data.action_slot = action.slots[slot]
    _take_over(armature, made)
    maker.done, maker.message = state, ""


def _made(armature: Object, maker: PropertyGroup, state: str) -> Action:
    """The action that a tool makes now."""
    values = parameters.values_of(maker, state, lambda frames: frames) | {"target": armature.name}
    chosen: dict[str, Any] = {"object": armature, "active_object": armature, "selected_objects": [armature]}
    before = _data(armature).action
    with settings.replaying(), motion_changes.outside_waiting(), bpy.context.temp_override(**chosen):
        try:
            getattr(bpy.ops.motion_editing, maker.tool)("EXEC_DEFAULT", **values)
        except RuntimeError as error:
            raise MotionEditError(str(error).removeprefix("Error: ").strip().splitlines()[0]) from None
    made: Action = _data(armature).action
    if made == before:
        raise MotionEditError("The source gave no motion")
    return made


def _take_over(armature: Object, made: Action) -> None:
    """Give the base the keys of an action and all that hangs on it, which is then gone."""
    data, stack = _data(armature), scope.own_action(armature).motion_editing_stack
    action, slot = data.action, data.action_slot.identifier
    if stack.base.users > 1:  # a copy of the action began with the same keys
        stack.base = stack.base.copy()
    try:
        data.action, data.action_slot = stack.base, stack.base.slots[slot]
        action_states.bring_back(armature, {stack.base: made})
        stack.base.motion_editing.original = None
    finally:
        data.action = action
        data.action_slot = action.slots[slot]
        bpy.data.actions.remove(made)
    stack.base_number += 1


def _data(armature: Object) -> Any:
    return armature.animation_data
