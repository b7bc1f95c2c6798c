"""Names of FBX clips: Blender's writer puts the armature's name before each, and its reader leaves it there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from bpy.types import Action, Object


def name_as_written(armatures: Iterable[Object], actions: Iterable[Action]) -> None:
    """Take the armature's name off, where no other action has the rest: else names grow from result to result."""
    prefixes = tuple(f"{armature.name}|" for armature in armatures)
    for action in actions:
        prefix = next(filter(action.name.startswith, prefixes), "")
        name = action.name.removeprefix(prefix)
        if name and name not in bpy.data.actions:
            action.name = name
