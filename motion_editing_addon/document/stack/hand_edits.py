"""What was changed between two tools: keys become an entry of their own, what was marked goes with the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...border import saved_state
from ...border.action_io import key_edits
from ...border.compatibility import stored_settings
from ...border.saved_state import KEY_EDIT, action_states
from .. import motion_changes, scope
from .parameters import state_of
from .timing import Timing, change_between, timing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bpy.types import FCurve, Object, PropertyGroup

_MARKED = "marked"


def notice(armature: Object, before: Mapping[tuple[str, int], FCurve], known: dict[str, Any]) -> bool:
    """Compare with the action after its last edit: other keys become an entry; what was marked is kept by the stack.

    Args:
        armature: Whose action.
        before: Curves of its slot after the last edit, by path and component.
        known: Settings that the action had then, see `plain_settings`.

    Returns:
        Whether there is an entry more.
    """
    action = scope.own_action(armature)
    stack, edit = action.motion_editing_stack, key_edits.key_edit(armature, before)
    notice_marked(armature, known)
    if edit is None:
        return False
    timing, active = timing_of(stack.of(armature)).text, stack.active
    entry = stack.new(armature, "Keys by Hand")
    entry.timing, stack.active = timing, active  # people did not ask for it: what they have chosen stays so
    saved_state.put(entry, KEY_EDIT, edit)
    hand_over(stack, entry)
    entry.done = state_of(entry)
    return True


def notice_marked(armature: Object, known: dict[str, Any]) -> None:
    """Let the stack keep copies of the settings that are others than those known, in the place of what it kept."""
    action = scope.own_action(armature)
    stored, marked = stored_settings(action.motion_editing_stack), action_states.changed_settings(action, known)
    if _MARKED in stored:
        del stored[_MARKED]
    if marked:
        stored[_MARKED] = marked


def hand_over(stack: PropertyGroup, entry: PropertyGroup) -> None:
    """Let an entry keep what was marked before it, in the place of what it kept of the same."""
    stored, own = stored_settings(stack), stored_settings(entry)
    if _MARKED in stored:
        marked = action_states.copied(own.get(_MARKED, {})) | action_states.copied(stored[_MARKED])
        for holder in (own, stored):  # Blender does not write one group over another
            holder.pop(_MARKED, None)
        own[_MARKED] = marked


def change_keys(armature: Object, entry: PropertyGroup, moved: Callable[[Any], np.ndarray]) -> None:
    """Do again what was done to keys."""
    key_edits.do_again(armature, saved_state.take(entry, KEY_EDIT), moved)


def mark_again(armature: Object, holder: PropertyGroup, before: Timing, now: Timing) -> None:
    """Bring back what was marked when the timing was another one, at the moments where it belongs now.

    Args:
        armature: Whose action.
        holder: An entry, or the stack.
        before: Of the motion when things were marked.
        now: Of the motion as it is.
    """
    action, marked = scope.own_action(armature), stored_settings(holder).get(_MARKED)
    if marked is None:
        return
    action_states.put_settings(action, dict(marked.items()))
    if before == now:
        return
    change = change_between(armature, before, now)
    if change is not None:
        with action_states.nothing_else_changed(action, *marked.keys()):
            motion_changes.tell(change)
