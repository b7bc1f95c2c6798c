"""Settings of a file that is opened: brought to this version, and what cannot be in a damaged one is set back."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

from ..border import saved_state
from ..border.registration import attached
from . import handlers

if TYPE_CHECKING:
    from bpy.types import ID, Property

# No frame, length or angle is as large as this.
_LARGEST = 1e7


def check(owners: Iterable[ID]) -> int:
    """Set back what cannot be in all that the extension keeps with data-blocks; gives how many values that were."""
    return sum(_check_attached(holder) for owner in owners for holder in _holders(owner))


def _holders(owner: ID) -> Iterable[Any]:
    pose = getattr(owner, "pose", None)
    return (owner, *pose.bones) if pose is not None else (owner,)


def _check_attached(holder: Any) -> int:
    properties = holder.bl_rna.properties
    return sum(_check(holder, properties[name]) for name in attached(type(holder)))


def _check(holder: Any, prop: Property) -> int:
    """Look at one property, and at all that it holds."""
    if prop.type in ("FLOAT", "ENUM"):
        if not holder.is_property_set(prop.identifier) or _can_be(prop, getattr(holder, prop.identifier)):
            return 0
        holder.property_unset(prop.identifier)
        return 1
    if prop.type == "COLLECTION":
        return sum(map(_check_group, getattr(holder, prop.identifier)))
    held = getattr(holder, prop.identifier) if prop.type == "POINTER" else None
    return _check_group(held) if isinstance(held, bpy.types.PropertyGroup) else 0


def _check_group(group: Any) -> int:
    return sum(_check(group, prop) for prop in group.bl_rna.properties if prop.identifier != "rna_type")


def _can_be(prop: Property, value: Any) -> bool:
    if prop.type == "ENUM":
        return bool(value != "")  # what Blender gives for a number that stands for no choice
    low, high = max(prop.hard_min, -_LARGEST), min(prop.hard_max, _LARGEST)
    return all(isfinite(number) and low <= number <= high for number in (value if prop.is_array else (value,)))


def _owners() -> list[ID]:
    """All that settings of this file hang on."""
    return [each for each in (*bpy.data.actions, *bpy.data.objects, *bpy.data.scenes) if each.is_editable]


@persistent
def _on_load(*_arguments: object) -> None:
    for line in (line for owner in _owners() for line in saved_state.migrate(owner, saved_state.SETTINGS)):
        print(f"Motion Editing: {line}")
    found = check(_owners())
    if found:
        print(f"Motion Editing: {found} damaged value{'s were' if found > 1 else ' was'} set back")


@persistent
def _on_save(*_arguments: object) -> None:
    for owner in _owners():
        saved_state.stamp(owner, saved_state.SETTINGS)


_HANDLERS = {**dict.fromkeys(("load_post", "blend_import_post"), _on_load), "save_pre": _on_save}


def register() -> None:
    """Look at every file that is opened or appended."""
    handlers.add(_HANDLERS)


def unregister() -> None:
    """Take back what register() did."""
    handlers.remove(_HANDLERS)
