"""Telling whether an armature's keys have changed."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from .channels import channels_of
from .keys import read_keys

if TYPE_CHECKING:
    import bpy
    from bpy.types import FCurve, FModifier, Object

    from .channels import Property


def fingerprint(armature: Object) -> str:
    """Changes whenever a key, handle, interpolation or F-curve modifier of the armature changes."""
    return fingerprint_of(channels_of(armature).curves)


def fingerprint_of(curves: Mapping[tuple[Property, int], FCurve]) -> str:
    """The same for some curves."""
    digest = blake2b(digest_size=16)
    for (prop, index), curve in sorted(curves.items(), key=_identity):
        digest.update(f"{_identity(((prop, index), curve))}{curve.extrapolation}{len(curve.modifiers)}".encode())
        for modifier in curve.modifiers:
            digest.update(repr([getattr(modifier, each.identifier) for each in _plain(modifier)]).encode())
        for values in read_keys(curve, "co", "handle_left", "handle_right", "interpolation").values():
            digest.update(np.ascontiguousarray(values))
    return digest.hexdigest()


def _identity(item: tuple[tuple[Property, int], FCurve]) -> tuple[str, str, int]:
    """What tells a curve from the others; objects may be renamed."""
    (prop, index), _curve = item
    return prop.owner.id_type, prop.path, index


def _plain(modifier: FModifier) -> list[bpy.types.Property]:
    """The modifier's settings that are numbers, switches or choices."""
    return [
        each
        for each in modifier.bl_rna.properties
        if each.type in {"FLOAT", "INT", "BOOLEAN", "ENUM"} and not getattr(each, "is_array", False)
    ]
