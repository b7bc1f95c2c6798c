"""Constraints that go with the motion when its timing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .list_operators import constraints_of

if TYPE_CHECKING:
    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Let constraints hold when their bones now do what they did before."""
    if change.time_map is None or not change.time_map.direction:
        return
    for _number, item in constraints_of(change.armature).of(change.armature):
        if item.bone in change.names:
            item.start, item.end = np.sort(change.new_frames([item.start, item.end])).tolist()
