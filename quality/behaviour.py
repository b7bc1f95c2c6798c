"""What the extension does, as digests: the keys that every tool writes, and its interface. Runs inside Blender.

Moving code must change none of it. `scripts/behaviour.py` records digests and compares with them.
"""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from .clips import Clip
from .scenes import curves, seen, staging
from .tools import TOOLS, Subject


def digest(tool: str, clip: Clip, rig: str, seed: int, cache: Path) -> str:
    """Bits of all keys after a tool was used; or that it refused, and why."""
    bpy.ops.wm.open_mainfile(filepath=str(staging.staged(clip, rig, cache)))
    armature = bpy.data.objects["subject"]
    chance = np.random.default_rng(zlib.crc32(f"{tool}/{clip.name}/{rig}/{seed}".encode()))
    subject = Subject(armature, rig, chance)
    first, last = subject.ends
    subject.before = seen.record(armature, subject.figure, np.arange(first, last + 1, dtype=float))
    plan = TOOLS[tool](subject)
    if plan is None:
        return "nothing to ask"
    try:
        if plan.prepare is not None:
            plan.prepare()
        plan.run()
    except RuntimeError as error:
        return f"refused: {str(error).strip().splitlines()[0]}"
    return keys_digest()


def keys_digest() -> str:
    """Bits of all keys of all objects, by name."""
    name = hashlib.sha256()
    for thing in sorted(bpy.data.objects, key=lambda each: each.name):
        for curve, (keys, rest) in sorted(curves.all_keys(thing).items()):
            name.update(repr((thing.name, curve)).encode() + keys.tobytes() + rest)
    return name.hexdigest()[:16]


def interface() -> dict[str, Any]:
    """Operators with their properties, and what is kept in files: identifiers, defaults, limits, choices."""
    operators = {
        name: _properties(getattr(bpy.ops.motion_editing, name).get_rna_type())
        for name in sorted(dir(bpy.ops.motion_editing))
    }
    kept = {
        f"{owner.__name__}.{prop.identifier}": _properties(prop.fixed_type)
        for owner in (bpy.types.Action, bpy.types.Object, bpy.types.Scene)
        for prop in owner.bl_rna.properties
        if prop.identifier.startswith("motion_editing") and prop.type == "POINTER"
    }
    return {"operators": operators, "kept": kept}


def _properties(kind: Any) -> dict[str, Any]:
    return {prop.identifier: _property(prop) for prop in kind.properties if prop.identifier not in ("rna_type", "name")}


def _property(prop: Any) -> list[Any]:
    if prop.type == "ENUM":
        return ["ENUM", prop.default, [item.identifier for item in prop.enum_items]]
    if prop.type == "COLLECTION":
        return ["COLLECTION", _properties(prop.fixed_type)]
    if prop.type == "POINTER":
        own = prop.fixed_type.identifier.startswith("MOTIONEDIT")
        return ["POINTER", _properties(prop.fixed_type) if own else prop.fixed_type.identifier]
    if prop.type == "STRING":
        return ["STRING", prop.default]
    default = list(prop.default_array) if prop.is_array else prop.default
    limits = [] if prop.type == "BOOLEAN" else [prop.hard_min, prop.hard_max]
    return [prop.type, default, *limits]
