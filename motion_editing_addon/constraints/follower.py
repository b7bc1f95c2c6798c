"""Constraints that go with the motion when its timing changes, or its sides are exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..document import original_keys
from .list_operators import constraints_of
from .mirror_image import mirror

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ..document.motion_changes import MotionChange


# What an edit of the motion changes of a constraint.
_FOLLOWED = ("start", "end", "bone", "target_bone", "point", "turn")


def follow(change: MotionChange) -> None:
    """Let constraints hold when their bones now do what they did before, and on those that do it now."""
    items = [item for _number, item in constraints_of(change.armature).of(change.armature) if item.bone in change.names]
    if change.partner is not None:
        first, last = change.reach
        mirror(change, [item for item in items if first <= item.start and item.end <= last])
    if change.time_map is None or not change.time_map.direction:
        return
    for item in items:
        item.start, item.end = np.sort(change.new_frames([item.start, item.end])).tolist()


def restore(armature: Object, original: Action) -> None:
    """Let constraints hold as those of the original do; what was added to another timing since goes."""
    if not original_keys.is_other_timing(armature):
        return
    known = {item.name: item for item in original.motion_editing_constraints.listed}
    settings = constraints_of(armature)
    for number, item in reversed(settings.of(armature)):
        if item.name in known:
            for name in _FOLLOWED:
                setattr(item, name, getattr(known[item.name], name))
        else:
            settings.listed.remove(number)
