"""Transactions: what was written to curves is taken back if an error comes before the end.

    with edit(armature):
        ...

Whatever writes keys does so within `edit`, or within `action_users.original_kept`, which does the same and keeps the
original keys too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy

from ..border import action_io
from ..border.action_io.memory import draft

if TYPE_CHECKING:
    from bpy.types import ID, Action, Object


@contextmanager
def edit(*things: Object | Action) -> Iterator[None]:
    """Bring all curves back, bit for bit, if what follows raises.

    Those are the curves of actions, or of objects and of what is animated along with them. Objects play again what
    they played; an action that they got meanwhile is removed. Copies of whole actions are made faster than their keys
    are read, and bring back whatever was changed. Keys in memory need no copies.
    """
    played = [(owner, *_played(owner)) for owner in _owners(things)]
    found = [
        *(action for _owner, action, _slot in played),
        *(each for each in things if isinstance(each, bpy.types.Action)),
    ]
    actions: dict[Action, None] = dict.fromkeys(each for each in found if each is not None and each.is_editable)
    drafts = {each: each.point() for each in filter(None, map(draft.draft_of_action, actions))}
    copies = {action: _copy(action) for action in actions if draft.draft_of_action(action) is None}
    try:
        yield
    except BaseException:
        for each, point in drafts.items():
            each.back_to(point)
        for edited, copy in copies.items():
            action_io.restore_all(edited, copy)
        for owner, action, slot in played:
            _play_again(owner, action, slot)
        raise
    finally:
        for copy in copies.values():
            bpy.data.actions.remove(copy)


def _owners(things: tuple[Object | Action, ...]) -> list[ID]:
    """All that is animated: objects, and what goes with them."""
    animated = [thing for thing in things if not isinstance(thing, bpy.types.Action)]
    return [owner for thing in animated for owner in (thing, *action_io.further_owners(thing))]


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
