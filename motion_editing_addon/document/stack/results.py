"""What each entry of a stack did, in numbers: worked out from remembered states when there is time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ...border.action_io.memory.draft import drafted
from ...border.saved_state import action_states
from .. import scope
from ..take.step_result import step_result
from . import bases, parameters, snapshots
from .timing import timing_of

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ...border.action_io import Clip
    from ...border.saved_state.action_states import ActionState


def measure_next(armature: Object) -> bool:
    """Measure one entry whose numbers are not known; gives whether there was one."""
    for before, after, digest, entry in _open(armature):
        entries = scope.own_action(armature).motion_editing_stack.of(armature)
        later = entries[1 + [each.uid for each in entries].index(entry.uid) :]
        is_latest = not timing_of(later).maps
        entry.result, entry.result_of = _measured(armature, before, after, is_latest), digest
        return True
    return False


def measure_all(armature: Object) -> None:
    """Measure all entries."""
    while measure_next(armature):
        pass


def is_known(stack: PropertyGroup, entries: list[PropertyGroup], number: int) -> bool:
    """Whether the numbers of an entry are those of what it did last."""
    return bool(entries[number].result_of == snapshots.digest_of(stack, entries[: number + 1]))


def _open(armature: Object) -> list[tuple[ActionState, ActionState, str, PropertyGroup]]:
    """Entries whose numbers are not known, with the states before and after them, where these are remembered."""
    stack, found = scope.own_action(armature).motion_editing_stack, []
    entries = stack.of(armature) if stack.base is not None else []
    for number, entry in enumerate(entries):
        if is_known(stack, entries, number) or parameters.is_muted(entry.done) or entry.message:
            continue
        digests = [snapshots.digest_of(stack, entries[:count]) for count in (number, number + 1)]
        before, after = map(snapshots.find, digests)
        if number == 0 and before is None and after is not None:
            before = action_states.take_state(armature, copies=bases.of(armature))
            snapshots.keep(digests[0], before)
        if before is not None and after is not None:
            found.append((before, after, digests[1], entry))
    return found


def _measured(armature: Object, before: ActionState, after: ActionState, is_latest: bool) -> str:
    try:
        return step_result(_clip(armature, before), _clip(armature, after), is_latest=is_latest).text
    except MotionEditError:  # without keys, for example
        return ""


def _clip(armature: Object, state: ActionState) -> Clip:
    with drafted(armature, state.curves):
        return scope.read_clip(bpy.context, armature)
