"""Doing a stack again after it was changed: in memory, and written once at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ...border.action_io.memory import slot_curves
from ...border.saved_state import action_states
from .. import motion_changes, scope
from . import hand_edits, last_edit, parameters, settings, sources
from .entry_replay import EntryReplay
from .timing import Timing, change_between, timing_of

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import Motion

NO_BASE = "The keys from before the first edit are gone: use Bake Stack"


def shown(armature: Object) -> Motion:
    """The motion that the stack leads to, to be looked at: no key changes, and nothing is remembered.

    What hangs on the action, such as contacts, is then as it is with this motion.

    Raises:
        NotInMemoryError: That cannot be told without writing keys.
        MotionEditError: The motion cannot be read.
    """
    with settings.replaying(), motion_changes.outside_waiting():
        replay = EntryReplay(armature, is_loose=True)
        with replay.opened():
            replay.run()
            return scope.read_clip(bpy.context, armature).motion


def without(armature: Object, uid: str) -> Motion:
    """The whole motion that a stack leads to without one of its entries, to be looked at; as `shown`."""
    before = action_states.attached_state(armature)
    try:
        with settings.replaying(), motion_changes.outside_waiting():
            replay = EntryReplay(armature, is_loose=True, left_out=uid)
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
    elif not last_edit.notice_hand(armature):
        reason = last_edit.why_unknown(armature)
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
        replay = EntryReplay(armature)
        with replay.opened():
            replay.run()
            hand_edits.mark_again(armature, stack, replay.before, replay.now)
            state, keys = action_states.take_state(armature), slot_curves.keys_digest(armature)
    _tell_outside(armature, replay.before, replay.now)
    last_edit.close(armature, state, keys)


def tell_of_original(armature: Object) -> None:
    """Let what is not kept with the action go back with the keys from before all edits, which the action has again."""
    stack = scope.own_action(armature).motion_editing_stack
    _tell_outside(armature, timing_of(stack.of(armature)), Timing())


def _tell_outside(armature: Object, before: Timing, now: Timing) -> None:
    change = change_between(armature, before, now) if before != now else None
    if change is not None:
        motion_changes.tell_outside(change)


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
