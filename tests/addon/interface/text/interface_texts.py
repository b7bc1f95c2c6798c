"""All tooltips of the interface: operators, their properties, properties kept in files, and choices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy


@dataclass(frozen=True)
class Tooltip:
    """What is shown when the mouse rests on something."""

    owner: str
    option: str
    label: str
    text: str


def all_tooltips() -> Iterator[Tooltip]:
    """Every tooltip once."""
    for name in sorted(dir(bpy.ops.motion_editing)):
        kind = getattr(bpy.ops.motion_editing, name).get_rna_type()
        yield Tooltip(name, "", kind.name, kind.description)
        yield from _of_properties(name, kind)
    for owner in (bpy.types.Action, bpy.types.Object, bpy.types.Scene):
        for prop in owner.bl_rna.properties:
            if prop.identifier.startswith("motion_editing") and prop.type == "POINTER":
                yield from _of_properties(prop.fixed_type.identifier, prop.fixed_type)


def _of_properties(owner: str, kind: Any) -> Iterator[Tooltip]:
    for prop in kind.properties:
        if prop.identifier in ("rna_type", "name") or prop.is_hidden:
            continue
        if prop.type in ("POINTER", "COLLECTION"):
            if prop.fixed_type.identifier.startswith("MOTIONEDIT"):
                yield from _of_properties(prop.fixed_type.identifier, prop.fixed_type)
            continue
        yield Tooltip(owner, prop.identifier, prop.name, prop.description)
        if prop.type == "ENUM":
            for item in prop.enum_items:
                yield Tooltip(owner, f"{prop.identifier}.{item.identifier}", item.name, item.description)
