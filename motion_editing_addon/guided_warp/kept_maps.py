"""Time maps kept by name with an action, to be used on other objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.motion import Ends, TimeMap
from ..border import saved_model
from ..document import scope
from ..document.damage import reading

if TYPE_CHECKING:
    from bpy.types import Object

_PREFIX = "time map "


def keep(armature: Object, name: str, time_map: TimeMap) -> None:
    """Save a map with the armature's action; beyond its ends time goes on at its own speed."""
    action, slot = scope.action_of(armature), armature.animation_data.action_slot.identifier
    arrays = {"new": np.array(time_map.new_times), "old": np.array(time_map.old_times)}
    saved_model.save(action, slot, _PREFIX + name, arrays, "")


def names(armature: Object) -> tuple[str, ...]:
    """Names of the maps kept with the armature's action."""
    action = scope.action_of(armature)
    if action is None:
        return ()
    slot = armature.animation_data.action_slot.identifier
    return tuple(n.removeprefix(_PREFIX) for n in saved_model.names(action, slot) if n.startswith(_PREFIX))


def load(armature: Object, name: str) -> TimeMap:
    """A kept map."""
    known = names(armature)
    if name not in known:
        there = ", ".join(known) or "none"
        raise MotionEditError(f"There is no time map '{name}' with this action; there are: {there}")
    slot = armature.animation_data.action_slot.identifier
    with reading(f"The time map '{name}' is damaged: warp the time again and keep the map under this name"):
        saved = saved_model.load(scope.action_of(armature), slot, _PREFIX + name)
        return TimeMap.from_samples(saved.arrays["new"], saved.arrays["old"], ends=Ends.EXTEND)
