"""States of actions after each of their edits, while Blender runs."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from ...border.saved_state import action_states

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Action, Object, PropertyGroup

    from ...border.saved_state.action_states import ActionState

# Keys that are kept, of all actions together, about 24 bytes each; the oldest states go first.
_MOST_KEYS = 4_000_000
_kept: dict[str, ActionState] = {}


def digest_of(base: Action, entries: Iterable[PropertyGroup]) -> str:
    """What tells the state after some entries from all others: where it began, and what they did."""
    digest = blake2b(f"{base.name_full} {base.session_uid}".encode(), digest_size=16)
    for entry in entries:
        scope = entry.bones, entry.has_range, entry.start, entry.end, entry.frame
        digest.update(repr((entry.uid, scope, entry.done, entry.message)).encode())
    return digest.hexdigest()


def keep(digest: str, armature: Object) -> None:
    """Keep an armature's action as it is now, unless it is too large."""
    _kept.pop(digest, None)
    state = action_states.take_state(armature, _MOST_KEYS)
    if state is None:
        return
    _kept[digest] = state
    while sum(each.size for each in _kept.values()) > _MOST_KEYS:
        del _kept[next(iter(_kept))]


def find(digest: str) -> ActionState | None:
    """A state, if it is still known."""
    return _kept.get(digest)


def forget_all() -> None:
    """Know none."""
    _kept.clear()
