"""All or nothing: what was written is taken back if an error comes before the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy

from .curves.channels import further_owners
from .restoration import restore_all

if TYPE_CHECKING:
    from bpy.types import ID, Action, Object


@contextmanager
def all_or_nothing(*things: Object) -> Iterator[None]:
    """Bring all curves of objects, and of what is animated along with them, back if what follows raises.

    Objects play again what they played; an action that they got meanwhile is removed. Copies of whole actions are
    made faster than their keys are read, and bring back whatever was changed.
    """
    played = [(owner, *_played(owner)) for thing in things for owner in (thing, *further_owners(thing))]
    actions = dict.fromkeys(action for _owner, action, _slot in played if action is not None and action.is_editable)
    copies = {action: _copy(action) for action in actions}
    try:
        yield
    except BaseException:
        for action, copy in copies.items():
            restore_all(action, copy)
        for owner, action, slot in played:
            _play_again(owner, action, slot)
        raise
    finally:
        for copy in copies.values():
            bpy.data.actions.remove(copy)


def _copy(action: Action) -> Action:
    copy = action.copy()
    copy.name = "Before the Edit"  # leaves the names that Blender would give to new actions
    return copy


def _played(owner: ID) -> tuple[Action | None, int]:
    """The action that animates an owner, and the handle of its slot."""
    data = owner.animation_data
    return (data.action, data.action_slot_handle) if data is not None else (None, 0)


def _play_again(owner: ID, action: Action | None, slot: int) -> None:
    data = owner.animation_data
    if data is not None and data.action != action:
        made, data.action = data.action, action
        if action is not None:
            data.action_slot = next((each for each in action.slots if each.handle == slot), None)
        if made is not None and not made.users:
            bpy.data.actions.remove(made)
    owner.update_tag()
