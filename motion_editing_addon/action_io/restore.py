"""Bringing back the keys of a slot from a copy of its action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .channels import channelbag
from .keys import copy_keys

if TYPE_CHECKING:
    from bpy.types import ID, Action, ActionChannelbag


def restore_keys(owner: ID, original: Action) -> bool:
    """Give the owner's slot the keys that the copy has for it; other slots and all modifiers stay as they are."""
    bag, saved = channelbag(owner), _bag_of(original, owner.animation_data.action_slot.identifier)
    if bag is None or saved is None:
        return False
    kept = {(curve.data_path, curve.array_index): curve for curve in saved.fcurves}
    for curve in list(bag.fcurves):
        if (curve.data_path, curve.array_index) not in kept:
            bag.fcurves.remove(curve)
    for (path, index), curve in kept.items():
        target = bag.fcurves.find(path, index=index) or bag.fcurves.new(path, index=index)
        copy_keys(curve, target)
    owner.update_tag()
    return True


def _bag_of(action: Action, slot_identifier: str) -> ActionChannelbag | None:
    slot = next((slot for slot in action.slots if slot.identifier == slot_identifier), None)
    if slot is None or not action.layers or not action.layers[0].strips:
        return None
    return action.layers[0].strips[0].channelbag(slot)
