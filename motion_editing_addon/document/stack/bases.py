"""The keys that a stack begins with: of the armature's action, and of the actions of what is animated along with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...border.action_io.memory.slots import slots_of
from .. import scope

if TYPE_CHECKING:
    from bpy.types import Action, Object


def others_of(armature: Object) -> list[Action]:
    """Actions of what is animated along with an armature, besides its own."""
    action = scope.own_action(armature)
    return list(dict.fromkeys(each for each in slots_of(armature).values() if each != action and each.is_editable))


def of(armature: Object) -> dict[Action, Action]:
    """By action the keys from before the first edit; of other actions their own where no edit has changed them."""
    found = {scope.own_action(armature): scope.own_action(armature).motion_editing_stack.base}
    for other in others_of(armature):
        found[other] = other.motion_editing_stack.base or other
    return {action: base for action, base in found.items() if base is not None}


def keep_others(armature: Object) -> None:
    """Keep the keys of other actions, before an edit can change them."""
    for other in others_of(armature):
        if other.motion_editing_stack.base is None:
            other.motion_editing_stack.base = copied(other)


def forget_others(armature: Object) -> None:
    """Keep them no more."""
    for other in others_of(armature):
        if not len(other.motion_editing_stack.entries):
            other.motion_editing_stack.forget()


def copied(action: Action) -> Action:
    """A copy of an action to begin with."""
    copy = action.copy()
    copy.name, copy.use_fake_user = f"{action.name} (base)", False
    copy.motion_editing.original = None
    return copy


def remove(base: Action | None) -> None:
    """Take a copy away that is not needed."""
    if base is not None:
        bpy.data.actions.remove(base)
