"""What a change in the list does: name, influence, mute, solo and scope go into the layer and its keys at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import bpy

from ... import core
from ...core.errors import DamagedDataError, MotionEditError
from ..document import scope
from . import layer_list, layer_writer, session

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object, PropertyGroup

    from ...core.layers import Layer

_TIMES = ("start", "end", "ease_in", "ease_out")


def edited(context: Context, row: PropertyGroup) -> None:
    """Take up what a row says."""
    armature = None if layer_list.is_filling() else player(context, row.id_data)
    if armature is not None:
        name = row.name.strip() or row.known_as
        active = name if row.known_as == layer_list.active_name(layer_list.settings_of(armature)) else ""
        # The list is filled anew meanwhile if keys were changed by something else.
        listed = {each: getattr(row, each) for each in (*_TIMES, "muted", "solo")}
        _take_up(
            context, armature, row.known_as, lambda layer, rate: _as_listed(layer, listed, name, rate), active=active
        )


def rekey(context: Context, settings: PropertyGroup) -> None:
    """Write the layers with other keys."""
    armature = None if layer_list.is_filling() or not settings.layers else player(context, settings.id_data)
    if armature is not None:
        _take_up(context, armature, settings.layers[0].known_as, lambda layer, _rate: layer)


def influence_now(row: PropertyGroup) -> float:
    """The influence at the current frame: straight between its keys, held outside."""
    keys = row.influence_keys
    if len(keys) < 2:
        return keys[0].value if len(keys) else 1.0
    frame = _action_frame(row.id_data)
    later = next((number for number, key in enumerate(keys) if key.frame >= frame), len(keys))
    if later in (0, len(keys)):
        return float(keys[min(later, len(keys) - 1)].value)
    one, other = keys[later - 1], keys[later]
    return float(one.value + (other.value - one.value) * (frame - one.frame) / (other.frame - one.frame))


def set_influence(row: PropertyGroup, value: float) -> None:
    """Change the influence: that of all frames, or the key at the current frame where it is keyed."""
    context = bpy.context
    armature = player(context, row.id_data)
    if armature is None or value == influence_now(row):
        return

    frame = _action_frame(row.id_data)
    _take_up(
        context,
        armature,
        row.known_as,
        lambda layer, rate: core.layers.influence.with_value(layer, value, frame / rate, rate),
    )


def player(context: Context, action: Action) -> Object | None:
    """The armature that plays an action, the active one first."""
    active = scope.edited_object(context)
    if active is not None and scope.is_armature(active) and scope.action_of(active) == action:
        return active
    players = (thing for thing in bpy.data.objects if scope.is_armature(thing) and scope.action_of(thing) == action)
    return next(players, None)


def _action_frame(action: Action) -> float:
    armature = player(bpy.context, action)
    frame = float(bpy.context.scene.frame_current_final)
    return frame if armature is None else scope.from_scene(armature, frame)


def _take_up(
    context: Context, armature: Object, name: str, edit: Callable[[Layer, float], Layer], *, active: str = ""
) -> None:
    """Change a layer; what cannot be is told in the panel, and the list shows the layer as it is."""
    try:
        rate = scope.source_rate(context, armature)
        layer_writer.change(
            context, armature, lambda stack: stack.changed(name, lambda layer: edit(layer, rate)), active=active
        )
    except MotionEditError as error:
        if not isinstance(error, DamagedDataError):
            layer_list.refresh(armature, session.load(armature))
        layer_list.settings_of(armature).problem = str(error)


def _as_listed(layer: Layer, listed: dict[str, Any], name: str, rate: float) -> Layer:
    """The layer with what its row says; numbers that the row only rounded stay as they are."""
    numbers = {}
    for each in _TIMES:
        shown = listed[each]
        if abs(shown - getattr(layer, each) * rate) > 1e-5 * max(1.0, abs(shown)):
            numbers[each] = shown / rate
    return replace(layer, name=name, muted=listed["muted"], solo=listed["solo"], **numbers)


def influence_key_state(row: PropertyGroup) -> str:
    """'KEY' where the influence has a key at the current frame, 'KEYED' between keys, 'NONE' if it has none."""
    if len(row.influence_keys) < 2:
        return "NONE"
    frame = _action_frame(row.id_data)
    return "KEY" if any(abs(key.frame - frame) < 0.25 for key in row.influence_keys) else "KEYED"
