"""The keys as the last edit left them: remembered, and what was done by hand since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import bpy

from ...border.action_io import key_edits
from ...border.action_io.memory import slot_curves
from ...border.action_io.memory.slots import slots_of
from ...border.saved_state import action_states
from .. import motion_changes, scope, watched_keys
from . import bases, hand_edits, settings, snapshots
from .entry_replay import EntryReplay, NotInMemoryError

if TYPE_CHECKING:
    from bpy.types import FCurve, Object

    from ...border.saved_state.action_states import ActionState

    # Curves of a slot by path and component, and the settings of the action.
    Known = tuple[Mapping[tuple[str, int], FCurve], dict[str, Any]]

TWEAKING = "Keys were changed by hand: leave the NLA strip's tweak mode first"
MODIFIERS = "Keys of curves with modifiers were changed by hand: use Bake Stack"


def notice_hand(armature: Object) -> bool:
    """Add to the stack what was done to the action since its last edit; gives whether that could be found out."""
    stack = scope.own_action(armature).motion_editing_stack
    if stack.base is None:
        return True
    slot = stack.slot_of(armature)
    if not stack.of(armature):
        copies = bases.of(armature)
        begun = {place: copies.get(action, action) for place, action in slots_of(armature).items()}
        _notice_since(armature, (key_edits.curves_of(begun), action_states.plain_settings(stack.base)))
        return True
    has_other_keys = slot.keys != watched_keys.digest_now(armature)
    state = snapshots.find(slot.state)
    if state is not None:
        if has_other_keys or not action_states.has_settings(armature, state):
            with slot_curves.as_curves(armature, state.curves) as curves:
                _notice_since(armature, (curves, state.settings))
        return True
    settings_then = snapshots.find_settings(slot.state)
    if has_other_keys or settings_then is None:
        with _as_done(armature) as known:
            if known is None:
                return not has_other_keys
            if has_other_keys:
                _notice_since(armature, known)
                return True
            settings_then = known[1]
            snapshots.keep_settings(slot.state, settings_then)
    hand_edits.notice_marked(armature, settings_then)
    return True


def why_unknown(armature: Object) -> str:
    """Why it cannot be found out what was done by hand."""
    data: Any = armature.animation_data
    return TWEAKING if data.use_tweak_mode else MODIFIERS


def _notice_since(armature: Object, known: Known) -> None:
    if hand_edits.notice(armature, *known):
        # The tool that follows may refuse: what was noticed is not noticed once more.
        close(armature, action_states.take_state(armature))


def close(armature: Object, state: ActionState | None = None, keys: str = "") -> None:
    """Remember the keys as those after the last entry, and the state and the keys' digest if they are known."""
    stack = scope.own_action(armature).motion_editing_stack
    if stack.base is not None:
        slot = stack.slot_of(armature)
        slot.keys = keys or watched_keys.digest_now(armature)
        slot.state = snapshots.digest_of(stack, stack.of(armature))
        snapshots.keep_settings(slot.state, action_states.attached_state(armature).settings)
        if state is None and bpy.app.background:  # there is nobody to wait, and no time later
            state = action_states.take_state(armature)
        snapshots.keep(slot.state, state)
        for call in settings.after_changes:
            call()


def remember(armature: Object) -> bool:
    """Remember the state after the last entry if it is not known, and the keys are still its own; gives whether."""
    stack = scope.own_action(armature).motion_editing_stack
    if stack.base is None or not stack.of(armature):
        return False
    slot = stack.slot_of(armature)
    if snapshots.find(slot.state) is not None or slot.keys != watched_keys.digest_now(armature):
        return False
    state, settings_then = action_states.take_state(armature), snapshots.find_settings(slot.state)
    if state is not None and settings_then is not None:  # something may have been marked since
        state = state._replace(settings=settings_then)
    snapshots.keep(slot.state, state)
    return state is not None


@contextmanager
def _as_done(armature: Object) -> Iterator[Known | None]:
    """What there was after the last edit, worked out anew on a copy of the action; None where that cannot be told."""
    data: Any = armature.animation_data
    if data.use_tweak_mode:
        yield None
        return
    action, slot = data.action, data.action_slot.identifier
    copy = action.copy()
    try:
        data.action, data.action_slot = copy, copy.slots[slot]
        try:
            with settings.replaying(), motion_changes.outside_waiting():
                state = _state_as_done(armature)
                slots = slots_of(armature)
        except NotInMemoryError:
            yield None
            return
        finally:
            data.action = action
            data.action_slot = action.slots[slot]
            watched_keys.look_anew()
        if state is None:  # curves with modifiers were edited in the copy
            yield key_edits.curves_of(slots), action_states.plain_settings(copy)
            return
        with slot_curves.as_curves(armature, state.curves) as curves:
            yield curves, state.settings
    finally:
        bpy.data.actions.remove(copy)


def _state_as_done(armature: Object) -> ActionState | None:
    """The state after the last edit; None if curves have modifiers."""
    replay = EntryReplay(armature, as_done=True)
    with replay.opened():
        replay.run()
        return action_states.take_state(armature)
