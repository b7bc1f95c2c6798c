"""All that an action is at one time: its keys and all that is kept with it, taken and brought back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
import numpy as np
from idprop.types import IDPropertyArray, IDPropertyGroup

from ..action_io import channelbag, further_owners, restore_keys
from ..action_io.curves.channels import bags_of
from ..action_io.curves.keys import KeyArrays, is_sampled, read_keys, write_keys
from ..compatibility import stored_settings
from ..registration import attached

if TYPE_CHECKING:
    from bpy.types import Action, ActionChannelbag, Object

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
        curves: By handle of the slot, path and component: keys, extrapolation, and the name of the group.
        settings: All that hangs on the action, by name.
        marks: Markers and frame range.
    """

    curves: dict[tuple[int, str, int], tuple[KeyArrays, Any, str]]
    settings: dict[str, Any]
    marks: Marks

    @property
    def size(self) -> int:
        """Number of keys."""
        return sum(len(keys["co"]) for keys, *_ in self.curves.values())


def take_state(armature: Object, most_keys: int) -> ActionState | None:
    """What an armature's action is now; None of more keys, or where curves have modifiers or samples."""
    curves = {
        (bag.slot_handle, curve.data_path, curve.array_index): curve for bag in _bags(armature) for curve in bag.fcurves
    }
    if any(len(curve.modifiers) or is_sampled(curve) for curve in curves.values()):
        return None
    if sum(len(curve.keyframe_points) for curve in curves.values()) > most_keys:
        return None
    action = _action(armature)
    kept: dict[tuple[int, str, int], tuple[KeyArrays, Any, str]] = {
        key: (_compact(read_keys(curve)), curve.extrapolation, curve.group.name if curve.group else "")
        for key, curve in curves.items()
    }
    return ActionState(kept, _plain(settings_of(action)), _marks_of(action))


def put_state(armature: Object, state: ActionState) -> None:
    """Give an armature's action what it was."""
    for bag in _bags(armature):
        _put_curves(bag, state)
    action = _action(armature)
    put_settings(action, dict.fromkeys(_names()) | _stored(state.settings))
    _put_marks(action, state.marks)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})


def has_settings(armature: Object, state: ActionState) -> bool:
    """Whether an armature's action has the settings of a state."""
    return _same(_plain(settings_of(_action(armature))), state.settings)


@contextmanager
def as_action(armature: Object, state: ActionState) -> Iterator[Action]:
    """The state as an action for a while; the armature's own stays as it is."""
    copy = _action(armature).copy()
    try:
        for bag in bags_of(copy):
            if bag.slot_handle in {handle for handle, *_ in state.curves}:
                _put_curves(bag, state)
        put_settings(copy, dict.fromkeys(_names()) | _stored(state.settings))
        yield copy
    finally:
        bpy.data.actions.remove(copy)


def _put_curves(bag: ActionChannelbag, state: ActionState) -> None:
    wanted = {(path, index): kept for (handle, path, index), kept in state.curves.items() if handle == bag.slot_handle}
    here = {(curve.data_path, curve.array_index): curve for curve in bag.fcurves}
    for key in here.keys() - wanted.keys():
        bag.fcurves.remove(here.pop(key))
    for key, (keys, extrapolation, group) in wanted.items():
        curve = here.get(key) or bag.fcurves.new(key[0], index=key[1])
        curve.extrapolation = extrapolation
        if group and curve.group is None:
            curve.group = bag.groups.get(group) or bag.groups.new(group)
        write_keys(
            curve, {name: np.broadcast_to(each, (len(keys["co"]), *each.shape[1:])) for name, each in keys.items()}
        )


def _compact(keys: KeyArrays) -> KeyArrays:
    """Keys whose attributes take one value where all have the same."""
    same = {name: name != "co" and len(each) > 0 and bool((each == each[0]).all()) for name, each in keys.items()}
    return {name: each[:1] if same[name] else each for name, each in keys.items()}


def _bags(armature: Object) -> list[ActionChannelbag]:
    """The curves of all slots of its action that an armature, or what is animated along with it, plays."""
    action, owners = _action(armature), (armature, *further_owners(armature))
    playing = [owner for owner in owners if owner.animation_data is not None and owner.animation_data.action == action]
    return [bag for bag in map(channelbag, playing) if bag is not None]


def _action(armature: Object) -> Action:
    data: Any = armature.animation_data
    action: Action = data.action
    return action


def bring_back(armature: Object, copy: Action) -> None:
    """Give an armature's action the keys of its slot, the settings, markers and range that a copy of it has."""
    action = _action(armature)
    for owner in (armature, *further_owners(armature)):
        if owner.animation_data is not None and owner.animation_data.action == action:
            restore_keys(owner, copy)
    put_settings(action, dict.fromkeys(_names()) | settings_of(copy))
    _put_marks(action, _marks_of(copy))


def _same(one: Any, other: Any) -> bool:
    """Whether plain settings say the same; where the original is kept does not count."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = {*one, *other} - {_ORIGINAL}
        return all(name in one and name in other and _same(one[name], other[name]) for name in names)
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
    """The same as Blender takes it; what is gone is left out."""
    if isinstance(value, dict):
        found = {name: _stored(each) for name, each in value.items()}
        return {name: each for name, each in found.items() if each is not None}
    if isinstance(value, Reference):
        return getattr(bpy.data, value.collection).get(value.name) if value.collection else None
    return [_stored(each) for each in value] if isinstance(value, list) else value


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


def changed_settings(action: Action, before: Action) -> dict[str, Any]:
    """The settings of an action that are others than those of a copy of it."""
    known = settings_of(before)
    return {
        name: group
        for name, group in settings_of(action).items()
        if not _same(_plain(group), _plain(known.get(name, {})))
    }


@contextmanager
def nothing_else_changed(action: Action, *names: str) -> Iterator[None]:
    """Let only some settings change meanwhile; all others, markers and range are then as before."""
    copy = action.copy()
    try:
        yield
        put_settings(copy, {name: group for name, group in settings_of(action).items() if name in names})
        put_settings(action, dict.fromkeys(_names()) | settings_of(copy))
        _put_marks(action, _marks_of(copy))
    finally:
        bpy.data.actions.remove(copy)


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
