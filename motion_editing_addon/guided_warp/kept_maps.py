"""Time maps kept by name with an action, to be used on other objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.motion import Ends, TimeMap
from ..border import saved_state
from ..border.saved_state import TIME_MAP
from ..document import scope

if TYPE_CHECKING:
    from bpy.types import Object

_PREFIX = TIME_MAP.named("").name


def keep(armature: Object, name: str, time_map: TimeMap) -> None:
    """Save a map with the armature's action; beyond its ends time goes on at its own speed."""
    arrays = {"new": np.array(time_map.new_times), "old": np.array(time_map.old_times)}
    saved_state.save(*scope.saved_place(armature), TIME_MAP.named(name), arrays, "")


def names(armature: Object) -> tuple[str, ...]:
    """Names of the maps kept with the armature's action."""
    if scope.action_of(armature) is None:
        return ()
    every = saved_state.names(*scope.saved_place(armature))
    return tuple(each.removeprefix(_PREFIX) for each in every if each.startswith(_PREFIX))


def load(armature: Object, name: str) -> TimeMap:
    """A kept map."""
    known = names(armature)
    if name not in known:
        there = ", ".join(known) or "none"
        raise MotionEditError(f"There is no time map '{name}' with this action; there are: {there}")
    kind = TIME_MAP.named(name)
    with saved_state.reading(kind):
        saved = saved_state.load_known(*scope.saved_place(armature), kind)
        return TimeMap.from_samples(saved.arrays["new"], saved.arrays["old"], ends=Ends.EXTEND)
