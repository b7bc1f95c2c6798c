"""Painted bones: what edits are limited to, and what features can be transferred."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ..windows.windows import settings_of

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import Skeleton


def painted_mask(armature: Object, skeleton: Skeleton) -> np.ndarray:
    """(J,) which joints are painted; bones that are gone are left out."""
    names = {item.name for item in settings_of(armature).painted}
    return np.array([name in names for name in skeleton.names], dtype=bool)


def refuse_lost(armature: Object) -> None:
    """Refuse edits while a painted bone is gone: they would reach more of the body than was painted.

    Raises:
        MotionEditError: Some are gone.
    """
    lost = [item.name for item in settings_of(armature).painted if item.name not in armature.pose.bones]
    if lost:
        raise MotionEditError(f"The painted bone '{lost[0]}' is gone or has another name: use Paint Bones again")


def paint(armature: Object, names: set[str], how: str) -> int:
    """Add, remove or set painted bones; gives how many are painted then."""
    settings = settings_of(armature)
    there = {item.name for item in settings.painted}
    wanted = {"ADD": there | names, "REMOVE": there - names, "SET": names, "TOGGLE": there ^ names, "CLEAR": set()}[how]
    settings.painted.clear()
    for bone in armature.pose.bones:
        if bone.name in wanted:
            settings.painted.add().name = bone.name
    return len(settings.painted)
