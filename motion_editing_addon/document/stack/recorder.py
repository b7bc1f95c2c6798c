"""Adding what tools do to the stack."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import bpy

from .. import influence, scope, watched_keys
from ..settings import preferences
from . import bases, hand_edits, last_edit, parameters, replay, settings
from .timing import noted, timing_of

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object, Operator


@contextmanager
def recorded(context: Context, operator: Operator, armatures: Sequence[Object]) -> Iterator[None]:
    """Add an entry for every armature whose keys the operator changes meanwhile."""
    if settings.is_resting():
        yield
        return
    for call in settings.before_tools:
        call()
    drafts: list[_Draft] = []
    try:
        for armature in armatures:
            if scope.action_of(armature) is not None:
                drafts.append(_Draft(context, operator, armature))
        with ExitStack() as notes:
            for draft in drafts:
                draft.maps = notes.enter_context(noted(bpy.data.objects[draft.armature]))
            yield
    except BaseException:
        for draft in drafts:
            draft.drop()
        raise
    for draft in drafts:
        draft.finish(operator)


def begin(context: Context, operator: Operator, armature: Object, **values: Any) -> None:
    """Let the stack of an armature's new action begin with what made it.

    Args:
        context: Blender's.
        operator: Has made the action.
        armature: Plays it.
        values: Parameters that it was not told.
    """
    wanted, action = preferences(context), scope.own_action(armature)
    if settings.is_resting() or (wanted is not None and not wanted.keep_original):
        return
    stack = action.motion_editing_stack
    stack.forget()
    stack.base = bases.copied(action)
    entry = stack.new(armature, operator.bl_label)
    parameters.keep(entry, operator, **values)
    entry.done = parameters.state_of(entry)
    last_edit.close(armature)


def notice_hand(armature: Object) -> None:
    """Add keys that were changed by hand to the stack, unless edits are done again."""
    if not settings.is_resting() and not _is_noting:
        last_edit.notice_hand(armature)


@contextmanager
def noting(armature: Object, *, notices_hand: bool = True) -> Iterator[Callable[..., None]]:
    """A function that adds what is done meanwhile to the stack, or to its last entry if that is of the same tool.

    It takes the tool, the name that people read, and the parameters with which the tool does the same again.

    Args:
        armature: Whose action.
        notices_hand: Keys that were changed by hand before are an entry of their own; otherwise they are taken up.
    """
    global _is_noting
    if settings.is_resting() or _is_noting:
        yield lambda *_texts, **_values: None
        return
    _start(armature)
    if notices_hand:
        last_edit.notice_hand(armature)
    bases.keep_others(armature)
    base = _other_base(scope.own_action(armature))

    def note(tool: str, name: str, **values: Any) -> None:
        nonlocal base
        if _note(armature, base, tool, name, values):
            base = None

    _is_noting = True
    try:
        yield note
    finally:
        _is_noting = False
        bases.remove(base)


def _note(armature: Object, base: Action | None, tool: str, name: str, values: dict[str, Any]) -> bool:
    """Add an entry if keys are others than after the last one; gives whether the base was needed."""
    action = scope.own_action(armature)
    stack, entries = action.motion_editing_stack, action.motion_editing_stack.of(armature)
    goes_on = bool(entries) and entries[-1].tool == tool
    if not goes_on and entries and stack.slot_of(armature).keys == watched_keys.digest_now(armature):
        return False
    is_first = stack.base is None
    stack.base = stack.base or base or action.motion_editing.original
    if stack.base is None:  # the user keeps no original keys: nothing could be done again
        return False
    timing = timing_of(entries).text
    entry = entries[-1] if goes_on else stack.new(armature, name)
    if not goes_on:
        entry.timing = timing
    parameters.keep_values(entry, tool, values)
    entry.done = parameters.state_of(entry)
    last_edit.close(armature)
    _put_before_last(armature)
    return is_first and stack.base == base


def _put_before_last(armature: Object) -> None:
    """Put a new entry before those that are done after all others, and do these again."""
    stack = scope.own_action(armature).motion_editing_stack
    entries = stack.of(armature)
    others = [entry.uid for entry in entries[:-1] if entry.stays_last]
    if not others or entries[-1].stays_last:
        return
    places = [number for number, entry in enumerate(stack.entries) if entry.uid in others]
    stack.entries.move(len(stack.entries) - 1, places[0])
    stack.active = places[0]
    replay.do_again(armature)


def _start(armature: Object) -> None:
    """Begin a stack with what an earlier version has kept with the action."""
    stack = scope.own_action(armature).motion_editing_stack
    for start in settings.starters if stack.base is None and not stack.entries else ():
        with settings.resting():
            start(armature)


def _other_base(action: Action) -> Action | None:
    """A copy of an action to begin a stack with, where its original is of before other edits; None if not needed."""
    has_other_original = action.motion_editing_stack.base is None and action.motion_editing.original is not None
    return bases.copied(action) if has_other_original else None


# Whether what is done now is noted by somebody already.
_is_noting = False


class _Draft:
    """An entry before it is known whether the operator changes anything."""

    def __init__(self, context: Context, operator: Operator, armature: Object) -> None:
        """Take down the scope, and what was changed by hand before."""
        action = scope.own_action(armature)
        self.armature = armature.name
        self.maps: list[object] = []
        _start(armature)
        last_edit.notice_hand(armature)
        # A range that is refused must leave no copies behind.
        self._range = _frames(context, operator, armature)
        bases.keep_others(armature)
        self._keys = watched_keys.digest_now(armature)
        self._base = _other_base(action)
        self._bones = "\n".join(sorted(scope.picked_bones(armature)))
        self._frame, self._active = scope.action_frame(context, armature), scope.active_bone(armature)

    def drop(self) -> None:
        """Nothing was done."""
        bases.remove(self._base)

    def finish(self, operator: Operator) -> None:
        """Add the entry, if keys have changed and the keys from before are kept."""
        armature = bpy.data.objects.get(self.armature)
        action = scope.action_of(armature)
        if armature is None or action is None or watched_keys.digest_now(armature) == self._keys:
            self.drop()
            return
        stack = action.motion_editing_stack
        if stack.base is None:
            stack.base = self._base or action.motion_editing.original
        if stack.base is None:  # the user keeps no original keys: nothing could be done again
            return
        entries = stack.of(armature)
        known = next((each for each in entries if each.is_open and each.tool == parameters.tool_of(operator)), None)
        others = [each for each in entries if known is None or each.uid != known.uid]
        timing = timing_of(others).text
        entry = stack.new(armature, operator.bl_label) if known is None else known
        entry.timing = timing
        self._fill(entry, operator)
        hand_edits.hand_over(stack, entry)
        if known is None:
            last_edit.close(armature)
            _put_before_last(armature)
        else:
            replay.do_again(armature)

    def _fill(self, entry: Any, operator: Operator) -> None:
        """Let an entry keep what was done, and to what."""
        entry.bones, entry.frame, entry.active_bone = self._bones, self._frame, self._active
        entry.time_map = json.dumps(self.maps)
        entry.made += 1
        entry.has_range = self._range is not None
        if self._range is not None:
            entry.start, entry.end = self._range
        parameters.keep(entry, operator)
        with settings.resting():
            entry.influence = entry.influence if entry.is_open else influence.present()
            entry.is_muted = entry.is_open = False
        entry.done = parameters.state_of(entry)


def _frames(context: Context, operator: Any, armature: Object) -> tuple[float, float] | None:
    """The frames of the action that the operator is limited to; None for all."""
    choice = getattr(operator, "range", "ACTION")
    if not operator.offers_range or choice not in scope.LIMITED:
        return None
    frames: Any = scope.frame_range(context, armature, choice)
    return tuple(frames)
