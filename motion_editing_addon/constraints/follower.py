"""Constraints that go with the motion when its timing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..document import original_keys
from .list_operators import constraints_of

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Let constraints hold when their bones now do what they did before."""
    if change.time_map is None or not change.time_map.direction:
        return
    for _number, item in constraints_of(change.armature).of(change.armature):
        if item.bone in change.names:
            item.start, item.end = np.sort(change.new_frames([item.start, item.end])).tolist()


def restore(armature: Object, original: Action) -> None:
    """Let constraints hold when those of the original do; what was added to another timing since goes."""
    if not original_keys.is_other_timing(armature):
        return
    known = {item.name: (item.start, item.end) for item in original.motion_editing_constraints.listed}
    settings = constraints_of(armature)
    for number, item in reversed(settings.of(armature)):
        if item.name in known:
            item.start, item.end = known[item.name]
        else:
            settings.listed.remove(number)
