"""Doing the entries of a stack again, from the first one that is another."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import bpy

from ...border.saved_state import action_states
from .. import motion_changes, scope, watched_keys
from ..transaction import edit
from . import hand_edits, parameters, settings, snapshots
from .timing import Timing, change_between, noted

if TYPE_CHECKING:
    from bpy.types import Action, Object, PropertyGroup

    from ...border.saved_state.action_states import ActionState

NO_BASE = "The keys from before the first edit are gone: use Bake Stack"
# Why it cannot be found out what was done by hand.
TWEAKING = "Keys were changed by hand: leave the NLA strip's tweak mode first"


def work_out(armature: Object) -> None:
    """Give the action the keys that its stack leads to; what was done by hand becomes part of the stack first."""
    stack = scope.own_action(armature).motion_editing_stack
    if stack.base is None:
        for entry in stack.of(armature):
            entry.message = NO_BASE
        return
    if not notice_hand(armature):
        for entry in stack.of(armature):
            entry.message = TWEAKING
        return
    do_again(armature)


def do_again(armature: Object) -> None:
    """Give the action the keys that its stack leads to, in place of those that it has."""
    stack = scope.own_action(armature).motion_editing_stack
    with edit(armature), settings.replaying(), motion_changes.outside_waiting():
        replay = _Replay(armature)
        replay.run()
        hand_edits.mark_again(armature, stack, replay.before, replay.now)
    if replay.before != replay.now:
        change = change_between(armature, replay.before, replay.now)
        if change is not None:
            motion_changes.tell_outside(change)
    close(armature)


def notice_hand(armature: Object) -> bool:
    """Add to the stack what was done to the action since its last edit; gives whether that could be found out."""
    stack = scope.own_action(armature).motion_editing_stack
    if stack.base is None:
        return True
    if not stack.of(armature):
        _notice_since(armature, stack.base)
        return True
    slot = stack.slot_of(armature)
    has_other_keys = slot.keys != watched_keys.fingerprint_now(armature)
    state = snapshots.find(slot.state)
    if state is None and has_other_keys:
        state = _state_as_done(armature)
    if state is None:
        return not has_other_keys
    if has_other_keys or not action_states.has_settings(armature, state):
        with action_states.as_action(armature, state) as before:
            _notice_since(armature, before)
    return True


def _notice_since(armature: Object, before: Action) -> None:
    if hand_edits.notice(armature, before):
        close(armature)  # the tool that follows may refuse: what was noticed is not noticed once more


def close(armature: Object) -> None:
    """Remember the keys as those after the last entry."""
    stack = scope.own_action(armature).motion_editing_stack
    if stack.base is not None:
        slot = stack.slot_of(armature)
        slot.keys = watched_keys.fingerprint_now(armature)
        slot.state = snapshots.digest_of(stack.base, stack.of(armature))
        snapshots.keep(slot.state, armature)


def _state_as_done(armature: Object) -> ActionState | None:
    """The state after the last edit, worked out anew on a copy of the action; None while an NLA strip is tweaked."""
    data: Any = armature.animation_data
    if data.use_tweak_mode:
        return None
    action, slot = data.action, data.action_slot.identifier
    copy = action.copy()
    try:
        data.action, data.action_slot = copy, copy.slots[slot]
        with settings.replaying(), motion_changes.outside_waiting():
            _Replay(armature, as_done=True).run()
        close(armature)
        return snapshots.find(copy.motion_editing_stack.slot_of(armature).state)
    finally:
        data.action = action
        data.action_slot = action.slots[slot]
        bpy.data.actions.remove(copy)
        watched_keys.look_anew()


class _Replay:
    """One time that the entries are done again.

    Attributes:
        before: Timing from the base to before the entry that is next, as the keys were until now.
        now: The same as the keys are now.
    """

    def __init__(self, armature: Object, *, as_done: bool = False) -> None:
        """Nothing is done yet; `as_done` takes parameters as they were the last time, whatever they are now."""
        self._armature, self._action, self._as_done = armature, scope.own_action(armature), as_done
        self._base, self._entries = (stack := self._action.motion_editing_stack).base, stack.of(armature)
        self.before, self.now = Timing(), Timing()

    def run(self) -> None:
        """Begin at the last state that is still right, and go on to the end."""
        for number in range(self._begin(), len(self._entries)):
            entry = self._entries[number]
            known = entry.time_map
            self._do(entry)
            self.before, self.now = self.before.then(known), self.now.then(entry.time_map)
            if number < len(self._entries) - 1:
                snapshots.keep(self._digest(number + 1), self._armature)

    def _digest(self, count: int) -> str:
        return snapshots.digest_of(self._base, self._entries[:count])

    def _state(self, entry: PropertyGroup) -> str:
        return entry.done if self._as_done else parameters.state_of(entry)

    def _begin(self) -> int:
        """Bring back the state after as many entries as possible; gives how many."""
        others = [number for number, entry in enumerate(self._entries) if entry.done != self._state(entry)]
        for count in range(min([*others, len(self._entries) - 1]), 0, -1):
            state = snapshots.find(self._digest(count))
            if state is not None:
                for entry in self._entries[:count]:
                    self.before = self.now = self.now.then(entry.time_map)
                action_states.put_state(self._armature, state)
                watched_keys.look_anew()
                return count
        action_states.bring_back(self._armature, self._base)
        watched_keys.look_anew()
        return 0

    def _do(self, entry: PropertyGroup) -> None:
        """Do an entry at the moments that its frames have become; one that cannot be done is left out."""
        state, then = self._state(entry), Timing().then(entry.timing)
        entry.message, entry.time_map = "", "[]"
        hand_edits.mark_again(self._armature, entry, then, self.now)
        if not parameters.is_muted(state):
            try:
                self._call(
                    entry, state, lambda frames: frames if then == self.now else self.now.to_new(then.to_old(frames))
                )
            except (RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:
                entry.message = _reason(error)
        entry.done = state
        watched_keys.look_anew()

    def _call(self, entry: PropertyGroup, state: str, moved: Callable[[Any], Any]) -> None:
        if not entry.tool:
            hand_edits.change_keys(self._armature, entry, moved)
            return
        if parameters.operator_of(entry.tool) is None:
            raise ValueError(f"There is no tool '{entry.tool}' any more")
        armature, bones = self._armature, frozenset(filter(None, entry.bones.split("\n")))
        _refuse_lost(armature, bones)
        first, last = sorted((float(moved(entry.start)), float(moved(entry.end))))
        frames = (first, last) if entry.has_range else None
        given = scope.as_given(scope.Given(armature, bones, frames, float(moved(entry.frame)), entry.active_bone))
        chosen: dict[str, Any] = {"object": armature, "active_object": armature, "selected_objects": [armature]}
        operator = getattr(bpy.ops.motion_editing, entry.tool)
        with given, bpy.context.temp_override(**chosen), noted(armature) as maps:
            operator("EXEC_DEFAULT", **parameters.values_of(entry, state, moved))
        entry.time_map = json.dumps(maps)


def _refuse_lost(armature: Object, bones: frozenset[str]) -> None:
    lost = sorted(bones - {bone.name for bone in armature.pose.bones}) if armature.pose else ()
    if lost:
        raise ValueError(f"There is no bone '{lost[0]}' any more")


def _reason(error: Exception) -> str:
    """What an operator says that could not be done, in one line."""
    return (str(error).removeprefix("Error: ").strip().splitlines() or [type(error).__name__])[0]
