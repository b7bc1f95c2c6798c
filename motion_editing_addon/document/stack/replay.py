"""Doing the entries of a stack again, from the first one that is another: in memory, and written once at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import bpy

from ....core.errors import MotionEditError
from ...border.action_io import key_edits
from ...border.action_io.memory import draft as memory
from ...border.action_io.memory import slot_curves
from ...border.action_io.memory.slots import slots_of
from ...border.saved_state import action_states
from .. import influence, motion_changes, scope, watched_keys
from ..transaction import edit
from . import bases, hand_edits, parameters, partners, settings, snapshots, sources
from .timing import Timing, change_between, noted, timing_of

if TYPE_CHECKING:
    from bpy.types import FCurve, Object, PropertyGroup

    from ....core.motion import Motion
    from ...border.action_io.memory.draft import Curves, Draft
    from ...border.saved_state.action_states import ActionState

    # Curves of a slot by path and component, and the settings of the action.
    Known = tuple[Mapping[tuple[str, int], FCurve], dict[str, Any]]

# Seconds before and after the current frame that are shown while a value is dragged: trails.
_SHOWN = 0.8
NO_BASE = "The keys from before the first edit are gone: use Bake Stack"
TWEAKING = "Keys were changed by hand: leave the NLA strip's tweak mode first"
MODIFIERS = "Keys of curves with modifiers were changed by hand: use Bake Stack"


class NotInMemoryError(Exception):
    """Entries cannot be looked at before they are written: curves have modifiers."""


def shown(armature: Object) -> Motion:
    """The motion that the stack leads to, to be looked at: no key changes, and nothing is remembered.

    What hangs on the action, such as contacts, is then as it is with this motion.

    Raises:
        NotInMemoryError: That cannot be told without writing keys.
        MotionEditError: The motion cannot be read.
    """
    with settings.replaying(), motion_changes.outside_waiting():
        replay = _Replay(armature, is_loose=True)
        with replay.opened():
            replay.run()
            return scope.read_clip(bpy.context, armature).motion


def without(armature: Object, uid: str) -> Motion:
    """The whole motion that a stack leads to without one of its entries, to be looked at; as `shown`."""
    before = action_states.attached_state(armature)
    try:
        with settings.replaying(), motion_changes.outside_waiting():
            replay = _Replay(armature, is_loose=True, left_out=uid)
            with replay.opened():
                replay.run()
                return scope.read_clip(bpy.context, armature).motion
    finally:
        action_states.put_attached(armature, before)


def work_out(armature: Object) -> None:
    """Give the action the keys that its stack leads to; what was done by hand becomes part of the stack first."""
    stack = scope.own_action(armature).motion_editing_stack
    reason = ""
    if stack.base is None:
        reason = NO_BASE
    elif not notice_hand(armature):
        reason = why_unknown(armature)
    else:
        try:
            do_again(armature)
        except MotionEditError as error:
            reason = str(error)
    for entry in stack.of(armature) if reason else ():
        entry.message = reason


def do_again(armature: Object) -> None:
    """Give the action the keys that its stack leads to, in place of those that it has.

    Raises:
        MotionEditError: Keys that would change are locked, or the source of the motion is gone; then nothing changes.
    """
    maker = parameters.maker_of(armature)
    if maker is not None and sources.is_other(maker):
        sources.update(armature)
    stack = scope.own_action(armature).motion_editing_stack
    with settings.replaying(), motion_changes.outside_waiting(), _nothing_lost(armature):
        replay = _Replay(armature)
        with replay.opened():
            replay.run()
            hand_edits.mark_again(armature, stack, replay.before, replay.now)
            state, keys = action_states.take_state(armature), slot_curves.keys_digest(armature)
    if replay.before != replay.now:
        change = change_between(armature, replay.before, replay.now)
        if change is not None:
            motion_changes.tell_outside(change)
    close(armature, state, keys)


@contextmanager
def _nothing_lost(armature: Object) -> Iterator[None]:
    """Bring back all that hangs on the action if what follows raises; its keys come back by themselves."""
    before = action_states.attached_state(armature)
    try:
        yield
    except BaseException:
        action_states.put_attached(armature, before)
        raise


def reopen(armature: Object, uid: str) -> None:
    """Leave an entry out and bring back what was marked for it, until its tool is used again."""
    stack = scope.own_action(armature).motion_editing_stack
    entry = next(each for each in stack.entries if each.uid == uid)
    with settings.resting():
        for each in stack.of(armature):
            each.is_open = each.uid == uid
        entry.is_muted = True
    do_again(armature)
    entries = stack.of(armature)
    entry = next(each for each in entries if each.uid == uid)
    hand_edits.mark_again(armature, entry, Timing().then(entry.timing), timing_of(entries))


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
    replay = _Replay(armature, as_done=True)
    with replay.opened():
        replay.run()
        return action_states.take_state(armature)


class _Replay:
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
        """From where on nothing far away has a say, go on with what is shown at the scene's frame alone."""
        around = [parameters.seconds_around(entry) for entry in entries if not entry.is_muted]
        if self._draft is not None and self._draft.window is None and None not in around:
            context, armature = bpy.context, self._armature
            frames = (_SHOWN + sum(filter(None, around))) * scope.source_rate(context, armature)
            now = scope.action_frame(context, armature)
            self._draft.window = now - frames, now + frames

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
        given = scope.as_given(scope.Given(armature, bones, frames, float(moved(entry.frame)), entry.active_bone))
        chosen: dict[str, Any] = {"object": armature, "active_object": armature, "selected_objects": [armature]}
        operator = getattr(bpy.ops.motion_editing, entry.tool)
        share = influence.limited(armature, parameters.influence_of(state))
        with given, bpy.context.temp_override(**chosen), noted(armature) as maps, share:
            operator("EXEC_DEFAULT", **parameters.values_of(entry, state, moved))
        return json.dumps(maps)

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
