"""States of actions after each of their edits, while Blender runs."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bpy.types import PropertyGroup

    from ...border.saved_state.action_states import ActionState

# Bytes of keys that are kept, of all actions together; the states that were not asked for longest go first.
_MOST_BYTES = 400_000_000
# With the bytes that each takes.
_kept: dict[str, tuple[ActionState, int]] = {}
# Settings alone: at hand at once, while the keys of a state are taken when there is time.
_settings: dict[str, dict[str, Any]] = {}
# Of so many states.
_MOST_SETTINGS = 100


def digest_of(stack: PropertyGroup, entries: Iterable[PropertyGroup]) -> str:
    """What tells the state after some entries of a stack from all others: where it began, and what they did."""
    base = stack.base
    digest = blake2b(f"{base.name_full} {base.session_uid} {stack.base_number}".encode(), digest_size=16)
    for entry in entries:
        scope = entry.bones, entry.has_range, entry.start, entry.end, entry.frame, entry.made
        digest.update(repr((entry.uid, scope, entry.done, entry.message)).encode())
    return digest.hexdigest()


def keep(digest: str, state: ActionState | None) -> None:
    """Keep a state; None if there is none to be kept."""
    _kept.pop(digest, None)
    if state is None:
        return
    _kept[digest] = state, _bytes_of(state, _kept[next(reversed(_kept))][0] if _kept else None)
    while len(_kept) > 1 and sum(size for _state, size in _kept.values()) > _MOST_BYTES:
        del _kept[next(iter(_kept))]


def _bytes_of(state: ActionState, last: ActionState | None) -> int:
    """What a state takes besides what it has in common with the one that was kept before."""
    known = last.curves if last is not None else {}
    own = [curve for place, curve in state.curves.items() if known.get(place) is not curve]
    return sum(array.nbytes for curve in own for array in (curve.co, *(curve.handles or ())))


def find(digest: str) -> ActionState | None:
    """A state, if it is still known."""
    if digest not in _kept:
        return None
    _kept[digest] = _kept.pop(digest)
    return _kept[digest][0]


def keep_settings(digest: str, settings: dict[str, Any]) -> None:
    """Keep what hung on an action in a state."""
    _settings.pop(digest, None)
    _settings[digest] = settings
    while len(_settings) > _MOST_SETTINGS:
        del _settings[next(iter(_settings))]


def find_settings(digest: str) -> dict[str, Any] | None:
    """What hung on an action in a state, if it is still known."""
    return _settings.get(digest)


def forget_all() -> None:
    """Know none."""
    _kept.clear()
    _settings.clear()
