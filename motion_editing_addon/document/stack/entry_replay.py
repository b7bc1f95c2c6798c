"""The entries of a stack done again, one after the other, from the first one that is another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import bpy

from ...border.action_io.memory import draft as memory
from ...border.saved_state import action_states
from .. import influence, scope, watched_keys
from ..contacts import touches
from ..given_scope import Given
from ..transaction import edit
from . import bases, hand_edits, parameters, partners, snapshots
from .timing import Timing, noted, timing_of

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ...border.action_io.memory.draft import Curves, Draft
    from ...border.saved_state.action_states import ActionState

# Seconds before and after the current frame that are shown while a value is dragged: trails.
_SHOWN = 0.8
# Seconds beside them in which contacts that are kept have a say.
_BESIDE = 0.6


class NotInMemoryError(Exception):
    """Entries cannot be looked at before they are written: curves have modifiers."""


class EntryReplay:
    """One time that the entries are done again.

    Attributes:
        before: Timing from the base to before the entry that is next, as the keys were until now.
        now: The same as the keys are now.
    """

    def __init__(self, armature: Object, *, as_done: bool = False, is_loose: bool = False, left_out: str = "") -> None:
        """Nothing is done yet.

        Args:
            armature: Whose action.
            as_done: Take parameters as they were the last time, whatever they are now.
            is_loose: Only to be looked at: nothing is written or remembered, and motions are passed on as they are.
            left_out: An entry that is not done, by its `uid`.
        """
        self._armature, self._action = armature, scope.own_action(armature)
        self._as_done, self._is_loose, self._left_out = as_done, is_loose, left_out
        stack = self._action.motion_editing_stack
        self._entries, self._slot = stack.of(armature), stack.slot_of(armature)
        parameters.ensure_of(self._entries)
        self._first = 0
        self._memory = ExitStack()
        self._draft: Draft | None = None
        self.before, self.now = Timing(), Timing()

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Begin at the last state that is still right; at the end the keys are written, unless something raises."""
        state, written = self._start(), self._written()
        try:
            self._enter(state, written)
            yield
            if self._draft is not None and not self._is_looked_at:
                self._draft.write()
        except BaseException:
            if self._draft is not None and written is not None and not self._is_looked_at:
                self._draft.put_all(written)
                self._draft.write()
            raise
        finally:
            self._memory.close()
            watched_keys.look_anew()

    @property
    def _is_looked_at(self) -> bool:
        """Whether no key is to be changed."""
        return self._is_loose or self._as_done

    def _refuse_keys(self) -> None:
        """Raise where keys may not be changed: of what is looked at, and of actions that have no copy."""
        if self._is_loose or (self._as_done and bases.others_of(self._armature)):
            raise NotInMemoryError

    def _enter(self, state: ActionState | None, written: Curves | None) -> None:
        """Take keys into memory; curves with modifiers are edited where they are."""
        if state is None:
            self._refuse_keys()
            self._memory.enter_context(edit(self._armature))
            action_states.bring_back(self._armature, bases.of(self._armature))
        else:
            action_states.put_attached(self._armature, state)
            draft = memory.drafted(
                self._armature, state.curves, written=written, label=self._digest(self._first), is_loose=self._is_loose
            )
            self._draft = self._memory.enter_context(draft)
        watched_keys.look_anew()

    def run(self) -> None:
        """Go on to the end."""
        for number in range(self._first, len(self._entries)):
            entry = self._entries[number]
            state, known = self._state(entry), entry.time_map
            if self._is_loose and not self._left_out:
                self._look_closely(self._entries[number:])
            message, time_map = self._done(entry, state)
            self.before, self.now = self.before.then(known), self.now.then(time_map)
            if not self._is_loose:
                entry.message, entry.time_map, entry.done = message, time_map, state
                if entry.second is not None and not self._as_done:
                    partners.follow(entry, time_map)  # before what comes next, which may look at both
            if number < len(self._entries) - 1 and not self._is_loose:
                snapshots.keep(self._digest(number + 1), action_states.take_state(self._armature))

    def _look_closely(self, entries: list[PropertyGroup]) -> None:
        """From where on nothing far away has a say, go on with what is shown at the scene's frame alone.

        Before that, contacts are kept around the moments that are shown in the end.
        """
        if self._draft is None or self._draft.window is not None:
            return
        context, armature = bpy.context, self._armature
        around = [parameters.seconds_around(entry) for entry in entries if not entry.is_muted]
        rate, now = scope.source_rate(context, armature), scope.action_frame(context, armature)
        frames = (_SHOWN + sum(filter(None, around))) * rate
        if None not in around:
            self._draft.window, self._draft.looked_at = (now - frames, now + frames), None
            return
        frames += _BESIDE * rate
        later = timing_of(entries[1:])
        first, last = sorted(map(float, later.to_old([now - frames, now + frames])))
        self._draft.looked_at = first, last

    def _digest(self, count: int) -> str:
        return snapshots.digest_of(self._action.motion_editing_stack, self._entries[:count])

    def _state(self, entry: PropertyGroup) -> str:
        if entry.uid == self._left_out:
            return parameters.muted_state(entry)
        return entry.done if self._as_done else parameters.state_of(entry)

    def _start(self) -> ActionState | None:
        """The state after as many entries as possible; None where only the base's own curves will do."""
        others = [number for number, entry in enumerate(self._entries) if entry.done != self._state(entry)]
        for count in range(min([*others, len(self._entries) - 1]), 0, -1):
            state = snapshots.find(self._digest(count))
            if state is not None:
                self._first = count
                for entry in self._entries[:count]:
                    self.before = self.now = self.now.then(entry.time_map)
                return state
        bases.keep_others(self._armature)
        start = snapshots.find(self._digest(0))
        if start is None:
            start = action_states.take_state(self._armature, copies=bases.of(self._armature))
        snapshots.keep(self._digest(0), start)
        return start

    def _written(self) -> Curves | None:
        """What the action's curves hold, if that is known: nobody has changed them since the last edit."""
        state = None if self._as_done else snapshots.find(self._slot.state)
        return None if state is None else state.curves

    def _done(self, entry: PropertyGroup, state: str) -> tuple[str, str]:
        """Do an entry at the moments that its frames have become; one that cannot be done is left out.

        Returns:
            Why it was left out, empty if it was not; and what it did to the timing.
        """
        then, message, time_map = Timing().then(entry.timing), "", "[]"
        hand_edits.mark_again(self._armature, entry, then, self.now)
        if not parameters.is_muted(state):
            try:
                time_map = self._call(
                    entry, state, lambda frames: frames if then == self.now else self.now.to_new(then.to_old(frames))
                )
            except (RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:
                message = _reason(error)
        watched_keys.look_anew()
        return message, time_map

    def _call(self, entry: PropertyGroup, state: str, moved: Callable[[Any], Any]) -> str:
        """Do an entry; gives what it did to the timing."""
        if not entry.tool:
            hand_edits.change_keys(self._armature, entry, moved)
            return "[]"
        tool = parameters.operator_of(entry.tool)
        if tool is None:
            raise ValueError(f"There is no tool '{entry.tool}' any more")
        if getattr(tool, "begins_stack", False):  # the base has its keys, see `sources`
            return "[]"
        if getattr(tool, "adds_modifiers", False):
            self._leave_memory()
        armature, bones = self._armature, frozenset(filter(None, entry.bones.split("\n")))
        _refuse_lost(armature, bones)
        first, last = sorted((float(moved(entry.start)), float(moved(entry.end))))
        frames = (first, last) if entry.has_range else None
        given = scope.as_given(Given(armature, bones, frames, float(moved(entry.frame)), entry.active_bone))
        chosen: dict[str, Any] = {"object": armature, "active_object": armature, "selected_objects": [armature]}
        operator = getattr(bpy.ops.motion_editing, entry.tool)
        share = influence.limited(armature, parameters.influence_of(state))
        together = touches.kept(armature, entry.second, self._timing_together(entry).to_new)
        with given, bpy.context.temp_override(**chosen), noted(armature) as maps, share, together:
            operator("EXEC_DEFAULT", **parameters.values_of(entry, state, moved))
        return json.dumps(maps)

    def _timing_together(self, entry: PropertyGroup) -> Timing:
        """What later entries have done to the timing of the second character of an entry, too."""
        place = [each.uid for each in self._entries].index(entry.uid)
        return timing_of(each for each in self._entries[place + 1 :] if each.second == entry.second)

    def _leave_memory(self) -> None:
        """Go on with the action's own curves."""
        self._refuse_keys()
        if self._draft is not None:
            self._draft.write()
            self._draft = None
            self._memory.close()
            self._memory.enter_context(edit(self._armature))


def _refuse_lost(armature: Object, bones: frozenset[str]) -> None:
    lost = sorted(bones - {bone.name for bone in armature.pose.bones}) if armature.pose else ()
    if lost:
        raise ValueError(f"There is no bone '{lost[0]}' any more")


def _reason(error: Exception) -> str:
    """What an operator says that could not be done, in one line."""
    said = str(error).removeprefix("Error: ").strip().splitlines() or [type(error).__name__]
    return said[0].rpartition(".poll() ")[2]
