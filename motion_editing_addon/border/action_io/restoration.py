"""Bringing back the curves of a slot from a copy of its action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .curves.channels import bags_of, channelbag
from .curves.keys import copy_keys
from .curves.modifiers import copy_modifiers

if TYPE_CHECKING:
    from bpy.types import ID, Action, ActionChannelbag, FCurve

# What a curve has besides its keys, modifiers and group.
_SETTINGS = ("extrapolation", "auto_smoothing", "color_mode", "color", "hide", "lock", "mute", "select")


def restore_keys(owner: ID, original: Action) -> bool:
    """Give the owner's slot the curves that the copy has for it; other slots stay as they are."""
    bag, saved = channelbag(owner), _bag_of(original, owner.animation_data.action_slot.identifier)
    if bag is None or saved is None:
        return False
    _restore_bag(bag, saved)
    owner.update_tag()
    return True


def restore_all(action: Action, original: Action) -> None:
    """Give all slots of an action the curves that a copy of it has."""
    saved = {bag.slot_handle: bag for bag in bags_of(original)}
    for bag in bags_of(action):
        if bag.slot_handle in saved:
            _restore_bag(bag, saved[bag.slot_handle])
        else:
            bag.fcurves.clear()


def _restore_bag(bag: ActionChannelbag, saved: ActionChannelbag) -> None:
    """Bring back curves with their keys and modifiers; whether those that there are are muted or locked stays."""
    kept = {(curve.data_path, curve.array_index): curve for curve in saved.fcurves}
    for curve in list(bag.fcurves):
        if (curve.data_path, curve.array_index) not in kept:
            bag.fcurves.remove(curve)
    for group in list(bag.groups):
        if group.name not in saved.groups and not len(group.channels):
            bag.groups.remove(group)
    for (path, index), curve in kept.items():
        target = bag.fcurves.find(path, index=index) or _like(bag, curve)
        target.extrapolation = curve.extrapolation
        copy_modifiers(curve, target)
        copy_keys(curve, target)  # last: Blender aligns handles anew with every other change of a curve


def _like(bag: ActionChannelbag, saved: FCurve) -> FCurve:
    """A curve in the place of one that was deleted."""
    curve = bag.fcurves.new(saved.data_path, index=saved.array_index)
    for name in _SETTINGS:
        setattr(curve, name, getattr(saved, name))
    if saved.group is not None:
        curve.group = bag.groups.get(saved.group.name) or bag.groups.new(saved.group.name)
    return curve


def _bag_of(action: Action, slot_identifier: str) -> ActionChannelbag | None:
    return next((bag for bag in bags_of(action) if bag.slot and bag.slot.identifier == slot_identifier), None)
