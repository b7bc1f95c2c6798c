"""All that an action is at one time: its keys and all that is kept with it, taken and brought back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
import numpy as np
from idprop.types import IDPropertyArray, IDPropertyGroup

from ..action_io import further_owners, restore_keys
from ..action_io.memory.draft import draft_of
from ..action_io.memory.slot_curves import read_curves
from ..compatibility import stored_settings
from ..registration import attached

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ..action_io.memory.draft import Curves

# Names and frames of markers, and values of the frame range.
Marks = tuple[list[tuple[str, int]], list[Any]]
# What belongs to the action whatever its keys are: the edits themselves, and where the original is kept.
_STACK, _ORIGINAL = "motion_editing_stack", "original"
_COLLECTIONS = {"ACTION": "actions", "OBJECT": "objects", "SCENE": "scenes", "TEXT": "texts"}
_RANGE = ("frame_start", "frame_end", "use_frame_range", "use_cyclic")


class Reference(NamedTuple):
    """Stands for something of the file; what it is may be gone by then."""

    collection: str
    name: str


class ActionState(NamedTuple):
    """An action as it was, without anything of Blender's: that may be gone at the next undo.

    Attributes:
        curves: What the curves held.
        settings: All that hangs on the action, by name.
        marks: Markers and frame range.
    """

    curves: Curves
    settings: dict[str, Any]
    marks: Marks


def take_state(armature: Object, *, copies: Mapping[Action, Action] | None = None) -> ActionState | None:
    """What an armature's action, or a copy of it, is now; None where curves have modifiers or samples.

    Of an action whose keys are in memory these are taken.

    Args:
        armature: With an action.
        copies: Of its action, and of those of what is animated along with it, to be taken in their place.
    """
    draft, action = draft_of(armature), (copies or {}).get(_action(armature), _action(armature))
    curves = dict(draft.curves) if draft is not None and not copies else read_curves(armature, copies)
    return None if curves is None else ActionState(curves, plain_settings(action), _marks_of(action))


def put_attached(armature: Object, state: ActionState) -> None:
    """Give an armature's action what hung on it; its curves stay."""
    action = _action(armature)
    put_settings(action, dict.fromkeys(_names()) | _stored(state.settings))
    _put_marks(action, state.marks)


def attached_state(armature: Object) -> ActionState:
    """What hangs on an armature's action now, without its curves."""
    action = _action(armature)
    return ActionState({}, plain_settings(action), _marks_of(action))


def has_settings(armature: Object, state: ActionState) -> bool:
    """Whether an armature's action has the settings of a state."""
    return _same(plain_settings(_action(armature)), state.settings)


def _action(armature: Object) -> Action:
    data: Any = armature.animation_data
    action: Action = data.action
    return action


def bring_back(armature: Object, copies: Mapping[Action, Action]) -> None:
    """Give an armature's action the keys, settings, markers and range of a copy of it.

    Args:
        armature: With an action.
        copies: Of its action, and of those of what is animated along with it.
    """
    action = _action(armature)
    for owner in (armature, *further_owners(armature)):
        if owner.animation_data is not None and owner.animation_data.action in copies:
            restore_keys(owner, copies[owner.animation_data.action])
    put_settings(action, dict.fromkeys(_names()) | settings_of(copies[action]))
    _put_marks(action, _marks_of(copies[action]))


def _same(one: Any, other: Any) -> bool:
    """Whether plain settings say the same; where the original is kept does not count.

    Blender does not store empty lists: what is not there is the same.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        names = {*one, *other} - {_ORIGINAL}
        return all(_same(one.get(name), other.get(name)) for name in names)
    if one is None or other is None:
        return _is_empty(one if other is None else other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return bool(one == other)


def _plain(value: Any) -> Any:
    """A stored value without memory of Blender's."""
    if isinstance(value, (IDPropertyGroup, dict)):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, IDPropertyArray):
        return [*value.to_list()] if value.typecode == "b" else np.array(value, dtype=value.typecode)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bpy.types.ID):
        return Reference(_COLLECTIONS.get(value.id_type, ""), value.name)
    return value


def _stored(value: Any) -> Any:
    """The same as Blender takes it; what is gone is left out, and lists of nothing: Blender would make them numbers."""
    if isinstance(value, dict):
        found = {name: _stored(each) for name, each in value.items() if not _is_empty(each)}
        return {name: each for name, each in found.items() if each is not None}
    if isinstance(value, Reference):
        return getattr(bpy.data, value.collection).get(value.name) if value.collection else None
    return [_stored(each) for each in value] if isinstance(value, list) else value


def copied(group: Any) -> dict[str, Any]:
    """What a stored group holds, to be stored elsewhere."""
    values: dict[str, Any] = _stored(_plain(group))
    return values


def _is_empty(value: Any) -> bool:
    return isinstance(value, (dict, list, np.ndarray)) and not len(value)


def settings_of(action: Action) -> dict[str, Any]:
    """All settings that hang on an action, by name, as Blender stores them; gone when the action gets others."""
    stored = stored_settings(action)
    return {name: stored[name] for name in _names() if name in stored}


def put_settings(action: Action, settings: dict[str, Any]) -> None:
    """Let these settings hang on an action in the place of those that it has under these names."""
    stored, original = stored_settings(action), action.motion_editing.original
    for name, group in settings.items():
        if name in stored:  # Blender does not write one group over another
            del stored[name]
        if group is not None:
            stored[name] = group
    if action.motion_editing.original != original:
        action.motion_editing.original = original


def plain_settings(action: Action) -> dict[str, Any]:
    """All settings that hang on an action, without memory of Blender's."""
    plain: dict[str, Any] = _plain(settings_of(action))
    return plain


def changed_settings(action: Action, known: dict[str, Any]) -> dict[str, Any]:
    """The settings of an action that are others than those that were taken."""
    return {name: group for name, group in settings_of(action).items() if not _same(_plain(group), known.get(name, {}))}


@contextmanager
def nothing_else_changed(action: Action, *names: str) -> Iterator[None]:
    """Let only some settings change meanwhile; all others, markers and range are then as before."""
    others = {name: group for name, group in plain_settings(action).items() if name not in names}
    marks = _marks_of(action)
    yield
    put_settings(action, dict.fromkeys(name for name in _names() if name not in names) | _stored(others))
    _put_marks(action, marks)


def _names() -> list[str]:
    return [name for name in attached(bpy.types.Action) if name != _STACK]


def _marks_of(action: Action) -> Marks:
    """Markers and frame range."""
    return [(marker.name, marker.frame) for marker in action.pose_markers], [getattr(action, name) for name in _RANGE]


def _put_marks(action: Action, marks: Marks) -> None:
    if _marks_of(action) == marks:
        return
    for marker in list(action.pose_markers):
        action.pose_markers.remove(marker)
    for name, frame in marks[0]:
        action.pose_markers.new(name).frame = frame
    for name, value in zip(_RANGE, marks[1], strict=True):
        setattr(action, name, value)
