"""All keys of a file, bit for bit."""

from __future__ import annotations

import hashlib

import bpy

from ..scenes import curves


def all_bits() -> dict[str, str]:
    """A digest of all curves of every action, by the action's name."""
    return {action.name: _digest(action) for action in bpy.data.actions}


def _digest(action: bpy.types.Action) -> str:
    found = hashlib.sha256()
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    for bag in bags:
        for curve in bag.fcurves:
            place = bag.slot_handle, curve.data_path, curve.array_index, curve.extrapolation, len(curve.modifiers)
            found.update(repr(place).encode() + curves.bits(curve))
    return found.hexdigest()[:16]


def difference(before: dict[str, str], after: dict[str, str]) -> str:
    """Names of the actions that came, went or changed; empty if none did."""
    names = sorted(before.keys() | after.keys())
    told = {(True, True): "changed", (True, False): "is gone", (False, True): "is new"}
    return ", ".join(
        f"'{name}' {told[name in before, name in after]}" for name in names if before.get(name) != after.get(name)
    )
