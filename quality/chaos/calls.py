"""Uses of tools by chance: as an animator would, or any operator with any values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..scenes import seen
from ..tools import TOOLS, Subject
from .world import World

# They ask for files.
_FILES = {"import_bvh", "export_bvh", "load_mapping", "save_mapping"}
# A property that is not set has its default.
_SET = 0.35
# What the judge's own rules raise where a character is not whole; operators raise none of them.
NOT_WHOLE = (LookupError, ValueError, AttributeError, TypeError, StopIteration)
_FRAMES = ("frame", "start", "end", "first", "last")


@dataclass
class Call:
    """One use of a tool.

    Attributes:
        text: What is told of it.
        run: Does it, and gives what Blender gives.
        is_single: It is a single operator: what it refuses must change nothing.
    """

    text: str
    run: Callable[[], object]
    is_single: bool


def planned(world: World) -> Call | None:
    """A tool as an animator would use it; None where there is nothing to ask for."""
    name, armature = world.pick(TOOLS), world.armature
    subject = Subject(armature, world.rig, world.random)
    try:
        first, last = subject.ends
        subject.before = seen.record(armature, subject.figure, np.linspace(first, last, min(last - first + 1, 60)))
        plan = TOOLS[name](subject)
        if plan is not None and plan.prepare is not None:
            plan.prepare()
    except NOT_WHOLE:
        return None
    except RuntimeError as error:
        if "Traceback" in str(error):
            raise
        return None
    return Call(f"{name} as planned, {plan.parameters}", plan.run, is_single=False) if plan else None


def any_operator(world: World) -> Call:
    """Any operator of the extension with some of its properties set."""
    names = sorted(set(dir(bpy.ops.motion_editing)) - _FILES)
    # Mostly those that are not greyed out.
    offered = [name for name in names if getattr(bpy.ops.motion_editing, name).poll()]
    name = world.pick(offered if offered and world.chance(0.9) else names)
    operator = getattr(bpy.ops.motion_editing, name)
    values = {}
    for prop in operator.get_rna_type().properties:
        if prop.identifier != "rna_type" and not prop.is_readonly and world.chance(_SET):
            value = _value(world, prop)
            if value is not None:
                values[prop.identifier] = value
    told = ", ".join(f"{key}={value!r}" for key, value in values.items())
    return Call(f"{name}({told})", lambda: operator(**values), is_single=True)


def _value(world: World, prop: Any) -> Any:
    """A value that somebody may choose; None if that takes more than chance."""
    if prop.type == "BOOLEAN":
        return [world.chance(0.5) for _each in range(prop.array_length)] if prop.is_array else world.chance(0.5)
    if prop.type == "ENUM":
        names = [item.identifier for item in prop.enum_items]
        if not names:
            return None
        return {world.pick(names)} if prop.is_enum_flag else world.pick(names)
    if prop.type == "STRING":
        # What is written must stay in the session's own folder.
        return str(world.folder / "recipe.toml") if prop.identifier == "filepath" else world.pick(_names(world))
    if prop.type in ("INT", "FLOAT"):
        return [_number(world, prop) for _each in range(prop.array_length)] if prop.is_array else _number(world, prop)
    return None


def _number(world: World, prop: Any) -> float:
    if any(word in prop.identifier for word in _FRAMES):
        number = float(world.frame())
    else:
        number = (prop.default or 1.0) * float(world.random.uniform(0.0, 2.5)) * (-1.0 if world.chance(0.2) else 1.0)
    number = float(f"{min(max(number, prop.hard_min), prop.hard_max):.3g}")
    return round(number) if prop.type == "INT" else number


def _names(world: World) -> list[str]:
    bones = [bone.name for bone in world.armature.data.bones]
    return ["", "no such name", *bones[:6], *(each.name for each in (*bpy.data.actions, *bpy.data.objects))]
